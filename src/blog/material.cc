#include "blog/material.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "base/utf8.h"
#include "markdown/markdown.h"

namespace pedro {
namespace {

// Normalizes a text for comparison: single blanks, plain quotation marks and dashes, lower case.
std::string normal(std::string_view text) {
  std::string plain = to_lower(text);
  for (const std::string_view mark : {"\u2018", "\u2019"}) plain = replace_all(plain, mark, "'");
  for (const std::string_view mark :
       {"\u201C", "\u201D", "\u201E", "\u00AB", "\u00BB", "\u300C", "\u300D", "\u300E", "\u300F"})
    plain = replace_all(plain, mark, "\"");
  for (const std::string_view dash : {"\u2013", "\u2014"}) plain = replace_all(plain, dash, "-");
  std::string out;
  for (const char c : plain) {
    const bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!blank) out += c;
    if (blank && !out.empty() && out.back() != ' ') out += ' ';
  }
  return std::string(trim(out));
}

// Returns true if a text begins with a delimiter of URLs: a blank, a quotation mark or a bracket.
// True for "".
bool begins_with_bound(std::string_view text) {
  constexpr std::string_view kBounds = " \t\r\n\"'`()<>[]{}|*";
  if (text.empty() || kBounds.find(text[0]) != kBounds.npos) return true;
  for (const std::string_view mark : {"\u2018", "\u2019", "\u201C", "\u201D", "\u201E", "\u00AB",
                                      "\u00BB", "\u300C", "\u300D", "\u3002", "\u3001", "\uFF09"}) {
    if (text.starts_with(mark)) return true;
  }
  return false;
}

bool ends_with_bound(std::string_view text) {
  for (std::size_t bytes = 1; bytes <= std::min<std::size_t>(3, text.size()); ++bytes) {
    if (begins_with_bound(text.substr(text.size() - bytes))) return true;
  }
  return text.empty();
}

bool ends_sentence(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(".,;:!?"), text.size()));
  return begins_with_bound(text);
}

bool stands_in(std::string_view text, std::string_view address) {
  for (std::size_t at = text.find(address); at != text.npos; at = text.find(address, at + 1)) {
    if (ends_with_bound(text.substr(0, at)) && ends_sentence(text.substr(at + address.size()))) {
      return true;
    }
  }
  return false;
}

}  // namespace

void Material::add(Source source) {
  numbers_.add(source.text);
  words_.add(source.text);
  sources_.push_back(std::move(source));
}

void Material::add_wish(std::string text) {
  numbers_.add(text);
  words_.add(text);
  wishes_.push_back(std::move(text));
}

bool Material::has_words(std::string_view words) const {
  const std::string wanted = normal(words);
  if (wanted.empty()) return false;
  return std::any_of(
             sources_.begin(), sources_.end(),
             [&](const Source& source) { return has_whole_words(normal(source.text), wanted); }) ||
         std::any_of(wishes_.begin(), wishes_.end(), [&](const std::string& wish) {
           return has_whole_words(normal(wish), wanted);
         });
}

bool Material::has_link(std::string_view address) const {
  if (address.empty() || address.starts_with('#')) return false;
  for (const Source& source : sources_) {
    if (source.name == address || stands_in(source.text, address)) return true;
  }
  return std::any_of(wishes_.begin(), wishes_.end(),
                     [&](const std::string& wish) { return stands_in(wish, address); });
}

std::vector<std::string> unsupported(std::string_view markdown, const Material& material) {
  std::vector<std::string> problems;
  const MarkdownFacts facts = read_markdown(markdown);
  for (const std::string& link : facts.links) {
    if (link.empty() || material.has_link(link)) continue;
    problems.push_back(fmt::format("the link {} is not in the material", link));
  }
  for (const std::string& quote : facts.quotes) {
    if (material.has_words(quote)) continue;
    problems.push_back(
        fmt::format("the quotation \"{}\" is not in the material", cut_middle(quote, 200, "")));
  }
  for (const std::string& number : material.missing_numbers(markdown)) {
    problems.push_back(fmt::format("the number {} is not in the material", number));
  }
  return problems;
}

}  // namespace pedro
