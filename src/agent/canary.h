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

}  // namespace pedro
