#include "fee.h"

#include <algorithm>

namespace {

int started_hours(int minutes) {
  return (minutes + 59) / 60;
}

}  // namespace

int parking_fee(const Tariff& tariff, int minutes) {
  if (minutes <= tariff.free_minutes) return 0;
  constexpr int kPeriod = 24 * 60;
  int fee = 0;
  for (int rest = minutes; rest > 0; rest -= kPeriod) {
    const int hours = started_hours(std::min(rest, kPeriod));
    fee += std::min(hours * tariff.hour_cents, tariff.day_max);
  }
  return fee;
}

std::string format_cents(int cents) {
  const std::string rest = std::to_string(cents % 100);
  return std::to_string(cents / 100) + (rest.size() < 2 ? ".0" : ".") + rest;
}
