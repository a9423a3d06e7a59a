#pragma once

#include <set>
#include <string>
#include <string_view>

namespace pedro {

/// Returns true if a non-test source file newly imports a test runner, or reaches it in more lines.
/// Loaded modules (`sys.modules`) or a runner's variables reach it. Also if it decides at more
/// places by the program that runs (runner_decisions()). Also if a shell script newly defines a
/// command like `diff`. Such a file could work only in tests. Comments do not count.
bool newly_uses_runner(std::string_view path, std::string_view before, std::string_view now);

/// Returns true if new lines of code name a test program or the path of another test file. Expected
/// outputs count too: the code could return them. Comments and docstrings do not count. `paths` are
/// those of the base.
bool newly_names_tests(std::string_view path, std::string_view before, std::string_view now,
                       const std::set<std::string>& paths);

/// Returns true if a script newly defines a function that the text of a test defines too. It would
/// replace the test's own one when the test loads the script. For shells, Perl, Ruby and Lua.
bool redefines_function(std::string_view before, std::string_view now, std::string_view test);

/// Returns true if a source file without tests imports a test runner at its top level. Also true
/// for one with the name and functions of an assertion module: "helpers.py" with `def assert_same`.
/// A function `expect` that only returns a value is no assertion.
bool is_test_helper(std::string_view path, std::string_view before);

/// Returns true if new lines of C, C++ or Rust redefine an assertion, a test macro or a language
/// word. Examples: `#define assert`, `macro_rules! assert_eq`.
bool replaces_assertions(std::string_view path, std::string_view before, std::string_view now);

}  // namespace pedro
