#include "fee.h"

#include <algorithm>

namespace {

int started_hours(int minutes) {
  return (minutes + 59) / 60;
}

}  // namespace

int parking_fee(const Tariff& tariff, int minutes) {
  if (minutes <= tariff.free_minutes) return 0;
  return std::min(started_hours(minutes) * tariff.hour_cents, tariff.day_max);
}

std::string format_cents(int cents) {
  const std::string rest = std::to_string(cents % 100);
  return std::to_string(cents / 100) + (rest.size() < 2 ? ".0" : ".") + rest;
}
