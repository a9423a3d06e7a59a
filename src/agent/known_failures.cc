#include "agent/known_failures.h"

#include <algorithm>
#include <set>

#include "agent/word_index.h"
#include "base/text.h"

namespace pedro {
namespace {

// Stems of words that names of tests have in common.
constexpr std::string_view kOfAnyTest[] = {"test",  "tests",  "spec",  "suit",  "suite",
                                           "case",  "main",   "unit",  "check", "func",
                                           "class", "method", "shoul", "should"};

bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}

// "CartTotal" -> "Cart Total".
std::string split_camel_case(std::string_view name) {
  std::string text;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (i > 0 && is_upper(name[i]) && !is_upper(name[i - 1])) text += ' ';
    text += name[i];
  }
  return text;
}

std::set<std::string> words_of(std::string_view text) {
  const std::vector<std::string> words = key_words(split_camel_case(text));
  return {words.begin(), words.end()};
}

bool concerns(const std::string& test, const std::set<std::string>& task) {
  bool has_words = false;
  for (const std::string& word : words_of(test)) {
    const bool is_common =
        std::find(std::begin(kOfAnyTest), std::end(kOfAnyTest), word) != std::end(kOfAnyTest);
    if (is_common) continue;
    has_words = true;
    if (task.contains(word)) return true;
  }
  return !has_words;
}

}  // namespace

KnownFailures::KnownFailures(const std::vector<CheckOutcome>& baseline, std::string_view task) {
  const std::set<std::string> words = words_of(task);
  for (const CheckOutcome& outcome : baseline) {
    if (outcome.passed || outcome.timed_out) continue;
    if (task.find(outcome.check.command) != task.npos) continue;
    std::vector<std::string> tests;
    for (const std::string& test : outcome.tests.failed) {
      if (!concerns(test, words)) tests.push_back(test);
    }
    if (!tests.empty()) tests_[outcome.check.command] = std::move(tests);
  }
}

bool KnownFailures::covers(const CheckOutcome& outcome) const {
  const auto known = tests_.find(outcome.check.command);
  const std::vector<std::string>& failed = outcome.tests.failed;
  if (known == tests_.end() || outcome.passed || outcome.timed_out || failed.empty()) return false;
  return outcome.tests.any_passed &&
         std::includes(known->second.begin(), known->second.end(), failed.begin(), failed.end());
}

const CheckOutcome* KnownFailures::first_other(const std::vector<CheckOutcome>& outcomes) const {
  for (const CheckOutcome& outcome : outcomes) {
    if (!outcome.passed && !covers(outcome)) return &outcome;
  }
  return nullptr;
}

}  // namespace pedro
