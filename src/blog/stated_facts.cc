#include "blog/stated_facts.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "base/text.h"

namespace pedro {
namespace {

constexpr std::uint64_t kMostValue = 1'000'000'000'000'000;  // limit for number words

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
}

// A number with all values that its spelling may have.
struct Number {
  std::string written;
  std::vector<std::string> values;
  std::string unscaled = {};  // "12" of "12 thousand", which a note states too
  bool is_checked = true;     // false if the word is too common to be a number
};

// Normalizes digits: "0012.50" becomes "12.5".
std::string plain_digits(std::string_view digits) {
  std::string text(digits);
  const std::size_t dot = text.find('.');
  if (dot != text.npos && text.find('.', dot + 1) == text.npos) {
    while (text.back() == '0') text.pop_back();
    if (text.back() == '.') text.pop_back();
  }
  const std::size_t zeros = text.find_first_not_of('0');
  if (zeros == text.npos) return "0";
  return (text[zeros] == '.' ? "0" : "") + text.substr(zeros);
}

// Multiplies a value by a power of 1000. Returns "" for versions and for values with more decimals.
std::string times_thousand(std::string_view value, int powers) {
  std::string text(value);
  const std::size_t dot = text.find('.');
  const std::size_t decimals = dot == text.npos ? 0 : text.size() - dot - 1;
  const auto zeros = static_cast<std::size_t>(powers) * 3;
  if (decimals > zeros || (dot != text.npos && text.find('.', dot + 1) != text.npos)) return "";
  if (dot != text.npos) text.erase(dot, 1);
  return plain_digits(text.append(zeros - decimals, '0'));
}

int thousands_of(std::string_view word) {
  constexpr std::array<std::pair<std::string_view, int>, 13> kScales = {{{"k", 1},
                                                                         {"thousand", 1},
                                                                         {"m", 2},
                                                                         {"mio", 2},
                                                                         {"million", 2},
                                                                         {"millions", 2},
                                                                         {"mn", 2},
                                                                         {"bn", 3},
                                                                         {"b", 3},
                                                                         {"billion", 3},
                                                                         {"billions", 3},
                                                                         {"t", 4},
                                                                         {"trillion", 4}}};
  for (const auto& [name, powers] : kScales) {
    if (name == word) return powers;
  }
  return 0;
}

// Returns the bytes of a thousands separator at `at`; 0 for none.
std::size_t group_separator(std::string_view text, std::size_t at) {
  if (at >= text.size()) return 0;
  if (text[at] == ',' || text[at] == '.' || text[at] == '\'' || text[at] == ' ') return 1;
  for (const std::string_view blank : {"\u00A0", "\u2009", "\u202F", "\u2019"}) {
    if (text.substr(at).starts_with(blank)) return blank.size();
  }
  return 0;
}

std::size_t digits_at(std::string_view text, std::size_t at) {
  std::size_t count = 0;
  while (at + count < text.size() && is_digit(text[at + count])) ++count;
  return count;
}

// Multiplies a number by a following "k" or "million". A single letter may also be a unit.
void scale(std::string_view text, std::size_t& end, Number& number) {
  const std::size_t word = end < text.size() && text[end] == ' ' ? end + 1 : end;
  std::size_t word_end = word;
  while (word_end < text.size() && is_letter(text[word_end]) && word_end - word < 10) ++word_end;
  const int powers = thousands_of(to_lower(text.substr(word, word_end - word)));
  const bool is_unit = word_end - word == 1;
  if (powers == 0 || (is_unit && word > end)) return;
  std::vector<std::string> scaled;
  for (const std::string& value : number.values) {
    const std::string times = times_thousand(value, powers);
    if (!times.empty()) scaled.push_back(times);
  }
  if (scaled.empty()) return;
  number.unscaled = number.values.back();
  if (is_unit) scaled.push_back(number.unscaled);
  number.values = std::move(scaled);
  end = word_end;
}

// Parses a number in digits at `at` and sets its end. Blanks join only groups of three.
Number read_digits(std::string_view text, std::size_t at, std::size_t& end) {
  std::vector<std::string_view> pieces = {text.substr(at, digits_at(text, at))};
  end = at + pieces[0].size();
  bool grouped = pieces[0].size() <= 3;
  while (const std::size_t separator = group_separator(text, end)) {
    const std::size_t digits = digits_at(text, end + separator);
    const char mark = text[end];
    const bool inner = mark == ',' || mark == '.';
    if (digits == 0 || (!inner && (digits != 3 || !grouped))) break;
    grouped = grouped && digits == 3;
    pieces.push_back(text.substr(end + separator, digits));
    end += separator + digits;
  }
  Number number;
  std::string joined;
  std::string dotted;
  for (const std::string_view piece : pieces) {
    joined += piece;
    dotted += (dotted.empty() ? "" : ".") + std::string(piece);
  }
  if (pieces.size() > 1 && grouped) number.values.push_back(plain_digits(joined));
  if (pieces.size() > 2 && !grouped && pieces.back().size() != 3) {  // 1,234.50
    const std::string whole = joined.substr(0, joined.size() - pieces.back().size());
    number.values.push_back(plain_digits(whole + "." + std::string(pieces.back())));
  }
  if (pieces.size() < 3 || !grouped) number.values.push_back(plain_digits(dotted));
  scale(text, end, number);
  number.written = text.substr(at, end - at);
  return number;
}

struct NumberWord {
  std::string_view word;
  std::uint64_t value;
};

constexpr std::array<NumberWord, 53> kNumberWords = {
    {{"zero", 0},        {"one", 1},           {"two", 2},
     {"three", 3},       {"four", 4},          {"five", 5},
     {"six", 6},         {"seven", 7},         {"eight", 8},
     {"nine", 9},        {"ten", 10},          {"eleven", 11},
     {"twelve", 12},     {"thirteen", 13},     {"fourteen", 14},
     {"fifteen", 15},    {"sixteen", 16},      {"seventeen", 17},
     {"eighteen", 18},   {"nineteen", 19},     {"twenty", 20},
     {"thirty", 30},     {"forty", 40},        {"fifty", 50},
     {"sixty", 60},      {"seventy", 70},      {"eighty", 80},
     {"ninety", 90},     {"dozen", 12},        {"hundred", 100},
     {"thousand", 1000}, {"million", 1000000}, {"billion", 1000000000},
     {"fourth", 4},      {"fifth", 5},         {"sixth", 6},
     {"seventh", 7},     {"eighth", 8},        {"ninth", 9},
     {"tenth", 10},      {"eleventh", 11},     {"twelfth", 12},
     {"thirteenth", 13}, {"fourteenth", 14},   {"fifteenth", 15},
     {"sixteenth", 16},  {"seventeenth", 17},  {"eighteenth", 18},
     {"nineteenth", 19}, {"twentieth", 20},    {"first", 1},
     {"second", 2},      {"third", 3}}};

const NumberWord* number_word(std::string_view word) {
  for (const NumberWord& known : kNumberWords) {
    if (known.word == word) return &known;
  }
  return nullptr;
}

// Adds the value of a word to the current number: "two" "hundred", "twenty" "five". Returns false
// if the word begins another number.
bool extend(std::uint64_t& total, std::uint64_t& group, std::uint64_t& last,
            const NumberWord& more) {
  const std::uint64_t value = more.value;
  if (more.word == "dozen") {
    if (last == 0 || last >= 12) return false;
    group = group - last + last * value;
  } else if (value == 100 && last > 0 && last < 100) {
    group = group - last + last * 100;
  } else if (value >= 1000 && group > 0) {
    if (group > kMostValue / value) return false;
    total += group * value;
    group = 0;
  } else if (last >= 100 || (last >= 20 && last < 100 && last % 10 == 0 && value < 10)) {
    if (value >= 100 || value == 0) return false;
    group += value;
  } else {
    return false;
  }
  last = value;
  return true;
}

// Returns the word at `at` in lower case, truncated after 13 letters.
std::string word_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && is_letter(text[end]) && end - at <= 12) ++end;
  return to_lower(text.substr(at, end - at));
}

