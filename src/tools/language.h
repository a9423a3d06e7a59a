#pragma once

#include <string_view>

namespace pedro {

/// The languages whose lines the tools can read without a parser.
enum class Language { kUnknown, kC, kCpp, kGo, kJava, kJavaScript, kPython, kRust, kTypeScript };

/// By the extension of the file's name.
Language language_of(std::string_view path);

/// By its name in a call: "c", "c++", "go", "java", "javascript", "python", "rust", "typescript";
/// kUnknown for any other.
Language language_named(std::string_view name);

}  // namespace pedro
