#include "money.h"

#include <cctype>

long parse_cents(const std::string& text) {
  long cents = 0;
  int decimals = -1;  // digits after the point; -1 before it
  for (unsigned char c : text) {
    if (c == '.' && decimals < 0) {
      decimals = 0;
    } else if (std::isdigit(c) && decimals < 2 && cents < 1'000'000'000) {
      cents = cents * 10 + (c - '0');
      if (decimals >= 0) ++decimals;
    } else {
      return -1;
    }
  }
  if (text.empty() || text == ".") return -1;
  for (int digits = decimals < 0 ? 0 : decimals; digits < 2; ++digits) cents *= 10;
  return cents;
}

std::string format_cents(long cents) {
  std::string fraction = std::to_string(cents % 100);
  if (fraction.size() < 2) fraction.insert(0, "0");
  return std::to_string(cents / 100) + "." + fraction;
}
