#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "base/text_pattern.h"
#include "base/utf8.h"
#include "regular/regex.h"

namespace pedro {
namespace {

// Long names that PCRE2 does not know.
constexpr std::pair<std::string_view, std::string_view> kCategories[] = {
    {"Letter", "L"},
    {"Cased_Letter", "L&"},
    {"Uppercase_Letter", "Lu"},
    {"Lowercase_Letter", "Ll"},
    {"Titlecase_Letter", "Lt"},
    {"Modifier_Letter", "Lm"},
    {"Other_Letter", "Lo"},
    {"Mark", "M"},
    {"Nonspacing_Mark", "Mn"},
    {"Spacing_Mark", "Mc"},
    {"Enclosing_Mark", "Me"},
    {"Number", "N"},
    {"Decimal_Number", "Nd"},
    {"digit", "Nd"},
    {"Letter_Number", "Nl"},
    {"Other_Number", "No"},
    {"Punctuation", "P"},
    {"punct", "P"},
    {"Symbol", "S"},
    {"Math_Symbol", "Sm"},
    {"Currency_Symbol", "Sc"},
    {"Separator", "Z"},
    {"Space_Separator", "Zs"},
    {"Other", "C"},
    {"Control", "Cc"},
    {"Format", "Cf"},
};

std::optional<std::vector<CharRange>> find_ranges(std::string_view name) {
  const auto pattern =
      TextPattern::compile(fmt::format("\\p{{{}}}+", name), TextPattern::Unit::kCharacter);
  if (!pattern) return std::nullopt;
  std::string every;
  for (char32_t point = 0; point <= kLastCodePoint; ++point) {
    if (point < 0xD800 || point > 0xDFFF) append_utf8(every, point);
  }
  std::vector<TextRange> matches;
  if (!pattern->find_all(every, matches)) return std::nullopt;
  std::vector<CharRange> ranges;
  for (const TextRange& match : matches) {
    std::string_view first = std::string_view(every).substr(match.begin);
    std::string_view after = std::string_view(every).substr(match.end);
    const char32_t begin = take_code_point(first);
    const char32_t end = after.empty() ? kLastCodePoint + 1 : take_code_point(after);
    const bool spans = begin < 0xD800 && end > 0xE000;
    if (spans) ranges.push_back({begin, 0xD7FF});
    ranges.push_back({spans ? 0xE000 : begin, end == 0xE000 ? 0xD7FF : end - 1});
  }
  return ranges;
}

}  // namespace

std::optional<std::vector<CharRange>> unicode_property(std::string_view name) {
  static std::mutex mutex;
  static std::map<std::string, std::optional<std::vector<CharRange>>> known;
  for (const std::string_view prefix : {"gc=", "General_Category=", "sc=", "Script="}) {
    if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
  }
  const auto* const category =
      std::ranges::find(kCategories, name, &std::pair<std::string_view, std::string_view>::first);
  if (category != std::end(kCategories)) name = category->second;
  const bool plain = std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '&';
  });
  if (name.empty() || !plain) return std::nullopt;
  const std::lock_guard lock(mutex);
  const auto [at, fresh] = known.try_emplace(std::string(name));
  if (fresh) at->second = find_ranges(name);
  return at->second;
}

}  // namespace pedro
