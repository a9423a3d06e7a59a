#pragma once

#include <set>
#include <string>
#include <string_view>

namespace pedro {

/// Returns true if a source file that is no test imports a test runner, reaches loaded modules
/// (`sys.modules`), or asks who runs it (stack, program, a runner's variables), in more lines than
/// before, or if a shell script defines a command like `diff`. It could replace parts of the
/// runner, or work only in tests.
bool newly_uses_runner(std::string_view path, std::string_view before, std::string_view now);

/// Returns true if new lines of code name a test program, or the path of another test file or of an
/// expected output. It could return the outputs that tests expect. `paths` are those of the base.
bool newly_names_tests(std::string_view path, std::string_view before, std::string_view now,
                       const std::set<std::string>& paths);

/// Returns true if a source file without tests imports a test runner at its top level, or has the
/// name and functions of a module with assertions: "helpers.py" with `def assert_same`.
bool is_test_helper(std::string_view path, std::string_view before);

/// Returns true if new lines of C, C++ or Rust define an assertion, a test macro or a word of the
/// language as something else: `#define assert`, `macro_rules! assert_eq`.
bool replaces_assertions(std::string_view path, std::string_view before, std::string_view now);

}  // namespace pedro