// Parses a number in words at `at` and sets its end. Without values if the word is not a number.
Number read_words(std::string_view text, std::size_t at, std::size_t& end) {
  std::string word = word_at(text, at);
  end = at + word.size();
  Number number;
  const NumberWord* known = number_word(word);
  if (known == nullptr) return number;
  const bool is_common = word == "one" || word == "first" || word == "second" || word == "third";
  std::uint64_t total = 0;
  std::uint64_t group = known->value;
  std::uint64_t last = known->value;
  int words = 1;
  if (known->value >= 1000) {
    total = std::exchange(group, 0);
  }
  for (std::size_t next = end; next < text.size() && words < 20;) {
    if (text[next] != ' ' && text[next] != '-') break;
    ++next;
    std::string following = word_at(text, next);
    if (following == "and" && last >= 100 && next + 3 < text.size() && text[next + 3] == ' ') {
      next += 4;
      following = word_at(text, next);
    }
    const NumberWord* more = number_word(following);
    if (more == nullptr || !extend(total, group, last, *more)) break;
    next += following.size();
    end = next;
    ++words;
  }
  number.written = text.substr(at, end - at);
  number.values = {std::to_string(total + group)};
  number.is_checked = words > 1 || !is_common;
  return number;
}

// Skips "1. " or "2) " at the start of a line.
std::size_t skip_list_number(std::string_view text, std::size_t at) {
  std::size_t first = at;
  while (first < text.size() && (text[first] == ' ' || text[first] == '\t')) ++first;
  const std::size_t digits = digits_at(text, first);
  const std::size_t mark = first + digits;
  if (digits == 0 || digits > 3 || mark + 1 >= text.size()) return at;
  return (text[mark] == '.' || text[mark] == ')') && text[mark + 1] == ' ' ? mark + 1 : at;
}

