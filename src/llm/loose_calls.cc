#include "llm/loose_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "base/text.h"
#include "call_parser/argument_text.h"
#include "call_parser/call_collector.h"
#include "call_parser/python_call.h"
#include "json_schema/repair_value.h"
#include "json_schema/validate.h"

namespace pedro {
namespace {

// The rank of a syntax for a text: its valid calls, calls of known tools, and all calls.
struct Findings {
  std::size_t valid = 0;
  std::size_t known = 0;
  std::size_t calls = 0;
  std::vector<CallPart> parts = {};

  bool is_better_than(const Findings& other) const {
    return std::tuple(valid, known, calls, !parts.empty()) >
           std::tuple(other.valid, other.known, other.calls, !other.parts.empty());
  }
};

// Returns true if a call is one of the known ones, after corrections of its arguments.
bool is_valid_call(const ParsedCall& call, std::span<const CallBranch> known) {
  return std::any_of(known.begin(), known.end(), [&](const CallBranch& branch) {
    return branch.tool == call.tool &&
           !validate(*branch.args, repair_value(*branch.args, call.args).value);
  });
}

Findings ranked(std::vector<CallPart> parts, std::span<const CallBranch> known) {
  Findings found;
  found.parts = std::move(parts);
  const KnownTools tools(known);
  for (const CallPart& part : found.parts) {
    const auto* call = std::get_if<ParsedCall>(&part);
    if (call == nullptr) continue;
    ++found.calls;
    found.known += tools.contains(call->tool) ? 1 : 0;
    found.valid += is_valid_call(*call, known) ? 1 : 0;
  }
  return found;
}

Findings best_of(const std::string& text, std::span<const CallBranch> known) {
  Findings best;
  if (text.empty() || known.empty()) return best;
  for (const CallSyntax syntax : call_syntaxes()) {
    Findings found = ranked(parse_calls(text, syntax, known, CallChecks::kNothing), known);
    if (found.is_better_than(best)) best = std::move(found);
  }
  if (best.valid > 0) return best;
  Findings loose = ranked(loose_calls(text, known), known);
  return loose.valid > 0 && loose.valid == loose.calls ? loose : best;
}

// Returns the end of the last tag that closes thinking, else 0.
std::size_t thinking_end(std::string_view text) {
  std::size_t end = 0;
  for (const std::string_view tag : {"</think>", "</thinking>", "[/THINK]"}) {
    const std::size_t at = text.rfind(tag);
    if (at != text.npos) end = std::max(end, at + tag.size());
  }
  return end;
}

// Ignores drafts in thinking, whose first tag may be missing, if a valid call follows it.
Findings best_in(const std::string& text, std::span<const CallBranch> known) {
  if (const std::size_t end = thinking_end(text); end > 0) {
    Findings after = best_of(std::string(end, ' ') + text.substr(end), known);
    if (after.valid > 0) return after;
  }
  return best_of(text, known);
}

std::string thinking_of(const ChatMessage& message) {
  std::string text;
  for (const ContentChunk& chunk : message.content) {
    if (chunk.kind == ContentChunk::Kind::kThinking) text += chunk.text;
  }
  return text;
}

constexpr int kMaxFailures = 64;  // objects and Python that are no calls
constexpr std::size_t kMaxDepth = 100;
constexpr std::size_t kMaxCallGapBytes = 80;  // between a name and its arguments
constexpr int kMaxStringLevels = 2;           // of arguments in a string in a string

constexpr std::string_view kEscape = "<escape>";
constexpr std::string_view kKeyTag = "arg_key";  // also with a prefix

// Returns the start of the name that ends at `end`.
std::size_t name_start(std::string_view text, std::size_t end) {
  while (end > 0 && (is_word_byte(text[end - 1]) || text[end - 1] == '-')) --end;
  return end;
}

struct LooseObject {
  Json value;
  std::size_t end = 0;  // in the text, after its last byte
};

/// Rewrites an object that deviates from JSON.
class LooseReader {
 public:
  explicit LooseReader(std::string_view text) : text_(text) {}

