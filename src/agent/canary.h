#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

namespace pedro {

/// The largest number of test files that get a failing test.
inline constexpr std::size_t kMaxCanaryFiles = 50;

/// Returns the text of a test file with one more test, which fails and has "canary" in its name.
/// Returns "" if the language or the runner is unknown: Python (pytest, unittest), JavaScript and
/// TypeScript (node:test, Jest, Vitest, Mocha), Go, Rust, C++ (doctest, Catch) are known.
std::string with_canary(std::string_view path, std::string_view text);

/// Returns the files of `tests` that get a canary: one of each Go package, at most kMaxCanaryFiles.
/// `text_of` returns the text of a path.
std::set<std::string> canary_files(const std::set<std::string>& tests,
                                   const std::function<std::string(const std::string&)>& text_of);

/// Returns true if the output of a failed check names a canary.
bool names_canary(std::string_view output);

}  // namespace pedro
