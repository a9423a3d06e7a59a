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

}  // namespace pedro