  /// Reads the object at `begin`, which has a '{'. Returns nullopt if it is no object.
  std::optional<LooseObject> read(std::size_t begin) {
    at_ = begin;
    while (at_ < text_.size() && step() && !open_.empty()) {
    }
    const bool has_member = json_.find(':') != std::string::npos;
    if (is_broken_ || (!open_.empty() && !has_member)) return std::nullopt;
    while (!open_.empty()) close(open_.back() == '{' ? '}' : ']');
    std::variant<Json, JsonFault> value = read_bounded_json(json_);
    auto* const json = std::get_if<Json>(&value);
    if (json == nullptr || !json->is_object()) return std::nullopt;
    return LooseObject{std::move(*json), at_};
  }

 private:
  // Reads one token. Returns false at the end of the object.
  bool step() {
    const std::string_view rest = text_.substr(at_);
    const char c = rest.front();
    if (rest.starts_with("</") || rest.starts_with("<|") || rest.starts_with("```")) return false;
    if (rest.starts_with(kEscape)) return read_escaped();
    if (rest.starts_with("//") || rest.starts_with("#")) return skip_to("\n");
    if (rest.starts_with("/*")) return skip_to("*/");
    if (c == '"' || c == '\'') return read_string(c);
    if (is_word_byte(c) || c == '-') return read_word();
    if (c == '{' || c == '[') {
      is_broken_ = open_.size() >= kMaxDepth;
      open_ += c;
      json_ += c;
    } else if (c == '}' || c == ']') {
      is_broken_ = open_.back() != (c == '}' ? '{' : '[');
      close(c);
    } else {
      json_ += c;
    }
    ++at_;
    return !is_broken_;
  }

  // Drops a comma before a closing bracket.
  void close(char bracket) {
    const std::size_t last = json_.find_last_not_of(" \t\r\n");
    if (last != std::string::npos && json_[last] == ',') json_.erase(last);
    json_ += bracket;
    open_.pop_back();
  }

  bool skip_to(std::string_view end) {
    const std::size_t found = text_.find(end, at_);
    at_ = found == std::string_view::npos ? text_.size() : found + end.size();
    return true;
  }

  bool read_word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() &&
           (is_word_byte(text_[at_]) || std::string_view("+-.").find(text_[at_]) != text_.npos)) {
      ++at_;
    }
    const std::string_view word = text_.substr(begin, at_ - begin);
    const std::size_t next = text_.find_first_not_of(" \t", at_);
    if (next != text_.npos && text_[next] == ':') {  // a name without quotes
      json_ += fmt::format("\"{}\"", word);
      return true;
    }
    json_ += word == "True" ? "true" : word == "False" ? "false" : word == "None" ? "null" : word;
    return true;
  }

  // Reads a text between marks of FunctionGemma.
  bool read_escaped() {
    const std::size_t begin = at_ + kEscape.size();
    const std::size_t end = text_.find(kEscape, begin);
    is_broken_ = end == std::string_view::npos;
    if (is_broken_) return false;
    json_ += to_line(Json(text_.substr(begin, end - begin)));
    at_ = end + kEscape.size();
    return true;
  }

  bool read_string(char quote) {
    json_ += '"';
    for (++at_; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == quote) {
        json_ += '"';
        ++at_;
        return true;
      }
      if (c == '\\' && at_ + 1 < text_.size()) {
        ++at_;
        if (text_[at_] != '\'') json_ += '\\';
        json_ += text_[at_];
      } else if (c == '"') {
        json_ += "\\\"";
      } else if (static_cast<unsigned char>(c) < ' ') {
        json_ += fmt::format("\\u{:04x}", c);
      } else {
        json_ += c;
      }
    }
    is_broken_ = true;  // the string does not end
    return false;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string open_;  // brackets
  std::string json_;
  bool is_broken_ = false;
};

