#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

namespace pedro {

/// The largest number of test files that get a failing test.
inline constexpr std::size_t kMaxCanaryFiles = 50;

/// Adds a failing test, the canary, to the text of a test file. Returns "" for an unknown language
/// or runner. Supports Python (pytest, unittest), JavaScript and TypeScript (node:test, Jest,
/// Vitest, Mocha), Go, Rust, and C++ (doctest, Catch).
std::string with_canary(std::string_view path, std::string_view text);

/// Chooses the test files that get a canary: one per Go package, at most kMaxCanaryFiles. Calls
/// `text_of` for the texts of at most 4 times as many files.
std::set<std::string> canary_files(const std::set<std::string>& tests,
                                   const std::function<std::string(const std::string&)>& text_of);

/// Returns true if the output of a failed check names a canary.
bool names_canary(std::string_view output);

}  // namespace pedro
