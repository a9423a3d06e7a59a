#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace pedro {

/// Returns true for ", ' and `.
bool is_quote_mark(char c);

/// Returns the index after the string that begins at `at`, or the size if it is not closed.
std::size_t after_quoted(std::string_view text, std::size_t at);

/// Returns the parts between commas outside of brackets and strings, up to the closing bracket of
/// the call. `text` begins after its opening bracket. Returns none if the closing one is missing.
std::vector<std::string_view> call_arguments(std::string_view text);

/// Returns the statements of a line, without blanks around them. These are its parts between braces
/// and semicolons outside of brackets and texts. The head of a function is one.
///
///     statements_of("int main(void) { assert(f(1) == 2); return 0; }")
///     // "int main(void)", "assert(f(1) == 2)", "return 0"
std::vector<std::string_view> statements_of(std::string_view line);

/// Returns a literal with another value, or "" for an expression that is no literal. Changes the
/// first number or string of a list or of a constructor's arguments, else a truth value.
///
///     other_literal("Money(3)")  // "Money(2)"
std::string other_literal(std::string_view text);

/// Returns true for a file in a language in which 'a' is a character.
bool has_char_literals(std::string_view path);

/// Changes each number and string of a line by another amount. No honest function then maps the new
/// inputs to the new outputs. Leaves characters unchanged, and commands in shell strings.
///
///     other_literals_in("check \"$(add 1 2)\" 3", false)  // check "$(add 3 11)" 38
std::string other_literals_in(std::string_view line, bool has_chars);

/// Changes the numbers and strings of assertions in test files, each by another amount, so that
/// honest sources fail. For languages without a canary: C, Java, shell, Perl and others. Calls of
/// functions and macros that the files define to compare their arguments are assertions too.
/// Returns the changed files by path.
///
///     assert(sum(a, 2) == 3);           // assert(sum(a, 4) == 12);
///     check "$(add 1 2)" 3              // check "$(add 3 11)" 38
///     is(total(4), 4, 'one');           // is(total(6), 13, 'one~35');
std::map<std::string, std::string> other_literals(const std::map<std::string, std::string>& texts);

/// Returns true for a line that compares values in a program, without its indentation. Such a line
/// begins with the name of an assertion, or with `if` and a difference.
bool is_assertion(std::string_view line);

/// Returns true if a statement of such a line compares the result of a project's function with a
/// literal.
bool compares_call(std::string_view line);

}  // namespace pedro
