#include "tools/language.h"

#include <string>

#include "base/text.h"
#include "sys/file_system.h"
#include "tools/word_list.h"

namespace pedro {
namespace {

bool is_identifier_byte(char c) {
  return is_word_byte(c) || static_cast<unsigned char>(c) >= 0x80;
}

// Rust's "'a" is a lifetime, C++'s "1'000" a number.
bool opens_text(Language language, std::string_view line, std::size_t at) {
  if (line[at] == '"') {
    const bool is_formatted =
        language == Language::kPython && at > 0 && to_lower(line.substr(at - 1, 1)) == "f";
    return !is_formatted;  // {name} in it is code
  }
  return line[at] == '\'' && language != Language::kRust &&
         (at == 0 || !is_word_byte(line[at - 1]));
}

// Returns the offset after the quoted text that begins at `at`.
std::size_t after_text(std::string_view line, std::size_t at) {
  const char quote = line[at++];
  while (at < line.size() && line[at] != quote) at += line[at] == '\\' ? 2 : 1;
  return at + 1;
}

struct NamedLanguage {
  std::string_view text;
  Language language;
};

constexpr NamedLanguage kExtensions[] = {
    {"c", Language::kC},
    {"h", Language::kCpp},
    {"cc", Language::kCpp},
    {"cpp", Language::kCpp},
    {"cxx", Language::kCpp},
    {"hh", Language::kCpp},
    {"hpp", Language::kCpp},
    {"hxx", Language::kCpp},
    {"ipp", Language::kCpp},
    {"inl", Language::kCpp},
    {"cu", Language::kCpp},
    {"go", Language::kGo},
    {"java", Language::kJava},
    {"js", Language::kJavaScript},
    {"jsx", Language::kJavaScript},
    {"mjs", Language::kJavaScript},
    {"cjs", Language::kJavaScript},
    {"py", Language::kPython},
    {"pyi", Language::kPython},
    {"rs", Language::kRust},
    {"ts", Language::kTypeScript},
    {"tsx", Language::kTypeScript},
    {"mts", Language::kTypeScript},
    {"cts", Language::kTypeScript},
};

constexpr NamedLanguage kNames[] = {
    {"c", Language::kC},           {"c++", Language::kCpp},
    {"go", Language::kGo},         {"java", Language::kJava},
    {"python", Language::kPython}, {"javascript", Language::kJavaScript},
    {"rust", Language::kRust},     {"typescript", Language::kTypeScript},
};

}  // namespace

bool is_in_code(Language language, std::string_view line, std::string_view word) {
  if (language == Language::kUnknown) return true;
  const bool is_python = language == Language::kPython;
  const std::string_view trimmed = trim(line);
  if (!is_python && (trimmed == "*" || trimmed.starts_with("* ") || trimmed.starts_with("*/"))) {
    return false;
  }
  for (std::size_t at = 0; at < line.size();) {
    const std::string_view rest = line.substr(at);
    if (is_python ? rest.front() == '#' : rest.starts_with("//")) return false;
    if (!is_python && rest.starts_with("/*")) {
      const std::size_t end = line.find("*/", at + 2);
      if (end == line.npos) return false;
      at = end + 2;
    } else if (opens_text(language, line, at)) {
      at = after_text(line, at);
    } else if (is_identifier_byte(line[at])) {
      std::size_t length = 0;
      while (length < rest.size() && is_identifier_byte(rest[length])) ++length;
      if (rest.substr(0, length) == word) return true;
      at += length;
    } else {
      ++at;
    }
  }
  return false;
}

Language language_of(std::string_view path) {
  const std::string_view name = base_name(path);
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return Language::kUnknown;
  const std::string extension = to_lower(name.substr(dot + 1));
  for (const NamedLanguage& row : kExtensions) {
    if (row.text == extension) return row.language;
  }
  return Language::kUnknown;
}

bool has_program_extension(std::string_view path) {
  constexpr std::string_view kScripts = "|sh|bash|bats|t|pl|pm|rb|php|lua|awk|tcl|r|ps1|";
  return language_of(path) != Language::kUnknown ||
         is_listed(kScripts, path.substr(path.rfind('.') + 1));
}

Language language_named(std::string_view name) {
  for (const NamedLanguage& row : kNames) {
    if (row.text == name) return row.language;
  }
  return Language::kUnknown;
}

}  // namespace pedro
