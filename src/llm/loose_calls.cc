#include "llm/loose_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/text.h"
#include "call_parser/call_collector.h"
#include "call_parser/known_tools.h"
#include "json_schema/call_names.h"
#include "json_schema/repair_value.h"
#include "llm/loose_object.h"

namespace pedro {
namespace {

// The texts behind candidates that are no calls; at most 64 of them.
constexpr std::size_t kMaxFailed = 4U << 20U;
constexpr std::size_t kMaxCallGapBytes = 80;  // between a name and its arguments

constexpr std::string_view kKeyTag = "arg_key";  // also with a prefix

// Keys of members and tags, without '_'. The names are in order of preference.
constexpr std::string_view kNameKeys[] = {"name",     "tool",         "function",
                                          "toolname", "functionname", "recipientname"};
constexpr std::string_view kArgsKeys[] = {"arguments",   "parameters",    "args",
                                          "input",       "params",        "toolinput",
                                          "actioninput", "toolarguments", "functionarguments",
                                          "functionargs"};

// Words between a name and its arguments. Those of a sentence need a line end before the arguments.
constexpr std::string_view kBetween[] = {"action", "json"};
constexpr std::string_view kInSentence[] = {"with", "these",     "the", "this",
                                            "like", "following", "as",  "follows"};

template <typename Keys>
bool is_in(std::string_view key, const Keys& keys) {
  return std::find(std::begin(keys), std::end(keys), key) != std::end(keys);
}

// Returns the start of the name that ends at `end`. It may have bytes of `more`.
std::size_t name_start(std::string_view text, std::size_t end, std::string_view more) {
  while (end > 0 && (is_word_byte(text[end - 1]) || more.find(text[end - 1]) != more.npos)) --end;
  return end;
}

// Removes a separator or a word from the end of the text before the arguments.
bool remove_separator(std::string_view& text, bool is_sentence) {
  const std::size_t size = text.size();
  text = text.substr(0, text.find_last_not_of(" \t\r\n:=-(`<>/[]\"'*") + 1);
  const std::size_t word = name_start(text, text.size(), "");
  const std::string key = name_key(text.substr(word));
  const bool is_tag = word > 0 && text[word - 1] == '/';
  const bool is_between = is_in(key, kArgsKeys) || is_in(key, kBetween) ||
                          (is_sentence && is_in(key, kInSentence)) ||
                          ((is_sentence || is_tag) && is_in(key, kNameKeys));
  if (is_between) text = text.substr(0, word);
  for (const auto& [begin, end] :
       {std::pair<std::string_view, std::string_view>{"<|", "|>"}, {"<\uff5c", "\uff5c>"}}) {
    const std::size_t at = text.ends_with(end) ? text.rfind(begin) : std::string_view::npos;
    if (at != std::string_view::npos) text = text.substr(0, at);
  }
  return text.size() < size;
}

// Returns true if the text is the name, without more around it.
bool is_all_of(const CallName& name, std::string_view text) {
  const std::string key = name_key(text);
  return key == name_key(name.tool + name.action) || key == name_key(name.action) ||
         key == name_key(name.action + name.tool);
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
  std::string_view inside = text.substr(at, kMaxCallGapBytes + 1);
  const std::size_t close = inside.find('>');
  if (close == inside.npos || inside.front() != '<') return std::nullopt;
  inside = inside.substr(1, close - 1);
  const std::size_t kind_end = std::min(inside.find_first_of("= "), inside.size());
  NamedTag tag{.kind = inside.substr(0, kind_end), .end = at + close + 1};
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

// The names of calls, and the schemas of their arguments.
struct LooseTools {
  explicit LooseTools(std::span<const CallBranch> branches)
      : known(branches), schemas(branches), names(schemas.names()) {}

  // Finds a name. An action alone needs arguments.
  std::optional<CallName> find(std::string_view name, bool has_arguments) const {
    return has_arguments ? names.find(name) : names.find_tool(name);
  }

  std::span<const CallBranch> known;
  KnownTools schemas;
  CallNames names;
};

class LooseFinder {
 public:
  LooseFinder(std::string_view text, const LooseTools& tools) : text_(text), tools_(tools) {}

  std::vector<CallPart> calls();

 private:
  std::optional<ParsedCall> call_at(std::size_t at);
  std::optional<ParsedCall> call_in_object(std::size_t at);
  std::optional<ParsedCall> call_in_python(std::size_t at);
  std::optional<ParsedCall> call_in_line(std::size_t at);
  std::optional<ParsedCall> call_in_tag(std::size_t at);
  std::optional<ParsedCall> call_with_tags(std::size_t begin, std::size_t end, CallName name,
                                           std::vector<WrittenArgument> written) const;
  std::optional<ParsedCall> call_in_pairs(std::size_t begin) const;
  std::optional<ParsedCall> named_call(const Json& object) const;
  std::optional<ParsedCall> action_call(const Json& object) const;
  std::optional<Json> arguments_of(const CallName& name, const Json& object,
                                   const std::string& key_of_name) const;
  std::optional<CallName> name_before(std::size_t end, bool has_arguments) const;
  Json unwrapped(CallName& name, const Json& args) const;
  bool declares_all(const std::string& tool, const Json& args) const;
  bool is_meant_as_call(std::string_view json) const;
  bool is_quoted(std::size_t at);
  std::optional<CallName> attributes_at(std::size_t at, std::vector<WrittenArgument>& written);
  bool opens_arguments(const NamedTag& tag, CallName& name) const;
  std::string missing_in(const CallName& name, const Json& args) const;
  std::string text_in_tags(std::size_t begin, std::size_t end) const;

  std::string_view text_;
  const LooseTools& tools_;
  std::vector<ByteRange> strings_;  // of the last object that is no call
  std::size_t string_ = 0;          // the first of them that may be ahead
  std::size_t tag_end_ = 0;         // of the last attributes_at()
  bool is_candidate_ = false;
  bool is_over_ = false;  // the rest may be the content of a broken call
};

// Returns the name of a known tool or action that ends the text before the arguments.
std::optional<CallName> LooseFinder::name_before(std::size_t end, bool has_arguments) const {
  std::string_view text = text_.substr(0, end);
  const std::string_view line = text.substr(0, text.find_last_not_of(" \t") + 1);
  const bool is_sentence = line.ends_with('\n');
  if (text.size() > kMaxCallGapBytes) text.remove_prefix(text.size() - kMaxCallGapBytes);
  do {
    const std::string_view word = text.substr(name_start(text, text.size(), "-.:/"));
    if (auto name = tools_.find(word, has_arguments)) return name;
    const std::string_view before = trim(text.substr(0, text.size() - word.size()));
    const std::size_t two = name_start(before, before.size(), "-.:/");
    const auto name = tools_.names.find_tool(text.substr(two));
    if (name && !name->action.empty() && is_all_of(*name, text.substr(two))) return name;
  } while (remove_separator(text, is_sentence));
  return std::nullopt;
}

bool LooseFinder::declares_all(const std::string& tool, const Json& args) const {
  const auto& members = args.items();
  return std::all_of(members.begin(), members.end(),
                     [&](const auto& one) { return tools_.schemas.declares(tool, one.key()); });
}

// Returns arguments without an action's name around them: {"edit_lines": {…}}.
Json LooseFinder::unwrapped(CallName& name, const Json& args) const {
  const bool is_wrapped = name.action.empty() && args.size() == 1 && args.front().is_object();
  if (!is_wrapped || tools_.schemas.declares(name.tool, args.begin().key())) return args;
  const auto inner = tools_.names.find_tool(name.tool + " " + args.begin().key());
  if (!inner || inner->tool != name.tool || inner->action.empty()) return args;
  name = *inner;
  return args.front();
}

// Returns the arguments beside a name; the whole object if there is no other object.
std::optional<Json> LooseFinder::arguments_of(const CallName& name, const Json& object,
                                              const std::string& key_of_name) const {
  Json others = object;
  others.erase(key_of_name);
  std::vector<std::string> inner;
  for (const auto& [key, value] : others.items()) {
    if (tools_.schemas.declares(name.tool, key)) continue;
    if (is_in(name_key(key), kArgsKeys)) {
      inner = {key};
      break;
    }
    if (value.is_object()) inner.push_back(key);
  }
  if (inner.size() > 1) return std::nullopt;
  if (inner.empty()) {
    const bool is_known = is_in(name_key(key_of_name), kNameKeys) || others.contains("action");
    const bool has_action = !name.action.empty();
    const bool is_data = has_action && (others.empty() || !declares_all(name.tool, others));
    return is_known && !is_data ? std::optional(std::move(others)) : std::nullopt;
  }
  std::optional<Json> args = arguments_in(others[inner.front()]);
  const std::string action = text_of(others, "action");
  if (!args || !tools_.schemas.declares(name.tool, "action")) return args;
  return with_action({name.tool, action}, *args);
}

// Reads an object with the name of a tool, under a known key or only one other.
std::optional<ParsedCall> LooseFinder::named_call(const Json& object) const {
  std::string key;
  CallName name;
  std::size_t rank = std::size(kNameKeys) + 1;
  for (const auto& [member, value] : object.items()) {
    if (!value.is_string()) continue;
    const auto& text = value.get_ref<const std::string&>();
    const bool is_action = member == "action" && object.contains("action_input");
    const auto* known = std::find(std::begin(kNameKeys), std::end(kNameKeys), name_key(member));
    const bool is_key = is_action || known != std::end(kNameKeys);
    const auto found = is_key ? tools_.names.find(text) : tools_.names.find_tool(text);
    const bool has_more = text.find_first_of(" \n") != text.npos || !is_key;
    if (!found || (member == "action" && !is_action)) continue;
    if (has_more && !is_all_of(*found, text)) continue;
    const auto its_rank = static_cast<std::size_t>(known - std::begin(kNameKeys));
    if (!is_key && rank == std::size(kNameKeys)) return std::nullopt;
    if (its_rank >= rank) continue;
    rank = its_rank;
    key = member;
    name = *found;
  }
  if (key.empty()) return std::nullopt;
  std::optional<Json> args = arguments_of(name, object, key);
  if (!args) return std::nullopt;
  Json inner = unwrapped(name, *args);
  return ParsedCall{{}, "", name.tool, with_action(name, std::move(inner))};
}

// Reads the arguments of an action that only one tool has, without the tool's name.
std::optional<ParsedCall> LooseFinder::action_call(const Json& object) const {
  const std::string action = text_of(object, "action");
  const auto name = tools_.names.find(action);
  if (!name || name->action.empty() || !is_all_of(*name, action)) return std::nullopt;
  if (!declares_all(name->tool, object)) return std::nullopt;
  ParsedCall call{{}, "", name->tool, object};
  call.args["action"] = name->action;
  return call;
}

// Returns true if a broken object has the name of a tool, so that it may contain other calls.
bool LooseFinder::is_meant_as_call(std::string_view json) const {
  for (const std::string_view key : {"\"tool\":\"", "\"name\":\"", "\"function\":\""}) {
    const std::size_t at = json.find(key);
    if (at == json.npos) continue;
    const std::string_view name = json.substr(at + key.size(), kMaxCallGapBytes);
    if (tools_.names.find(name.substr(0, name.find('"')))) return true;
  }
  return false;
}

// Reads a call that is an object, or an object after a name.
std::optional<ParsedCall> LooseFinder::call_in_object(std::size_t at) {
  LooseObject object = read_loose_object(text_, at);
  if (object.value.is_null()) {
    is_over_ = is_meant_as_call(object.json);
    return std::nullopt;
  }
  std::optional<ParsedCall> call = named_call(object.value);
  if (!call) {
    if (auto name = name_before(at, !object.value.empty())) {
      Json args = unwrapped(*name, object.value);
      call = ParsedCall{{}, "", name->tool, with_action(*name, std::move(args))};
    }
  }
  if (!call) call = action_call(object.value);
  if (call) {
    call->where = {at, object.end};
  } else {
    strings_ = std::move(object.strings);
    string_ = 0;
  }
  return call;
}

// Reads a call of a function: file(path='a'). `at` is at its '('.
std::optional<ParsedCall> LooseFinder::call_in_python(std::size_t at) {
  const std::size_t begin = name_start(text_, at, ".");
  const auto name = tools_.names.find(text_.substr(begin, at - begin));
  if (!name || text_.substr(0, begin).ends_with("def ")) return std::nullopt;
  is_candidate_ = true;
  const LooseObject object = read_loose_object(text_, at);
  if (object.value.is_null() || text_[object.end - 1] != ')') return std::nullopt;
  if (!tools_.find(text_.substr(begin, at - begin), !object.value.empty())) return std::nullopt;
  return ParsedCall{{begin, object.end}, "", name->tool, with_action(*name, object.value)};
}

// Reads a call on a line: `file read path="a"`, `[file path="a"]` or `file --path a`. `at` is at
// the first '=' or "--".
std::optional<ParsedCall> LooseFinder::call_in_line(std::size_t at) {
  const bool is_flag = text_[at] == '-';
  if (is_flag && !text_.substr(at).starts_with("--")) return std::nullopt;
  const std::size_t key = is_flag ? at : name_start(text_, at, "");
  const std::size_t first = key < kMaxCallGapBytes ? 0 : key - kMaxCallGapBytes;
  std::string_view line = text_.substr(first, key - first);
  const std::size_t line_end = line.rfind('\n');
  if (line_end == line.npos && first > 0) return std::nullopt;
  line.remove_prefix(line_end + 1);
  line.remove_prefix(std::min(line.find_first_not_of(" \t[`$>"), line.size()));
  if (!line.ends_with(' ')) return std::nullopt;
  const auto name = tools_.names.find(line);
  if (!name || !is_all_of(*name, line)) return std::nullopt;
  is_candidate_ = true;
  const LooseObject object = read_loose_object(text_, key);
  if (object.value.is_null()) return std::nullopt;
  return ParsedCall{{key, object.end}, "", name->tool, with_action(*name, object.value)};
}

// Reads a call whose name is in a tag: <file>, <file path="a">, <function=file> or
// <name>file</name>.
std::optional<ParsedCall> LooseFinder::call_in_tag(std::size_t at) {
  std::vector<WrittenArgument> written;
  if (const auto name = attributes_at(at, written)) {
    return call_with_tags(at, tag_end_, *name, std::move(written));
  }
  const std::optional<NamedTag> tag = tag_at(text_, at);
  if (!tag || tag->kind.starts_with('/')) return std::nullopt;
  auto name = tools_.names.find(tag->name);
  std::size_t end = tag->end;
  if (!name && is_in(name_key(tag->kind), kNameKeys)) {
    const std::size_t close = std::min(text_.find('<', end), text_.size());
    name = tools_.names.find(text_.substr(end, std::min(close - end, kMaxCallGapBytes)));
    end = std::min(text_.find('>', close), text_.size());
    end += end < text_.size() ? 1 : 0;
  }
  is_candidate_ = is_candidate_ || name || tag->kind.ends_with(kKeyTag);
  if (!is_candidate_) return std::nullopt;
  return name ? call_with_tags(at, end, *name, {}) : call_in_pairs(at);
}

// Reads the attributes of a tag that is named after a tool or an action.
std::optional<CallName> LooseFinder::attributes_at(std::size_t at,
                                                   std::vector<WrittenArgument>& written) {
  std::size_t end = at + 1;
  while (end < text_.size() && (is_word_byte(text_[end]) || text_[end] == '-')) ++end;
  const auto name = tools_.names.find(text_.substr(at + 1, end - at - 1));
  const std::size_t first = text_.find_first_not_of(" \t", end);
  if (!name || first == end || first == text_.npos || !is_word_byte(text_[first])) {
    return std::nullopt;
  }
  is_candidate_ = true;
  const LooseObject object = read_loose_object(text_, first);
  tag_end_ = text_.find('>', object.end);
  if (object.value.is_null() || tag_end_ == text_.npos) return std::nullopt;
  ++tag_end_;
  for (const auto& [key, value] : object.value.items()) {
    const auto* text = value.get_ptr<const std::string*>();
    written.push_back({key, text == nullptr ? to_line(value) : *text});
  }
  return name;
}

// Reads the arguments of a call in tags of their own, which begin at `end`.
std::optional<ParsedCall> LooseFinder::call_with_tags(std::size_t begin, std::size_t end,
                                                      CallName name,
                                                      std::vector<WrittenArgument> written) const {
  const std::size_t attributes = written.size();
  for (bool is_first = true;; is_first = false) {
    const std::size_t at = text_.find_first_not_of(" \t\r\n", end);
    const auto tag = at == text_.npos ? std::nullopt : tag_at(text_, at);
    if (!tag) break;
    const bool is_declared =
        tag->name == tag->kind && tools_.schemas.declares(name.tool, tag->name);
    if (is_first && !is_declared && opens_arguments(*tag, name)) {
      end = tag->end;
      continue;
    }
    const bool is_named = tag->kind == "parameter" || tag->kind == "param" || tag->kind == "arg";
    if (!is_named && !is_declared) break;
    const std::string last = fmt::format("</{}{}>", tag->prefix, tag->kind);
    const std::size_t close = text_.find(last, tag->end);
    if (close == text_.npos) return std::nullopt;  // the value may be incomplete
    written.push_back({std::string(tag->name), text_in_tags(tag->end, close)});
    end = close + last.size();
  }
  if (written.empty()) return std::nullopt;
  const std::size_t given = written.size();
  if (!name.action.empty()) written.insert(written.begin(), {"action", name.action});
  Json args = tools_.schemas.typed(name.tool, written);
  const std::size_t close = text_.find("</", end);
  const bool can_have_body = attributes > 0 && attributes == given && text_[end - 2] != '/';
  const std::string body = can_have_body && close != text_.npos ? missing_in(name, args) : "";
  if (!body.empty()) args[body] = text_in_tags(end, close);
  return ParsedCall{{begin, end}, "", name.tool, std::move(args)};
}

// Returns the only parameter that a call lacks, else "".
std::string LooseFinder::missing_in(const CallName& name, const Json& args) const {
  for (const CallBranch& branch : tools_.known) {
    const bool is_action = branch.action.empty() || branch.action == text_of(args, "action");
    if (branch.tool != name.tool || !is_action) continue;
    const std::vector<Violation> found = find_violations(*branch.args, args);
    const bool is_one = found.size() == 1 && found[0].found == "nothing";
    if (is_one && found[0].pointer.size() > 1) return found[0].pointer.substr(1);
  }
  return "";
}

// Returns true for a tag around arguments: <arguments>, or <ACTION>, which completes the name.
bool LooseFinder::opens_arguments(const NamedTag& tag, CallName& name) const {
  if (tag.name != tag.kind) return false;
  if (is_in(name_key(tag.kind), kArgsKeys)) return true;
  const auto inner = tools_.names.find_tool(name.tool + " " + std::string(tag.kind));
  if (!inner || inner->tool != name.tool || inner->action.empty()) return false;
  name = *inner;
  return true;
}

// Returns a value without a line end at each end.
std::string LooseFinder::text_in_tags(std::size_t begin, std::size_t end) const {
  std::string_view value = text_.substr(begin, end - begin);
  if (value.starts_with('\n')) value.remove_prefix(1);
  if (value.ends_with('\n')) value.remove_suffix(1);
  return std::string(value);
}

// Reads a call of GLM's form: a name, then pairs <arg_key>path</arg_key><arg_value>a</arg_value>.
// The end of a key may be missing, and LongCat's tags have a prefix.
std::optional<ParsedCall> LooseFinder::call_in_pairs(std::size_t begin) const {
  constexpr std::string_view kValue = "arg_value>";
  std::vector<WrittenArgument> written;
  std::size_t end = begin;
  for (;;) {
    const std::size_t at = text_.find_first_not_of(" \t\r\n", end);
    const auto tag = at == text_.npos ? std::nullopt : tag_at(text_, at);
    if (!tag || tag->name != tag->kind || !tag->kind.ends_with(kKeyTag)) break;
    const std::string prefix(tag->kind.substr(0, tag->kind.size() - kKeyTag.size()));
    const std::string open = fmt::format("<{}{}", prefix, kValue);
    const std::string close = fmt::format("</{}{}", prefix, kValue);
    const std::size_t key_end = text_.find('<', tag->end);
    const std::size_t value = text_.find(open, tag->end);
    const std::size_t value_end = text_.find(close, value == text_.npos ? value : value + 1);
    if (value_end == text_.npos) return std::nullopt;  // the value may be incomplete
    const std::size_t value_begin = value + open.size();
    written.push_back({std::string(trim(text_.substr(tag->end, key_end - tag->end))),
                       std::string(text_.substr(value_begin, value_end - value_begin))});
    end = value_end + close.size();
  }
  const auto name = written.empty() ? std::nullopt : name_before(begin, true);
  if (!name) return std::nullopt;
  if (!name->action.empty()) written.insert(written.begin(), {"action", name->action});
  return ParsedCall{{begin, end}, "", name->tool, tools_.schemas.typed(name->tool, written)};
}

std::optional<ParsedCall> LooseFinder::call_at(std::size_t at) {
  const char c = text_[at];
  is_candidate_ = c == '{';
  if (c == '{') return call_in_object(at);
  if (c == '<') return call_in_tag(at);
  return c == '(' ? call_in_python(at) : call_in_line(at);
}

// Returns true within a string of an object that is no call.
bool LooseFinder::is_quoted(std::size_t at) {
  while (string_ < strings_.size() && strings_[string_].end <= at) ++string_;
  return string_ < strings_.size() && strings_[string_].begin <= at;
}

std::vector<CallPart> LooseFinder::calls() {
  constexpr std::string_view kBegins = "{(<=-";
  std::vector<CallPart> calls;
  std::size_t failed = 0;  // that were read at most
  std::size_t at = text_.find_first_of(kBegins);
  while (at != text_.npos && calls.size() < CallLimits{}.max_calls && failed < kMaxFailed) {
    is_candidate_ = false;
    std::optional<ParsedCall> call = is_quoted(at) ? std::nullopt : call_at(at);
    if (is_over_) break;
    if (is_candidate_ && !call) failed += std::max(text_.size() - at, kMaxFailed / 64);
    at = text_.find_first_of(kBegins, call ? call->where.end : at + 1);
    if (call) calls.emplace_back(*std::move(call));
  }
  return calls;
}

}  // namespace

std::vector<CallPart> loose_calls(std::string_view text, std::span<const CallBranch> known) {
  if (known.empty()) return {};
  const LooseTools tools(known);
  return LooseFinder(text, tools).calls();
}

}  // namespace pedro
