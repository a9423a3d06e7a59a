#pragma once

#include <string>
#include <string_view>

namespace pedro {

/// Returns true if each line of the tests inside a source file is still there. These are Rust's
/// `mod tests` and functions with `#[test]`, and examples of Python's doctest. True for other
/// files. The tests cannot be exchanged for those of the base without the source around them.
bool keeps_inline_tests(std::string_view path, std::string_view before, std::string_view now);

/// Returns true if a source file that is no test imports a test runner, and did not before. It
/// could replace parts of the runner.
bool newly_uses_runner(std::string_view path, std::string_view before, std::string_view now);

}  // namespace pedro
