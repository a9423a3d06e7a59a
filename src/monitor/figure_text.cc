#include "monitor/figure_text.h"

#include <fmt/format.h>

#include "base/text.h"

namespace pedro {
namespace {

constexpr double kSecond = 1000;
constexpr double kMinute = 60 * kSecond;
constexpr double kHour = 60 * kMinute;

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
  if (ms < kSecond) return fmt::format("{:.0f} ms", ms);
  if (ms < kMinute) return fmt::format("{:.1f} s", ms / kSecond);
  const auto seconds = static_cast<long long>(ms / kSecond);
  if (ms < kHour) return fmt::format("{} min {} s", seconds / 60, seconds % 60);
  return fmt::format("{} h {} min", seconds / 3600, seconds / 60 % 60);
}

std::string share_text(long long part, long long whole) {
  if (whole <= 0) return "-";
  return fmt::format("{:.0f} %", 100 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string cost_text(const Cost& cost) {
  if (cost.dollars == 0) return "-";
  const int digits = cost.dollars < 1 ? 4 : 2;
  const char* about = cost.at_most && cost.at_least ? kAbout
                      : cost.at_most                ? "≤ "
                      : cost.at_least               ? "≥ "
                                                    : "";
  return fmt::format("{}${:.{}f}{}", about, cost.dollars, digits, cost.unpriced > 0 ? " + ?" : "");
}

}  // namespace pedro
