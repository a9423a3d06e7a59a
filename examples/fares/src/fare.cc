#include "fare.h"

#include <algorithm>

namespace {

const int kPrices[] = {280, 350, 470, 620};
const int kZones = 4;

bool is_reduced(int age) {
  return age < 15 || age >= 65;
}

}  // namespace

int fare_cents(int zones, int age, bool off_peak) {
  int cents = kPrices[std::clamp(zones, 1, kZones) - 1];
  if (age <= 6) return 0;
  if (is_reduced(age)) cents /= 2;
  if (off_peak) cents -= cents / 5;
  return cents;
}
