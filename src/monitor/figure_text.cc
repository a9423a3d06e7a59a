#include "monitor/figure_text.h"

#include <fmt/format.h>

#include <cmath>

#include "base/text.h"

namespace pedro {
namespace {

constexpr double kSecond = 1000;
constexpr long long kTenthsOfMinute = 600;
constexpr long long kSecondsOfHour = 3600;

}  // namespace

std::string count_text(long long count) {
  std::string digits = std::to_string(count);
  const std::size_t sign = count < 0 ? 1 : 0;
  for (std::size_t at = digits.size(); at > sign + 3;) digits.insert(at -= 3, ",");
  return digits;
}

std::string about_text(long long count, bool estimated) {
  return (estimated ? kAbout : "") + count_text(count);
}

std::string duration_text(double ms) {
  // Rounds before it chooses the unit, so that no unit shows its own limit ("60.0 s").
  if (std::llround(ms) < 1000) return fmt::format("{} ms", std::llround(ms));
  const long long tenths = std::llround(10 * ms / kSecond);
  if (tenths < kTenthsOfMinute) return fmt::format("{}.{} s", tenths / 10, tenths % 10);
  const long long seconds = std::llround(ms / kSecond);
  if (seconds < kSecondsOfHour) return fmt::format("{} min {} s", seconds / 60, seconds % 60);
  const long long minutes = std::llround(ms / kSecond / 60);
  return fmt::format("{} h {} min", minutes / 60, minutes % 60);
}

std::string share_text(long long part, long long whole) {
  if (whole <= 0) return "-";
  return fmt::format("{:.0f} %", 100 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string cost_text(const Cost& cost) {
  if (cost.dollars == 0) return "-";
  const int digits = std::llround(10'000 * cost.dollars) < 10'000 ? 4 : 2;
  const char* about = cost.at_most && cost.at_least ? kAbout
                      : cost.at_most                ? "≤ "
                      : cost.at_least               ? "≥ "
                                                    : "";
  return fmt::format("{}${:.{}f}{}", about, cost.dollars, digits, cost.unpriced > 0 ? " + ?" : "");
}

}  // namespace pedro
