#pragma once

#include <set>
#include <string>
#include <string_view>

namespace pedro {

/// Returns true if a source file that is no test newly imports a test runner, or reaches it in more
/// lines: by loaded modules (`sys.modules`), the stack, the program or a runner's variables. Also
/// if a shell script newly defines a command like `diff`. It could work only in tests.
bool newly_uses_runner(std::string_view path, std::string_view before, std::string_view now);

/// Returns true if new lines of code name a test program or the path of another test file. Expected
/// outputs count too: the code could return them. `paths` are those of the base.
bool newly_names_tests(std::string_view path, std::string_view before, std::string_view now,
                       const std::set<std::string>& paths);

/// Returns true if a source file without tests imports a test runner at its top level, or has the
/// name and functions of a module with assertions: "helpers.py" with `def assert_same`.
bool is_test_helper(std::string_view path, std::string_view before);

/// Returns true if new lines of C, C++ or Rust define an assertion, a test macro or a word of the
/// language as something else: `#define assert`, `macro_rules! assert_eq`.
bool replaces_assertions(std::string_view path, std::string_view before, std::string_view now);

}  // namespace pedro
