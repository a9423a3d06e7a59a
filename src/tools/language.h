#pragma once

#include <string_view>

namespace pedro {

/// The languages that the tools analyze line by line, without a parser.
enum class Language { kUnknown, kC, kCpp, kGo, kJava, kJavaScript, kPython, kRust, kTypeScript };

/// Returns the language by the extension of the file name.
Language language_of(std::string_view path);

/// Returns true for the extension of a program, also in a language that the tools do not analyze.
bool has_program_extension(std::string_view path);

/// Returns the language by its name in a call: "c", "c++", "go", "java", "javascript", "python",
/// "rust", "typescript"; kUnknown for others.
Language language_named(std::string_view name);

/// Returns true if `word` occurs as a whole word in the code of `line`, outside of comments and
/// quoted texts. Examines the line alone, so a comment or a text of several lines may count as
/// code. In an unknown language, the whole line is code.
bool is_in_code(Language language, std::string_view line, std::string_view word);

}  // namespace pedro
