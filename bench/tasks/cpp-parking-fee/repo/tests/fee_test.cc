#include "fee.h"

#include "check.h"

int main() {
  const Tariff tariff;
  CHECK_EQ(0, parking_fee(tariff, 15));
  CHECK_EQ(250, parking_fee(tariff, 16));
  CHECK_EQ(500, parking_fee(tariff, 61));
  CHECK_EQ(1500, parking_fee(tariff, 10 * 60));
  CHECK_EQ(1500, parking_fee(tariff, 24 * 60));
  CHECK_EQ("17.50", format_cents(1750));
  return check_result();
}
