#include "base/clock.h"

#include <fmt/format.h>

namespace pedro {
namespace {

constexpr std::string_view kShape = "0000-00-00T00:00:00.000Z";

bool has_shape(std::string_view text) {
  if (text.size() != kShape.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool digit = text[i] >= '0' && text[i] <= '9';
    if (kShape[i] == '0' ? !digit : text[i] != kShape[i]) return false;
  }
  return true;
}

int digits(std::string_view text, std::size_t at, std::size_t count) {
  int number = 0;
  for (const char c : text.substr(at, count)) number = number * 10 + (c - '0');
  return number;
}

}  // namespace

std::string to_rfc3339(long long ms) {
  using std::chrono::floor, std::chrono::days, std::chrono::milliseconds;
  const std::chrono::sys_time<milliseconds> time{milliseconds{ms}};
  const auto day = floor<days>(time);
  const std::chrono::year_month_day date{day};
  const std::chrono::hh_mm_ss clock{time - day};
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count(),
                     clock.subseconds().count());
}

std::optional<long long> from_rfc3339(std::string_view text) {
  if (!has_shape(text)) return std::nullopt;
  const std::chrono::year_month_day date{
      std::chrono::year{digits(text, 0, 4)},
      std::chrono::month{static_cast<unsigned>(digits(text, 5, 2))},
      std::chrono::day{static_cast<unsigned>(digits(text, 8, 2))}};
  const int hour = digits(text, 11, 2);
  const int minute = digits(text, 14, 2);
  const int second = digits(text, 17, 2);
  if (!date.ok() || hour > 23 || minute > 59 || second > 59) return std::nullopt;
  const long long days = std::chrono::sys_days{date}.time_since_epoch().count();
  return (((days * 24 + hour) * 60 + minute) * 60 + second) * 1000 + digits(text, 20, 3);
}

}  // namespace pedro
