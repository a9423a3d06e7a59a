#pragma once

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace pedro {

/// What a fuzzer takes for a crash: says `what` is wrong, and of which text.
inline void require(bool condition, const char* what, std::string_view text) {
  if (condition) return;
  std::fprintf(stderr, "%s:\n%.*s\n", what, static_cast<int>(text.size()), text.data());
  std::abort();
}

}  // namespace pedro
