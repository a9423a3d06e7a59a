#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

namespace pedro {

/// Returns true if the task asks to change all of these tests. It uses a verb such as "update"
/// right before "tests", or before the name of a file or a test of it. Files without a text in
/// `base` are new.
///
///     are_asked_tests("Return 8, and update test_rate.", {"test_a.py"}, base)
bool are_asked_tests(std::string_view task, const std::set<std::string>& paths,
                     const std::function<std::string(const std::string& path)>& base);

/// Returns true if the task names each of these files, and they are helpers: data and functions
/// that tests use. Helpers have no tests or assertions, and define no checks.
bool are_named_helpers(std::string_view task, const std::set<std::string>& paths,
                       const std::function<std::string(const std::string& path)>& base);

}  // namespace pedro