enum class Code { kRead, kSkip };

// Calls `take` with each number and its range of bytes.
template <typename Take>
void each_number(std::string_view text, Code code, Take take) {
  bool in_code = false;
  for (std::size_t at = 0; at < text.size();) {
    const bool begins_line = at == 0 || text[at - 1] == '\n';
    if (begins_line && code == Code::kSkip) {
      const std::size_t line_end = std::min(text.find('\n', at), text.size());
      const bool fence = trim(text.substr(at, line_end - at)).starts_with("```");
      if (fence) in_code = !in_code;
      if (fence || in_code) {
        at = line_end + 1;
        continue;
      }
      at = skip_list_number(text, at);
    }
    std::size_t end = at + 1;
    Number number;
    if (is_digit(text[at])) number = read_digits(text, at, end);
    if (is_letter(text[at])) number = read_words(text, at, end);
    if (!number.values.empty()) {
      take(number, at, end);
    } else {
      while (is_letter(text[at]) && end < text.size() && is_letter(text[end])) ++end;
    }
    at = std::max(end, at + 1);
  }
}

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

// Adds also the readings of speech: "twenty twenty four" is a year, "three point five" a decimal.
void StatedNumbers::add(std::string_view text) {
  std::string before;
  std::size_t before_end = 0;
  each_number(text, Code::kRead, [&](const Number& number, std::size_t at, std::size_t end) {
    values_.insert(number.values.begin(), number.values.end());
    values_.insert(number.unscaled);
    const std::string& value = number.values.front();
    const std::string_view between = text.substr(before_end, at - before_end);
    if (between == " " && before.size() == 2 && value.size() == 2) values_.insert(before + value);
    if (between == " point ") values_.insert(plain_digits(before + "." + value));
    if (text.substr(end).starts_with(" and a half")) values_.insert(plain_digits(value + ".5"));
    before = value;
    before_end = end;
  });
}

std::vector<std::string> StatedNumbers::missing_in(std::string_view text) const {
  std::vector<std::string> missing;
  std::unordered_set<std::string> named;
  each_number(text, Code::kSkip, [&](const Number& number, std::size_t, std::size_t) {
    const bool is_stated =
        std::any_of(number.values.begin(), number.values.end(),
                    [&](const std::string& value) { return values_.contains(value); });
    if (!number.is_checked || is_stated) return;
    if (named.insert(number.written).second) missing.push_back(number.written);
  });
  return missing;
}

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
