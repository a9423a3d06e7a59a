#pragma once

#include <string_view>

namespace pedro {

/// Returns true for a program whose `main` or other functions compare the results of calls: a test
/// without a runner. Its file may have any name, and may contain the tested functions too. Finds
/// those in C, C++, Java, Go and Rust.
///
///     is_test_program("t.c", "int main(void) { ...  assert(sum(a, 2) == 3); ... }")
bool is_test_program(std::string_view path, std::string_view text);

/// Returns true if a changed test program still has the same tests: `main`, each function with
/// assertions, and all lines outside of functions. Adding system headers and prototypes is no
/// change. O(bytes).
bool keeps_test_program(std::string_view path, std::string_view before, std::string_view now);

}  // namespace pedro
