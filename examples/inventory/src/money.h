#pragma once

#include <string>

// "12.5" -> 1250; -1 if the text is not an amount of money.
long parse_cents(const std::string& text);

// 1250 -> "12.50"
std::string format_cents(long cents);
