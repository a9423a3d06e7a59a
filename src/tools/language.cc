#include "tools/language.h"

#include <string>

#include "base/text.h"
#include "sys/file_system.h"
#include "tools/word_list.h"

namespace pedro {
namespace {

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
