#include "chat_format/piece_writer.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/text.h"
#include "call_parser/gemma_text.h"
#include "chat_format/python_json.h"
#include "chat_format/tool_text.h"
#include "chat_format/written_date.h"

namespace pedro {

std::string python_arguments(const RequestedCall& call) {
  return call.arguments.empty() ? "{}" : python_json_or_string(call.arguments);
}

PieceWriter::PieceWriter(const TurnRules& rules, const ChatRequest& request)
    : rules_(rules), request_(request) {
  const std::string& date = request.date.empty() ? rules.date : request.date;
  common_ = {{"date", date}, {"day", day_of(date)}};
  common_.emplace_back("effort",
                       request.reasoning_effort.empty() ? rules.effort : request.reasoning_effort);
  for (const auto* names : {&rules.control, &rules.tags}) {
    for (const std::string& name : *names) out_.guard(name);
  }
}

void PieceWriter::write(std::string_view piece, std::initializer_list<PieceField> fields) {
  std::vector<Mark> marks = first_marks(piece);
  for (std::size_t at = 0; at < piece.size();) {
    const Mark mark = next_mark(piece, at, marks);
    out_.add_template(piece.substr(at, mark.begin - at));
    const std::string_view name = piece.substr(mark.begin, mark.end - mark.begin);
    if (mark.kind == Mark::Kind::kControl) out_.control(name);
    if (mark.kind == Mark::Kind::kTag) out_.tag(name);
    if (mark.kind == Mark::Kind::kValue) put(name.substr(2, name.size() - 4), fields);
    at = mark.end;
  }
}

void PieceWriter::write_call(const RequestedCall& call, std::size_t index) {
  call_ = &call;
  write(rules_.call, {{"name", call.name},
                      {"name_json", python_json_string(call.name)},
                      {"arguments", python_arguments(call)},
                      {"id", call.id},
                      {"index", std::to_string(index)}});
}

// Finds the first occurrence of each name in a piece; omits absent names. If several start at the
// same position, control tokens precede tags, and both precede values.
std::vector<PieceWriter::Mark> PieceWriter::first_marks(std::string_view piece) const {
  std::vector<Mark> marks;
  const auto add = [&](std::string_view what, Mark::Kind kind) {
    const std::size_t at = what.empty() ? std::string_view::npos : piece.find(what);
    if (at != std::string_view::npos) marks.push_back({at, at + what.size(), kind});
  };
  for (const std::string& name : rules_.control) add(name, Mark::Kind::kControl);
  for (const std::string& name : rules_.tags) add(name, Mark::Kind::kTag);
  const std::size_t value = find_placeholder(piece);
  if (value != std::string_view::npos) marks.push_back({value, value + 2, Mark::Kind::kValue});
  return marks;
}

// Returns the first mark at or after `at`. Each name's search resumes at its last occurrence, so
// all calls together scan the piece once per name.
PieceWriter::Mark PieceWriter::next_mark(std::string_view piece, std::size_t at,
                                         std::vector<Mark>& marks) {
  Mark first{piece.size(), piece.size(), Mark::Kind::kNone};
  for (Mark& mark : marks) {
    if (mark.begin < at) {
      const std::string_view what = piece.substr(mark.begin, mark.end - mark.begin);
      const bool is_value = mark.kind == Mark::Kind::kValue;
      mark.begin = is_value ? find_placeholder(piece, at) : piece.find(what, at);
      mark.begin = std::min(mark.begin, piece.size());
      mark.end = std::min(mark.begin + what.size(), piece.size());
    }
    if (mark.begin < first.begin) first = mark;
  }
  if (first.kind == Mark::Kind::kValue) first.end = piece.find("}}", first.begin) + 2;
  return first;
}

void PieceWriter::put(std::string_view name, std::initializer_list<PieceField> fields) {
  for (const PieceField& field : fields) {
    if (field.name == name) return out_.add_content(field.value);
  }
  for (const auto& [known, value] : common_) {
    if (known == name) return out_.add_content(value);
  }
  expand(name);
}

// Writes a value that consists of pieces.
void PieceWriter::expand(std::string_view name) {
  if (name == "guide") write(rules_.guide);
  if (name == "tools") {
    for (const DeclaredTool& tool : request_.tools) {
      if (&tool != &request_.tools.front()) write(rules_.tool_between);
      write_tool(tool);
    }
  }
  if (name == "parameters") expand_parameters();
  if (name == "gemma_value") write_gemma(gemma_value(value_));
  if (name == "gemma_tool") write_gemma(gemma_tool(*tool_));
}

void PieceWriter::expand_parameters() {
  Members members = json_members(python_arguments(*call_)).value_or(Members());
  if (rules_.parameter.find("{{gemma_value}}") != std::string::npos) {
    std::stable_sort(members.begin(), members.end(), [](const auto& a, const auto& b) {
      return to_lower(a.first) < to_lower(b.first);
    });
  }
  bool first = true;
  for (const auto& [key, value] : members) {
    if (!std::exchange(first, false)) write(rules_.parameter_between);
    value_ = value;
    write(rules_.parameter, {{"name", key},
                             {"value", python_text(value)},
                             {"json_value", text_or_json(value)},
                             {"python_value", python_argument(value)},
                             {"is_string", value.starts_with('"') ? "true" : "false"}});
  }
}

// Writes texts with a quote between any two.
void PieceWriter::write_gemma(const GemmaText& texts) {
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (i > 0) write(kGemmaQuote);
    out_.add_content(texts[i]);
  }
}

void PieceWriter::write_tool(const DeclaredTool& tool) {
  tool_ = &tool;
  write(rules_.tool, {{"name", tool.name},
                      {"description", tool.description},
                      {"schema", python_json_or_string(tool.parameters)},
                      {"tool", tool_json(tool)},
                      {"function", tool_function_json(tool)},
                      {"tool_indented", tool_indented_json(tool)},
                      {"tool_xml", tool_xml(tool)},
                      {"tool_typescript", tool_typescript(tool)}});
}

}  // namespace pedro