// Removes one separator from the end of the text before the arguments.
bool remove_separator(std::string_view& text) {
  const std::size_t size = text.size();
  text = text.substr(0, text.find_last_not_of(" \t\r\n:=(`>\"'*") + 1);
  const std::size_t number = text.find_last_not_of("0123456789");  // "functions.file:0"
  if (number != text.npos && text[number] == ':') text = text.substr(0, number);
  for (const std::string_view word : {"[ARGS]", "Action Input", "action_input", "<arguments",
                                      "<parameters", "Arguments", "arguments", "json", "</name"}) {
    if (text.ends_with(word)) text.remove_suffix(word.size());
  }
  for (const auto& [begin, end] :
       {std::pair<std::string_view, std::string_view>{"<|", "|>"}, {"<\uff5c", "\uff5c>"}}) {
    const std::size_t at = text.ends_with(end) ? text.rfind(begin) : std::string_view::npos;
    if (at != std::string_view::npos) text = text.substr(0, at);
  }
  return text.size() < size;
}

// Returns the name of a known tool that ends the text before its arguments, else "".
std::string_view name_before(std::string_view text, const KnownTools& tools) {
  if (text.size() > kMaxCallGapBytes) text.remove_prefix(text.size() - kMaxCallGapBytes);
  const auto name_at_end = [&] { return text.substr(name_start(text, text.size())); };
  while (!tools.contains(name_at_end())) {
    if (!remove_separator(text)) return "";
  }
  return name_at_end();
}

// Returns the arguments of a call as an object, also if they are a string with one.
std::optional<Json> arguments_in(Json value) {
  if (value.is_array() && value.size() == 1) value = Json(value[0]);
  for (int level = 0; level < kMaxStringLevels && value.is_string(); ++level) {
    std::variant<Json, JsonFault> inner = read_bounded_json(value.get_ref<const std::string&>());
    if (!std::holds_alternative<Json>(inner)) return std::nullopt;
    value = std::get<Json>(std::move(inner));
  }
  return value.is_object() ? std::optional(std::move(value)) : std::nullopt;
}

std::optional<ParsedCall> call_in(const Json& object, const KnownTools& tools) {
  const char* const last_key = object.contains("action_input") ? "action" : "tool_name";
  for (const char* const key :
       {"name", "tool", "function", "tool_name", "function_name", "recipient_name", last_key}) {
    std::string tool = text_of(object, key);
    // The names of some templates have a namespace: "functions.file".
    if (!tools.contains(tool)) tool = tool.substr(tool.find_last_of(".:") + 1);
    if (!tools.contains(tool)) continue;
    ParsedCall call;
    call.tool = tool;
    for (const char* const args :
         {"arguments", "parameters", "args", "input", "params", "tool_input", "action_input",
          "tool_arguments", "function_arguments", "function_args"}) {
      if (!object.contains(args) || tools.declares(tool, args)) continue;
      std::optional<Json> read = arguments_in(object[args]);
      if (!read) return std::nullopt;
      call.args = *std::move(read);
      return call;
    }
    call.args = object;
    call.args.erase(key);
    return call;
  }
  return std::nullopt;
}

// A tag like <function=file>, <function name="file"> or <ns:parameter="path">. The name of <file>
// is its kind.
struct NamedTag {
  std::string_view kind = {};    // without its namespace
  std::string_view prefix = {};  // the namespace with its ':'
  std::string_view name = {};
  std::size_t end = 0;  // in the text, after '>'
};

