#pragma once

#include <map>
#include <string>
#include <string_view>

namespace pedro {

/// The largest number of test files that get a failing test.
inline constexpr std::size_t kMaxCanaryFiles = 50;

/// Adds a failing test, the canary, to the text of a test file. Returns "" for an unknown language
/// or runner. Supports Python (pytest, unittest), JavaScript and TypeScript (node:test, Jest,
/// Vitest, Mocha), Go, Rust, and C++ (doctest, Catch).
std::string with_canary(std::string_view path, std::string_view text);

/// Returns the test files with a canary, by path: one per Go package, at most kMaxCanaryFiles.
std::map<std::string, std::string> canary_texts(const std::map<std::string, std::string>& texts);

/// Returns true if the output of a failed check names a canary.
bool names_canary(std::string_view output);

/// Test files by path.
using TestTexts = std::map<std::string, std::string>;

/// Returns tests that must fail, by path: with other literals in their assertions, or without
/// assertions, with a failing end. With `has_canary`, omits tests that can have one, see
/// with_canary().
TestTexts failing_texts(const TestTexts& texts, bool has_canary);

/// Returns the files with a failing end, see failing_end(); leaves out others.
TestTexts ended_texts(const TestTexts& texts);

/// Returns the files with a failing start, or with a text that is no program. Checks that pass with
/// them do not run them.
TestTexts stopped_texts(const TestTexts& texts);

/// Returns a program that fails as its first action, and that compilers and linters accept as they
/// accept `text`. A check that passes with it does not run the program. In C, the action is before
/// all constructors; only for ELF. Returns "" for other languages, and for Go, Java and Rust
/// without `main`. Also for JavaScript with `import`, which runs other files first.
///
///     failing_start("t.sh", ". ./lib.sh\n")  // "test -z \"$PATH\" || exit 1\n. ./lib.sh\n"
std::string failing_start(std::string_view path, std::string_view text);

/// Returns a program that does its work and then reports a failure, at each place where it ends
/// itself. A check that passes with it ends earlier, in the sources that it tests. Returns "" for
/// other languages than C, C++, Go, Java, JavaScript, Lua, Perl, Python, Ruby, Rust and shell.
///
///     failing_end("t.sh", "f 1 || exit 2\nexit 0\n")  // "f 1 || exit 1\nexit 1\n\nexit 1\n"
std::string failing_end(std::string_view path, std::string_view text);

}  // namespace pedro
