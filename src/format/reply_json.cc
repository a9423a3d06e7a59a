#include "format/reply_json.h"

#include <charconv>

namespace pedro {

bool ReplyJson::skip_null() {
  if (json_.kind() != JsonCursor::Kind::kNull) return false;
  json_.skip();
  return true;
}

std::string ReplyJson::text() {
  if (skip_null()) return "";
  return std::string(json_.text().value_or(""));
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

double ReplyJson::real() {
  if (skip_null()) return 0;
  if (json_.kind() != JsonCursor::Kind::kNumber) {
    fail_expecting("a number");
    return 0;
  }
  const auto written = json_.skip();
  if (!written) return 0;
  double number = 0;
  std::from_chars(written->text.data(), written->text.data() + written->text.size(), number);
  return number;
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
