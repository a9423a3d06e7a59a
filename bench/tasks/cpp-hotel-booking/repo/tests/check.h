// Checks for the test programs: a failed check prints its line and is counted.
#pragma once

#include <iostream>

inline int check_failures = 0;

template <typename Want, typename Got>
void check_equal(const char* file, int line, const char* call, const Want& want, const Got& got) {
  if (want == got) return;
  std::cout << std::boolalpha << file << ':' << line << ": " << call << ": expected " << want
            << ", got " << got << '\n';
  ++check_failures;
}

#define CHECK_EQ(want, call) check_equal(__FILE__, __LINE__, #call, want, call)

/// The exit code of a test program: 1 after a failed check.
inline int check_result() {
  if (check_failures == 0) std::cout << "all checks passed\n";
  return check_failures == 0 ? 0 : 1;
}
