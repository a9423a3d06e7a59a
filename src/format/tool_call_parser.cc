#include "format/tool_call_parser.h"

#include <fmt/format.h>

#include <optional>

#include "base/text.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxCalls = 32;
constexpr std::size_t kMaxTextBytes = 1u << 20;

const Json* first_member(const Json& object, std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys) {
    const auto found = object.find(std::string(key));
    if (found != object.end()) return &*found;
  }
  return nullptr;
}

// The arguments of a call: an object, or a string that holds one (as OpenAI's API writes them).
std::optional<Json> to_args(const Json& value) {
  if (value.is_object()) return value;
  if (!value.is_string()) return std::nullopt;
  Result<Json> inner = parse_json(value.get_ref<const std::string&>());
  if (!inner || !inner->is_object()) return std::nullopt;
  return std::move(*inner);
}

std::optional<WrittenCall> to_call(const Json& value) {
  if (!value.is_object()) return std::nullopt;
  const Json* name = first_member(value, {"tool", "name"});
  if (name == nullptr || !name->is_string()) return std::nullopt;
  const Json* args = first_member(value, {"args", "arguments", "parameters"});
  if (args == nullptr) {
    if (!value.contains("tool")) return std::nullopt;
    return WrittenCall{name->get<std::string>(), Json::object()};
  }
  std::optional<Json> object = to_args(*args);
  if (!object) return std::nullopt;
  return WrittenCall{name->get<std::string>(), std::move(*object)};
}

void add_calls(const Json& value, std::vector<WrittenCall>& calls) {
  if (value.is_array()) {
    for (const Json& item : value) {
      if (calls.size() > kMaxCalls) return;
      if (auto call = to_call(item)) calls.push_back(std::move(*call));
    }
  } else if (auto call = to_call(value); call && calls.size() <= kMaxCalls) {
    calls.push_back(std::move(*call));
  }
}

void add_calls_of(std::string_view text, std::vector<WrittenCall>& calls) {
  if (const Result<Json> value = parse_json(trim(text))) add_calls(*value, calls);
}

// The length of the JSON object or array that `text` begins with, by counting brackets outside of
// strings; 0 where it does not close.
std::size_t balanced_length(std::string_view text) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') {
        ++i;
      } else if (c == '"') {
        in_string = false;
      }
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if ((c == '}' || c == ']') && --depth == 0) {
      return i + 1;
    }
  }
  return 0;
}

void from_code_blocks(std::string_view text, std::vector<WrittenCall>& calls) {
  constexpr std::string_view kFence = "```";
  for (;;) {
    const std::size_t open = text.find(kFence);
    if (open == std::string_view::npos) return;
    text.remove_prefix(open + kFence.size());
    const std::size_t close = text.find(kFence);
    if (close == std::string_view::npos) return;
    std::string_view block = text.substr(0, close);
    const std::size_t begin = block.find_first_of("{[\n");  // after the language name
    if (begin != std::string_view::npos) add_calls_of(block.substr(begin), calls);
    text.remove_prefix(close + kFence.size());
  }
}

// An object that does not close is looked into no further than its own bracket, so the whole scan
// stays linear in practice; `kMaxTries` bounds it in the worst case.
void from_anywhere(std::string_view text, std::vector<WrittenCall>& calls) {
  constexpr int kMaxTries = 256;
  for (int tries = 0; tries < kMaxTries; ++tries) {
    const std::size_t open = text.find('{');
    if (open == std::string_view::npos) return;
    text.remove_prefix(open);
    const std::size_t length = balanced_length(text);
    const std::size_t before = calls.size();
    if (length > 0) add_calls_of(text.substr(0, length), calls);
    text.remove_prefix(calls.size() > before ? length : 1);
  }
}

std::string describe_problem(std::string_view text) {
  const std::size_t open = text.find('{');
  if (open == std::string_view::npos) return "";
  const std::string_view object = text.substr(open);
  const std::size_t length = balanced_length(object);
  if (length == 0) return "the JSON object is not closed";
  const Result<Json> value = parse_json(object.substr(0, length));
  if (!value) return "not valid JSON: " + value.error().message;
  return "the JSON object is not a call: expected \"tool\" and \"args\"";
}

}  // namespace

ParsedReply parse_tool_calls(std::string_view text) {
  ParsedReply reply;
  if (text.size() > kMaxTextBytes) {
    reply.problem = fmt::format("a reply of {} bytes is too long to be a call", text.size());
    return reply;
  }
  add_calls_of(text, reply.calls);
  if (reply.calls.empty()) from_code_blocks(text, reply.calls);
  if (reply.calls.empty()) from_anywhere(text, reply.calls);
  if (reply.calls.empty()) reply.problem = describe_problem(text);
  if (reply.calls.size() > kMaxCalls) {
    reply.calls.clear();  // some of them would be worse than none
    reply.problem = fmt::format("it has more than {} calls", kMaxCalls);
  }
  return reply;
}

}  // namespace pedro
