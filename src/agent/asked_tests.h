#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace pedro {

/// Returns true if the task asks to change all of these tests. It uses a verb such as "update"
/// right before "tests", or before the name of a test or its file. Files without a text in `base`
/// are new.
///
///     are_asked_tests("Return 8, and update test_rate.", {"test_a.py"}, base)
bool are_asked_tests(std::string_view task, const std::set<std::string>& paths,
                     const std::function<std::string(const std::string& path)>& base);

/// Returns the first of `tests` that the task does not ask to change; "" if there is none. Names
/// are as in TestResults. A request for "the tests" asks for all of them, except for those that
/// failed before: they show the issue. A request for one test or file asks only for this one.
///
///     unasked_test("Rename a, and update the tests", {"test_a", "test_b"}, {"test_b"})  // test_b
std::string unasked_test(std::string_view task, const std::vector<std::string>& tests,
                         const std::set<std::string>& failed_before);

/// New names by old ones.
using Renames = std::map<std::string, std::string>;

/// Returns the names that the task asks to rename.
///
///     asked_renames("Rename `add()` to `plus()` everywhere.")  // {"add", "plus"}
Renames asked_renames(std::string_view task);

/// Replaces whole words of a text.
std::string renamed(std::string_view text, const Renames& names);

/// Returns true if the task names each of these files, and they are helpers: data and functions
/// that tests use. Helpers have no tests or assertions, and define no checks.
bool are_named_helpers(std::string_view task, const std::set<std::string>& paths,
                       const std::function<std::string(const std::string& path)>& base);

}  // namespace pedro
