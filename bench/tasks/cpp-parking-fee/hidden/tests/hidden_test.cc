#include "check.h"
#include "fee.h"

int main() {
  const Tariff tariff;
  const int day = 24 * 60;
  CHECK_EQ(0, parking_fee(tariff, 0));
  CHECK_EQ(0, parking_fee(tariff, 15));
  CHECK_EQ(250, parking_fee(tariff, 60));
  CHECK_EQ(1250, parking_fee(tariff, 5 * 60));
  CHECK_EQ(1500, parking_fee(tariff, 6 * 60));
  CHECK_EQ(1500, parking_fee(tariff, 6 * 60 + 1));
  CHECK_EQ(1500, parking_fee(tariff, day));
  CHECK_EQ(1750, parking_fee(tariff, day + 1));
  CHECK_EQ(1750, parking_fee(tariff, day + 60));
  CHECK_EQ(2000, parking_fee(tariff, day + 61));
  CHECK_EQ(3000, parking_fee(tariff, day + 12 * 60));
  CHECK_EQ(3000, parking_fee(tariff, 2 * day));
  CHECK_EQ(10750, parking_fee(tariff, 7 * day + 30));

  Tariff station;
  station.free_minutes = 30;
  station.hour_cents = 100;
  station.day_max = 450;
  CHECK_EQ(0, parking_fee(station, 30));
  CHECK_EQ(400, parking_fee(station, 4 * 60));
  CHECK_EQ(450, parking_fee(station, 4 * 60 + 1));
  CHECK_EQ(550, parking_fee(station, day + 20));
  CHECK_EQ("4.05", format_cents(405));
  return check_result();
}
