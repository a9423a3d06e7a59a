#include "agent/asked_tests.h"

#include <algorithm>
#include <vector>

#include "agent/check_names.h"
#include "base/text.h"
#include "sys/file_system.h"
#include "tools/test_names.h"
#include "tools/word_list.h"

namespace pedro {
namespace {

constexpr std::string_view kVerbs =
    "|update|updates|updating|adapt|adjust|rename|rewrite|revise|migrate|change|correct|";
constexpr std::string_view kParticiples = "|updated|adapted|adjusted|renamed|rewritten|revised|";
constexpr std::string_view kTestWords =
    "|test|tests|spec|specs|expectation|expectations|snapshots|";
constexpr std::string_view kStops = "|.|that|until|so|when|while|because|if|before|after|unless|";
constexpr std::size_t kMaxWordsBetween = 3;
constexpr std::size_t kNamesFrom = 5;  // bytes; shorter names are ordinary words

// Returns the words of a text in lower case. The end of a sentence is a word ".".
std::vector<std::string> task_words(std::string_view task) {
  std::vector<std::string> words;
  const std::string lower = to_lower(task);
  for (std::size_t at = 0; at < lower.size();) {
    std::size_t end = at;
    while (end < lower.size() && (is_word_byte(lower[end]) || lower[end] == '/' ||
                                  lower[end] == '-' || lower[end] == '.')) {
      ++end;
    }
    std::string word = lower.substr(at, end - at);
    const bool is_end = word.ends_with('.') || (end < lower.size() && lower[end] == '\n');
    while (word.ends_with('.')) word.pop_back();
    if (!word.empty()) words.push_back(std::move(word));
    if (is_end) words.emplace_back(".");
    at = std::max(end, at + 1);
  }
  return words;
}

// Returns the words that the task asks to change: those after a verb, or before a participle.
std::set<std::string> asked_words(std::string_view task) {
  const std::vector<std::string> words = task_words(task);
  std::set<std::string> asked;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool is_verb = is_listed(kVerbs, words[i]);
    if (!is_verb && !is_listed(kParticiples, words[i])) continue;
    for (std::size_t step = 1; step <= kMaxWordsBetween + 1; ++step) {
      const std::size_t at = is_verb ? i + step : i - step;  // wraps around
      if (at >= words.size() || is_listed(kStops, words[at])) break;
      asked.insert(words[at]);
    }
  }
  return asked;
}

bool is_plain_test(const std::string& path) {
  return is_test_name(path) && !is_check_definition(path);
}

bool is_asked(const std::set<std::string>& asked, const std::string& path,
              const std::string& text) {
  const bool is_test = is_plain_test(path);
  const std::string lower = to_lower(text);
  return std::ranges::any_of(asked, [&](const std::string& word) {
    if (is_test && is_listed(kTestWords, word)) return true;
    if (is_test && to_lower(base_name(path)) == base_name(word)) return true;
    const bool is_name = word.size() >= kNamesFrom && word.find("test") != word.npos;
    return is_test && is_name && has_whole_words(lower, word);
  });
}

}  // namespace

bool are_asked_tests(std::string_view task, const std::set<std::string>& paths,
                     const std::function<std::string(const std::string& path)>& base) {
  const std::set<std::string> asked = asked_words(task);
  return std::ranges::all_of(paths, [&](const std::string& path) {
    const std::string text = base(path);
    return text.empty() ? is_plain_test(path) : is_asked(asked, path, text);
  });
}

bool are_named_helpers(std::string_view task, const std::set<std::string>& paths,
                       const std::function<std::string(const std::string& path)>& base) {
  constexpr std::string_view kTestTexts =
      "|assert|expect|Assert|Expect|CHECK|raise|throw|exit|"
      "def test|skip|FAIL|fail|";
  return std::ranges::all_of(paths, [&](const std::string& path) {
    const std::string text = base(path);
    const auto is_in = [&](auto word) { return text.find(word) != text.npos; };
    return !text.empty() && has_whole_words(task, path) && !is_check_definition(path) &&
           !any_listed(kTestTexts, is_in);
  });
}

}  // namespace pedro
