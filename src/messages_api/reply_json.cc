#include "messages_api/reply_json.h"

#include <charconv>

#include "base/text.h"

namespace pedro {
namespace {

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

}  // namespace

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
