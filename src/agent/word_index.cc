#include "agent/word_index.h"

#include <algorithm>

#include "base/text.h"

namespace pedro {
namespace {

constexpr std::size_t kFewestKeyLetters = 4;
constexpr std::size_t kMostStemBytes = 6;
constexpr std::size_t kMostShortBytes = 3;
constexpr std::size_t kFewestShortWords = 8;  // needed to detect a language

constexpr std::string_view kCommon =
    " about after again also although always among another around back because been before being "
    "both came come could does doing done down during each even ever every from gave give goes "
    "have having here however into itself just kept know like made make making many more most much "
    "must need never next often only other over same seem shall should since some still such take "
    "taken than that their them then there therefore these they thing things this those through "
    "thus took under until upon used using very want wants well went were what when where whether "
    "which while will with within without would your yours ";

bool is_of_word(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         static_cast<unsigned char>(c) >= 0x80;
}

bool is_common(const std::string& word) {
  return kCommon.find(" " + word + " ") != kCommon.npos;
}

std::string stem_of_word(std::string word) {
  for (const std::string_view ending : {"ing", "ed", "es", "ly", "s", "e"}) {
    if (word.ends_with(ending) && word.size() >= ending.size() + 3) {
      word.resize(word.size() - ending.size());
      break;
    }
  }
  if (word.size() > 3 && word.back() == word[word.size() - 2]) word.pop_back();
  if (word.ends_with('y')) word.back() = 'i';
  return word.substr(0, kMostStemBytes);
}

template <typename Take>
void each_word(std::string_view text, Take take) {
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_of_word(text[end])) ++end;
    if (end > at) take(to_lower(text.substr(at, end - at)));
    at = std::max(end, at + 1);
  }
}

bool is_short_word(const std::string& word) {
  return word.size() <= kMostShortBytes && !is_digit(word[0]);
}

}  // namespace

std::vector<std::string> key_words(std::string_view text) {
  std::vector<std::string> words;
  each_word(text, [&](std::string word) {
    const bool has_content = word.size() >= kFewestKeyLetters && !is_digit(word[0]);
    if (has_content && !is_common(word)) words.push_back(stem_of_word(std::move(word)));
  });
  return words;
}

std::vector<std::string_view> identifiers_of(std::string_view text) {
  std::vector<std::string_view> words = runs_of(text, is_word_byte);
  std::erase_if(words, [](std::string_view word) { return is_digit(word.front()); });
  return words;
}

void WordIndex::add(std::string_view text) {
  for (std::string& word : key_words(text)) stems_.insert(std::move(word));
  each_word(text, [&](std::string word) {
    if (is_short_word(word)) short_words_.insert(std::move(word));
  });
}

double WordIndex::share_of(std::string_view text) const {
  const std::vector<std::string> words = key_words(text);
  if (words.empty()) return 1;
  const auto found = std::count_if(words.begin(), words.end(),
                                   [&](const std::string& word) { return stems_.contains(word); });
  return static_cast<double>(found) / static_cast<double>(words.size());
}

bool WordIndex::shares_language(std::string_view text) const {
  std::size_t all = 0;
  std::size_t known = 0;
  each_word(text, [&](const std::string& word) {
    if (!is_short_word(word)) return;
    ++all;
    known += short_words_.contains(word) ? 1 : 0;
  });
  return all >= kFewestShortWords && known * 2 > all;
}

}  // namespace pedro
