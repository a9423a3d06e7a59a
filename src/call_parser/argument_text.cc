#include "call_parser/argument_text.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "base/text.h"
#include "call_parser/json_extent.h"

namespace pedro {
namespace {

constexpr int kMaxBeginnings = 64;
constexpr std::size_t kMaxObjects = 64;
constexpr std::string_view kFenceMark = "```";

// Removes the fence of a code block and its language.
std::string_view without_fence(std::string_view text) {
  text = trim(text);
  if (!text.starts_with(kFenceMark)) return text;
  text.remove_prefix(std::min(text.find('\n'), text.size()));
  if (text.ends_with(kFenceMark)) text.remove_suffix(kFenceMark.size());
  return trim(text);
}

// Removes an object or a list from the start of `text`. Returns nullopt if there is none.
std::optional<Json> take_value(std::string_view& text) {
  JsonExtent extent;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const JsonExtent::State state = extent.take(text[at]);
    if (state == JsonExtent::State::kOpen) continue;
    if (state == JsonExtent::State::kBroken) return std::nullopt;
    auto value = read_bounded_json(text.substr(0, at + 1));
    if (!std::holds_alternative<Json>(value)) return std::nullopt;
    text.remove_prefix(at + 1);
    return std::get<Json>(std::move(value));
  }
  return std::nullopt;
}

// Returns true for a text of closing tags, tokens and closing brackets.
bool is_tail(std::string_view text) {
  while (!(text = trim(text)).empty()) {
    if (text.front() == '}' || text.front() == ']' || text.front() == '`') {
      text.remove_prefix(1);
      continue;
    }
    const bool is_tag = text.starts_with("</") || text.starts_with("<|");
    const std::size_t end = text.find('>');
    if (!is_tag || end == text.npos) return false;
    text.remove_prefix(end + 1);
  }
  return true;
}

// Returns the object in a value, which may be the only element of a list.
std::optional<Json> object_in(Json value) {
  if (value.is_array() && value.size() == 1) value = Json(value[0]);
  return value.is_object() ? std::optional(std::move(value)) : std::nullopt;
}

// Reads objects one after the other. Returns the only one that is not empty, however often.
std::optional<Json> only_object(std::string_view text) {
  std::optional<Json> only;
  for (std::size_t count = 0; count < kMaxObjects; ++count) {
    text = trim(text);
    const bool begins = text.starts_with('{') || text.starts_with('[');
    if (!begins) return is_tail(text) ? only : std::nullopt;
    std::optional<Json> value = take_value(text);
    if (value) value = object_in(*std::move(value));
    if (!value) return std::nullopt;
    if (only && !only->empty() && !value->empty() && *only != *value) return std::nullopt;
    if (!only || only->empty()) only = std::move(value);
  }
  return std::nullopt;
}

// Removes beginnings of the object from before it. Returns "" if the text has none.
std::string_view without_beginning(std::string_view text) {
  std::size_t at = text.find('{', 1);
  for (int tries = 0; tries < kMaxBeginnings && at <= text.size() / 2; ++tries) {
    if (text.substr(at).starts_with(text.substr(0, at))) return text.substr(at);
    at = text.find('{', at + 1);
  }
  return "";
}

}  // namespace

std::string only_object_in(std::string_view arguments) {
  std::string_view text = without_fence(arguments);
  if (text.empty()) return "{}";
  for (int tries = 0; tries < kMaxBeginnings && text.starts_with('{'); ++tries) {
    if (const auto object = only_object(text)) return to_line(*object);
    text = without_beginning(text);
  }
  const auto listed = text.starts_with('[') ? only_object(text) : std::nullopt;
  return listed ? to_line(*listed) : "";
}

}  // namespace pedro