std::optional<NamedTag> tag_at(std::string_view text, std::size_t at) {
  const std::size_t close = text.find('>', at);
  if (close == text.npos || close - at > kMaxCallGapBytes || text[at] != '<') return std::nullopt;
  std::string_view inside = text.substr(at + 1, close - at - 1);
  const std::size_t kind_end = std::min(inside.find_first_of("= "), inside.size());
  NamedTag tag{.kind = inside.substr(0, kind_end), .end = close + 1};
  tag.prefix = tag.kind.substr(0, tag.kind.rfind(':') + 1);
  tag.kind.remove_prefix(tag.prefix.size());
  inside = trim(inside.substr(kind_end));
  for (const std::string_view before : {"name", "="}) {
    if (inside.starts_with(before)) inside = trim(inside.substr(before.size()));
  }
  const std::size_t first = inside.find_first_not_of("\"'");
  tag.name = tag.kind;
  if (first == inside.npos) return tag;
  tag.name = inside.substr(first, inside.find_last_not_of("\"'") + 1 - first);
  return tag;
}

// Reads a call whose arguments are in tags of their own. `begin` is at the tag `function`.
std::optional<ParsedCall> call_in_tags(std::string_view text, std::size_t begin,
                                       const NamedTag& function, const KnownTools& tools) {
  std::vector<WrittenArgument> written;
  std::size_t end = function.end;
  for (;;) {
    const std::size_t at = text.find_first_not_of(" \t\r\n", end);
    const auto tag = at == text.npos ? std::nullopt : tag_at(text, at);
    if (!tag) break;
    const bool is_named = tag->kind == "parameter" || tag->kind == "param" || tag->kind == "arg";
    if (!is_named && !(tag->name == tag->kind && tools.declares(function.name, tag->name))) break;
    const std::string last = fmt::format("</{}{}>", tag->prefix, tag->kind);
    const std::size_t close = text.find(last, tag->end);
    if (close == text.npos) return std::nullopt;  // the value may be incomplete
    std::string_view value = text.substr(tag->end, close - tag->end);
    if (value.starts_with('\n')) value.remove_prefix(1);
    if (value.ends_with('\n')) value.remove_suffix(1);
    written.push_back({std::string(tag->name), std::string(value)});
    end = close + last.size();
  }
  if (written.empty()) return std::nullopt;
  return ParsedCall{
      {begin, end}, "", std::string(function.name), tools.typed(function.name, written)};
}

// Reads a call of GLM's form: a name, then pairs <arg_key>path</arg_key><arg_value>a</arg_value>.
// The end of a key may be missing, and LongCat's tags have a prefix.
std::optional<ParsedCall> call_in_pairs(std::string_view text, std::size_t begin,
                                        const KnownTools& tools) {
  constexpr std::string_view kValue = "arg_value>";
  std::vector<WrittenArgument> written;
  std::size_t end = begin;
  for (;;) {
    const std::size_t at = text.find_first_not_of(" \t\r\n", end);
    const auto tag = at == text.npos ? std::nullopt : tag_at(text, at);
    if (!tag || tag->name != tag->kind || !tag->kind.ends_with(kKeyTag)) break;
    const std::string prefix(tag->kind.substr(0, tag->kind.size() - kKeyTag.size()));
    const std::string open = fmt::format("<{}{}", prefix, kValue);
    const std::string close = fmt::format("</{}{}", prefix, kValue);
    const std::size_t key_end = text.find('<', tag->end);
    const std::size_t value = text.find(open, tag->end);
    const std::size_t value_end = text.find(close, value == text.npos ? value : value + 1);
    if (value_end == text.npos) return std::nullopt;  // the value may be incomplete
    const std::size_t value_begin = value + open.size();
    written.push_back({std::string(trim(text.substr(tag->end, key_end - tag->end))),
                       std::string(text.substr(value_begin, value_end - value_begin))});
    end = value_end + close.size();
  }
  const std::string_view name = written.empty() ? "" : name_before(text.substr(0, begin), tools);
  if (name.empty()) return std::nullopt;
  return ParsedCall{{begin, end}, "", std::string(name), tools.typed(name, written)};
}

// Returns the start of a known tool's name before the '(' at `at`, else npos.
std::size_t python_name(std::string_view text, std::size_t at, const KnownTools& tools) {
  const std::size_t begin = name_start(text, at);
  return tools.contains(text.substr(begin, at - begin)) ? begin : text.npos;
}

