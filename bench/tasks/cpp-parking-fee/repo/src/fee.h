// The fee of a car park.
#pragma once

#include <string>

struct Tariff {
  int free_minutes = 15;  // a stay up to this length costs nothing
  int hour_cents = 250;   // for each started hour
  int day_max = 1500;     // the most that a period of 24 hours costs
};

/// The fee for a stay in cents. The stay is divided into periods of 24 hours from the
/// arrival; the last one may be shorter. Each period costs `hour_cents` for each started
/// hour, but never more than `day_max`. The fee is the sum over the periods.
int parking_fee(const Tariff& tariff, int minutes);

/// An amount as "12.50".
std::string format_cents(int cents);
