#include "format/piece_writer.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

#include "format/python_json.h"
#include "format/tool_text.h"

namespace pedro {
namespace {

// "2024-07-26" as "26 Jul 2024"; anything else stays as it is.
std::string day_of(std::string_view date) {
  constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                        "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  unsigned month = 0;
  if (date.size() != 10 || date[4] != '-' || date[7] != '-') return std::string(date);
  std::from_chars(date.data() + 5, date.data() + 7, month);
  if (month < 1 || month > kMonths.size()) return std::string(date);
  return fmt::format("{} {} {}", date.substr(8), kMonths[month - 1], date.substr(0, 4));
}

}  // namespace

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
  while (!piece.empty()) {
    const Mark mark = next_mark(piece);
    out_.add_template(piece.substr(0, mark.begin));
    const std::string_view name = piece.substr(mark.begin, mark.end - mark.begin);
    if (mark.kind == Mark::Kind::kControl) out_.control(name);
    if (mark.kind == Mark::Kind::kTag) out_.tag(name);
    if (mark.kind == Mark::Kind::kValue) put(name.substr(2, name.size() - 4), fields);
    piece.remove_prefix(mark.end);
  }
}

void PieceWriter::write_call(const RequestedCall& call) {
  call_ = &call;
  write(rules_.call, {{"name", call.name},
                      {"name_json", python_json_string(call.name)},
                      {"arguments", python_arguments(call)},
                      {"id", call.id}});
}

// What comes first in a piece that is not mere text.
PieceWriter::Mark PieceWriter::next_mark(std::string_view piece) const {
  Mark first{piece.size(), piece.size(), Mark::Kind::kNone};
  const auto look_for = [&](std::string_view what, Mark::Kind kind) {
    const std::size_t at = piece.find(what);
    if (at < first.begin) first = {at, at + what.size(), kind};
  };
  for (const std::string& name : rules_.control) look_for(name, Mark::Kind::kControl);
  for (const std::string& name : rules_.tags) look_for(name, Mark::Kind::kTag);
  look_for("{{", Mark::Kind::kValue);
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

// What is made of pieces itself.
void PieceWriter::expand(std::string_view name) {
  if (name == "guide") write(rules_.guide);
  if (name == "tools") {
    for (const DeclaredTool& tool : request_.tools) {
      if (&tool != &request_.tools.front()) write(rules_.tool_between);
      write_tool(tool);
    }
  }
  if (name == "parameters") {
    for (const auto& [key, value] : json_members(python_arguments(*call_)).value_or(Members())) {
      write(rules_.parameter,
            {{"name", key}, {"value", python_text(value)}, {"json_value", text_or_json(value)}});
    }
  }
}

void PieceWriter::write_tool(const DeclaredTool& tool) {
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