// Reads a call in Python, whose name begins at `begin`.
std::optional<ParsedCall> call_in_python(std::string_view text, std::size_t begin) {
  PythonExtent extent;
  std::size_t end = begin;
  while (end < text.size()) {
    const JsonExtent::State state = extent.take(text[end++]);
    if (state == JsonExtent::State::kBroken) return std::nullopt;
    if (state == JsonExtent::State::kClosed) break;
  }
  auto read = read_python_call(text.substr(begin, end - begin));
  auto* const call = std::get_if<WrittenCall>(&read);
  if (call == nullptr) return std::nullopt;
  return ParsedCall{{begin, end}, "", call->tool, std::move(call->args)};
}

// Reads a call that is an object, or an object after a name. `at` is at its '{'.
std::optional<ParsedCall> call_in_object(std::string_view text, std::size_t at,
                                         const KnownTools& tools) {
  std::optional<LooseObject> object = LooseReader(text).read(at);
  if (!object) return std::nullopt;
  std::optional<ParsedCall> call = call_in(object->value, tools);
  if (!call) {
    const std::string_view name = name_before(text.substr(0, at), tools);
    if (name.empty()) return std::nullopt;
    call = ParsedCall{{}, "", std::string(name), std::move(object->value)};
  }
  call->where = {at, object->end};
  return call;
}

}  // namespace

std::vector<CallPart> calls_in_text(const std::string& text, std::span<const CallBranch> known) {
  return best_in(text, known).parts;
}

std::vector<CallPart> valid_calls_in_text(const std::string& text,
                                          std::span<const CallBranch> known) {
  Findings found = best_in(text, known);
  return found.valid == found.parts.size() ? std::move(found.parts) : std::vector<CallPart>();
}

std::vector<CallPart> calls_in_content(const ChatMessage& message,
                                       std::span<const CallBranch> known) {
  std::vector<CallPart> parts = calls_in_text(text_of(message), known);
  return parts.empty() ? valid_calls_in_text(thinking_of(message), known) : parts;
}

std::vector<CallPart> loose_calls(std::string_view text, std::span<const CallBranch> known) {
  constexpr std::string_view kBegins = "{(<";
  const KnownTools tools(known);
  std::vector<CallPart> calls;
  int failures = 0;
  std::size_t at = known.empty() ? text.npos : text.find_first_of(kBegins);
  while (at != text.npos && calls.size() < CallLimits{}.max_calls && failures < kMaxFailures) {
    std::optional<ParsedCall> call;
    bool is_candidate = text[at] == '{';
    if (is_candidate) {
      call = call_in_object(text, at, tools);
    } else if (text[at] == '<') {
      const std::optional<NamedTag> tag = tag_at(text, at);
      const bool is_function = tag && tools.contains(tag->name);
      is_candidate = is_function || (tag && tag->kind.ends_with(kKeyTag));
      if (is_function) call = call_in_tags(text, at, *tag, tools);
      if (is_candidate && !is_function) call = call_in_pairs(text, at, tools);
    } else if (const std::size_t name = python_name(text, at, tools); name != text.npos) {
      is_candidate = true;
      call = call_in_python(text, name);
    }
    if (is_candidate && !call) ++failures;
    at = text.find_first_of(kBegins, call ? call->where.end : at + 1);
    if (call) calls.emplace_back(*std::move(call));
  }
  return calls;
}

void repair_arguments(std::span<RequestedCall> calls) {
  for (RequestedCall& call : calls) {
    const std::string_view text = trim(call.arguments);
    if (!text.starts_with('{') || !only_object_in(text).empty()) continue;
    const std::optional<LooseObject> object = LooseReader(text).read(0);
    if (object && object->end == text.size()) call.arguments = to_line(object->value);
  }
}

}  // namespace pedro
