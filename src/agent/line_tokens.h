#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace pedro {

using Tokens = std::vector<std::string_view>;

/// Splits a line of code into words, numbers, strings, blanks and operators, for most languages.
/// The tokens are views that cover the line without a gap.
///
///     tokens_of("x += a[0]")  // "x", " ", "+=", " ", "a", "[", "0", "]"
Tokens tokens_of(std::string_view line);

/// Returns true for a letter of A to Z, in any case, and "_".
bool starts_word(char c);

/// Returns true for a word that names no variable in common languages.
bool is_keyword(std::string_view word);

/// Returns true for a name that is neither called nor a member.
bool is_variable(const Tokens& tokens, std::size_t at);

/// Returns true for the name of a member: ".name" or "->name".
bool is_member(const Tokens& tokens, std::size_t at);

/// Returns true for a name before an opening parenthesis.
bool is_called(const Tokens& tokens, std::size_t at);

/// Returns the index of the bracket that closes the one at `open`, or tokens.size().
std::size_t closing_bracket(const Tokens& tokens, std::size_t open);

/// Returns the first token of the operand that ends with `token`. An operand is a name or number
/// with its members, subscripts and arguments. Returns more than `token` if there is none.
std::size_t operand_begin(const Tokens& tokens, std::size_t token);

/// Returns the last token of the operand that begins with `token`, or less if there is none.
std::size_t operand_end(const Tokens& tokens, std::size_t token);

/// Returns the variables that a function uses at least twice, in order of appearance.
Tokens variables_of(std::string_view function);

/// Returns the members that a function names, called ones or all others, in order of appearance.
Tokens members_of(std::string_view function, bool called);

}  // namespace pedro
