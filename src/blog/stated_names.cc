#include "blog/stated_names.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace pedro {
namespace {

bool is_big_letter(char c) {
  return c >= 'A' && c <= 'Z';
}

bool is_small_letter(char c) {
  return c >= 'a' && c <= 'z';
}

bool is_name_byte(char c) {
  return is_big_letter(c) || is_small_letter(c) || is_digit(c) ||
         static_cast<unsigned char>(c) >= 0x80;
}

std::size_t count_big_letters(std::string_view word) {
  return static_cast<std::size_t>(std::count_if(word.begin(), word.end(), is_big_letter));
}

// Returns the word without punctuation around it, possessive and plural endings: "PRs'" is "PR".
std::string_view bare_name(std::string_view word) {
  while (!word.empty() && !is_name_byte(word.front()) && word.front() != '@' && word.front() != '#')
    word.remove_prefix(1);
  while (!word.empty() && !is_name_byte(word.back())) word.remove_suffix(1);
  if (word.ends_with("'s")) word.remove_suffix(2);
  const bool is_plural = word.size() > 2 && word.back() == 's' && count_big_letters(word) > 1 &&
                         count_big_letters(word) + 1 == word.size();
  return is_plural ? word.substr(0, word.size() - 1) : word;
}

bool closes_sentence(std::string_view word) {
  return !word.empty() && std::string_view(".!?:;-").find(word.back()) != std::string_view::npos;
}

// Returns true for words that no sentence capitalizes or spells by accident.
bool has_form_of_name(std::string_view word) {
  const bool has_letter = std::any_of(
      word.begin(), word.end(), [](char c) { return is_big_letter(c) || is_small_letter(c); });
  if (!has_letter) return false;
  if (word.front() == '@' || word.front() == '#' || word.find('_') != word.npos) return true;
  if (count_big_letters(word.substr(1)) > 0) return true;
  const bool has_digit = std::any_of(word.begin(), word.end(), is_digit);
  return has_digit && !is_digit(word.front());
}

struct ProseWord {
  std::string_view text;
  bool begins_sentence = true;
};

std::vector<ProseWord> prose_words(std::string_view text) {
  std::vector<ProseWord> words;
  bool begins = true;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of(" \t\n,()[]\"/", at), text.size());
    const std::string_view word = text.substr(at, end - at);
    if (!bare_name(word).empty()) {
      words.push_back({bare_name(word), begins});
      begins = closes_sentence(word);
    } else if (!word.empty()) {
      begins = begins || closes_sentence(word);
    }
    if (end < text.size() && text[end] != ' ' && text[end] != ',' && text[end] != '/')
      begins = true;
    at = end + 1;
  }
  return words;
}

}  // namespace

std::vector<std::string> stated_names(std::string_view text) {
  std::vector<std::string> names;
  std::string prose;
  const std::vector<std::string_view> parts = split(text, '`');
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const bool is_code = i % 2 == 1 && i + 1 < parts.size();
    if (is_code && !trim(parts[i]).empty()) add_once(names, trim(parts[i]));
    prose += is_code ? " , " : std::string(parts[i]);
  }
  const std::vector<ProseWord> words = prose_words(prose);
  const auto is_capital = [](const ProseWord& word) {
    return !word.begins_sentence && is_big_letter(word.text.front()) && word.text.size() > 1;
  };
  const auto capitals =
      static_cast<std::size_t>(std::count_if(words.begin(), words.end(), is_capital));
  const bool takes_capitals = capitals * 4 <= words.size() + 4;
  for (const ProseWord& word : words) {
    if (has_form_of_name(word.text) || (takes_capitals && is_capital(word))) {
      add_once(names, word.text);
    }
  }
  return names;
}

std::vector<std::string> missing_names(std::string_view note, std::string_view text) {
  const std::string lower = to_lower(text);
  std::vector<std::string> missing = stated_names(note);
  std::erase_if(missing,
                [&](const std::string& name) { return lower.find(to_lower(name)) != lower.npos; });
  return missing;
}

std::size_t count_negations(std::string_view text) {
  constexpr std::array<std::string_view, 12> kNegations = {
      "no",      "not",     "never", "none",    "nobody", "nothing",
      "nowhere", "neither", "nor",   "without", "cannot", "nope"};
  const std::string lower = replace_all(to_lower(text), "\u2019", "'");
  std::size_t count = 0;
  for (std::size_t at = 0; at < lower.size();) {
    const auto in_word = [&](std::size_t i) {
      return i < lower.size() && (is_name_byte(lower[i]) || lower[i] == '\'');
    };
    if (!in_word(at)) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (in_word(end)) ++end;
    const std::string_view word = std::string_view(lower).substr(at, end - at);
    const bool negates = word.ends_with("n't") ||
                         std::find(kNegations.begin(), kNegations.end(), word) != kNegations.end();
    count += negates ? 1U : 0U;
    at = end;
  }
  return count;
}

}  // namespace pedro
