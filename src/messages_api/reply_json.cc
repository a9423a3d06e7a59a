#include "messages_api/reply_json.h"

#include <algorithm>
#include <charconv>

#include "base/text.h"
#include "call_parser/json_extent.h"
#include "messages_api/reply_readers.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxDepth = 128;
constexpr std::size_t kEscapeBytes = 6;  // of an escape of a code unit

// Returns the code unit of an escape at `at`, or 0.
unsigned unit_at(std::string_view json, std::size_t at) {
  if (json.size() < at + kEscapeBytes || json[at] != '\\' || json[at + 1] != 'u') return 0;
  unsigned unit = 0;
  const char* begin = json.data() + at + 2;
  const char* end = json.data() + at + kEscapeBytes;
  return std::from_chars(begin, end, unit, 16).ptr == end ? unit : 0;
}

bool is_high(unsigned unit) {
  return unit >= 0xD800 && unit <= 0xDBFF;
}

bool is_low(unsigned unit) {
  return unit >= 0xDC00 && unit <= 0xDFFF;
}

// Returns the size of the JSON or "[DONE]" at the start of `text`; 0 if there is none.
std::size_t size_of_first(std::string_view text) {
  JsonExtent extent({.max_depth = kMaxDepth, .max_members = text.size()});
  JsonExtent::State state = JsonExtent::State::kOpen;
  std::size_t at = 0;
  while (at < text.size() && state == JsonExtent::State::kOpen) state = extent.take(text[at++]);
  if (state == JsonExtent::State::kClosed) return at;
  const std::size_t line = std::min(text.find('\n'), text.size());
  return ends_openai_stream(text.substr(0, line)) ? line : 0;
}

}  // namespace

bool holds_json(std::string_view event) {
  const std::string_view text = trim(event);
  return text.starts_with('{') || text.starts_with('[');
}

bool is_empty_object(std::string_view json) {
  const std::string_view text = trim(json);
  const bool is_object = text.size() >= 2 && text.starts_with('{') && text.ends_with('}');
  return text.empty() || (is_object && trim(text.substr(1, text.size() - 2)).empty());
}

std::vector<std::string_view> events_in(std::string_view event) {
  const bool may_be_several = event.find('\n') != event.npos || event.find("}{") != event.npos ||
                              event.find("} {") != event.npos;
  if (!may_be_several) return {event};
  std::vector<std::string_view> found;
  for (std::string_view rest = trim(event); !rest.empty(); rest = trim(rest)) {
    const std::size_t bytes = size_of_first(rest);
    if (bytes == 0) return {event};
    found.push_back(rest.substr(0, bytes));
    rest.remove_prefix(bytes);
  }
  return found;
}

std::string with_paired_surrogates(std::string_view json) {
  const bool has_any = json.find("\\ud") != json.npos || json.find("\\uD") != json.npos;
  if (!has_any) return std::string(json);
  std::string out;
  out.reserve(json.size());
  for (std::size_t at = 0; at < json.size();) {
    const unsigned unit = unit_at(json, at);
    const bool is_pair = is_high(unit) && is_low(unit_at(json, at + kEscapeBytes));
    std::size_t bytes = json[at] == '\\' ? 2 : 1;
    if (is_pair) bytes = 2 * kEscapeBytes;
    if (!is_pair && (is_high(unit) || is_low(unit))) {
      out += "\\ufffd";
      at += kEscapeBytes;
      continue;
    }
    out += json.substr(at, bytes);
    at += bytes;
  }
  return out;
}

bool ReplyJson::skip_null() {
  if (json_.kind() != JsonCursor::Kind::kNull) return false;
  json_.skip();
  return true;
}

std::string ReplyJson::text() {
  if (skip_null()) return "";
  return std::string(json_.text().value_or(""));
}

std::string ReplyJson::loose_text() {
  std::string all;
  if (json_.kind() == JsonCursor::Kind::kText) {
    all = text();
  } else if (json_.kind() == JsonCursor::Kind::kArray) {
    elements([&](std::size_t) { all += loose_text(); });
  } else {
    std::string type = "text";
    loose_members([&](std::string_view name) {
      if (name == "type") {
        type = loose_text();
      } else if (name == "text") {
        all = loose_text();
      } else {
        return false;
      }
      return true;
    });
    if (type != "text") all.clear();
  }
  return all;
}

std::int64_t ReplyJson::count() {
  constexpr std::int64_t kMax = std::int64_t{1} << 53U;
  if (skip_null()) return 0;
  const auto number = json_.integer();
  if (!number) return 0;
  if (*number < 0 || *number > kMax) {
    fail("expected a whole number from 0 to 2^53");
    return 0;
  }
  return *number;
}

std::optional<std::int64_t> ReplyJson::loose_count() {
  constexpr double kMax = 9007199254740992.0;  // 2^53
  const bool is_text = json_.kind() == JsonCursor::Kind::kText;
  const bool is_number = json_.kind() == JsonCursor::Kind::kNumber;
  const std::string written = is_text ? text() : raw();
  const auto number = is_text || is_number ? number_from<double>(written) : std::nullopt;
  if (!number || !(*number >= 0 && *number <= kMax)) return std::nullopt;
  return static_cast<std::int64_t>(*number);
}

double ReplyJson::loose_real() {
  return number_from<double>(raw()).value_or(0);
}

std::string ReplyJson::raw() {
  if (skip_null()) return "";
  const auto written = json_.skip();
  return std::string(written ? written->text : "");
}

Status ReplyJson::finish() {
  const Status end = json_.finish();
  if (end) return {};
  const std::string place = place_.empty() ? "" : place_ + ": ";
  return Error{ErrorKind::kModel, place + end.error().message};
}

}  // namespace pedro
