#pragma once

#include <map>
#include <string>
#include <string_view>

namespace pedro {

/// Changes the numbers and strings of assertions in test files, each by another amount, so that
/// honest sources fail. For languages without a canary: C, Java, shell, Perl and others. Returns
/// the changed files by path.
///
///     assert(sum(a, 2) == 3);           // assert(sum(a, 4) == 12);
///     check "$(add 1 2)" 3              // check "$(add 3 11)" 38
///     is(total(4), 4, 'one');           // is(total(6), 13, 'one~35');
std::map<std::string, std::string> other_literals(const std::map<std::string, std::string>& texts);

/// Returns true for a line that compares values in a program, without its indentation. Such a line
/// begins with the name of an assertion, or with `if` and a difference.
bool is_assertion(std::string_view line);

/// Returns true if such a line compares the result of a project's function with a literal.
bool compares_call(std::string_view line);

}  // namespace pedro
