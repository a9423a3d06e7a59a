#pragma once

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace pedro {

/// Reports a failed condition to the fuzzer as a crash. Prints `what` and the failing text.
inline void require(bool condition, const char* what, std::string_view text) {
  if (condition) return;
  std::fprintf(stderr, "%s:\n%.*s\n", what, static_cast<int>(text.size()), text.data());
  std::abort();
}

}  // namespace pedro
