#include "chat_format/written_date.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>

namespace pedro {
namespace {

constexpr std::string_view kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                        "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

// Returns true if `text` begins with `form`: '0' is a digit, 'a' a letter, all else literal.
bool has_form(std::string_view text, std::string_view form) {
  if (text.size() < form.size()) return false;
  return std::equal(form.begin(), form.end(), text.begin(), [](char wanted, char c) {
    if (wanted == '0') return c >= '0' && c <= '9';
    if (wanted == 'a') return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return wanted == c;
  });
}

std::string iso_of_day(std::string_view day) {
  const auto* month = std::find(std::begin(kMonths), std::end(kMonths), day.substr(3, 3));
  if (month == std::end(kMonths)) return "";
  return fmt::format("{}-{:02}-{}", day.substr(7, 4), month - std::begin(kMonths) + 1,
                     day.substr(0, 2));
}

}  // namespace

std::string day_of(std::string_view date) {
  unsigned month = 0;
  if (date.size() != 10 || date[4] != '-' || date[7] != '-') return std::string(date);
  std::from_chars(date.data() + 5, date.data() + 7, month);
  if (month < 1 || month > std::size(kMonths)) return std::string(date);
  return fmt::format("{} {} {}", date.substr(8), kMonths[month - 1], date.substr(0, 4));
}

WrittenDate find_date(std::string_view text) {
  WrittenDate found;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::string_view rest = text.substr(at);
    if (has_form(rest, "0000-00-00")) {
      found = {at, at + 10, std::string(rest.substr(0, 10)), false};
    } else if (has_form(rest, "00 aaa 0000") && !iso_of_day(rest).empty()) {
      found = {at, at + 11, iso_of_day(rest), true};
    }
  }
  return found;
}

}  // namespace pedro
