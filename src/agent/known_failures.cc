#include "agent/known_failures.h"

#include <algorithm>
#include <set>

#include "agent/failing_lines.h"
#include "agent/word_index.h"
#include "base/text.h"

namespace pedro {
namespace {

// Stems of words that names of tests have in common.
constexpr std::string_view kOfAnyTest[] = {"test", "spec",  "suit",  "case", "main",
                                           "unit", "check", "class", "func", "shoul"};
// Words of a task that is about failing tests. They may be parts of words.
constexpr std::string_view kOfFailures[] = {"fail", "broken", " ci ", " red ", "green", "suite"};

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
  std::set<std::string> words;
  for (const std::string& word : key_words(split_camel_case(text))) {
    if (std::find(std::begin(kOfAnyTest), std::end(kOfAnyTest), word) == std::end(kOfAnyTest)) {
      words.insert(word);
    }
  }
  return words;
}

bool is_about_failures(std::string_view task) {
  const std::string text = " " + to_lower(task) + " ";
  return std::any_of(std::begin(kOfFailures), std::end(kOfFailures),
                     [&](std::string_view word) { return text.find(word) != text.npos; });
}

// "tests/test_a.py::T::test_x[1]" -> "test_x[1]", "test_x (m.T.test_x)" -> "test_x".
std::string_view leaf_of(std::string_view test) {
  test = test.substr(0, test.find(" ("));
  for (const std::string_view separator : {"::", " \u203a ", " > "}) {
    const std::size_t at = test.rfind(separator);
    if (at != test.npos) return test.substr(at + separator.size());
  }
  return test;
}

// Some runners return the number of failures. A signal or a missing program is different.
bool is_like(const CheckOutcome& before, const CheckOutcome& now) {
  constexpr int kMaxOwnCode = 125;  // of a program; a shell uses the others
  return before.exit_code == now.exit_code ||
         (before.exit_code <= kMaxOwnCode && now.exit_code <= kMaxOwnCode);
}

bool concerns(const std::string& test, const std::set<std::string>& task) {
  const std::set<std::string> words = words_of(test);
  const bool is_shared = std::any_of(words.begin(), words.end(),
                                     [&](const std::string& word) { return task.contains(word); });
  return is_shared || words_of(leaf_of(test)).empty();
}

}  // namespace

KnownFailures::KnownFailures(const std::vector<CheckOutcome>& baseline, std::string_view task) {
  if (is_about_failures(task)) return;
  const std::set<std::string> words = words_of(task);
  for (const CheckOutcome& outcome : baseline) {
    if (outcome.passed || outcome.timed_out) continue;
    if (task.find(outcome.check.command) != task.npos) continue;
    Known known{outcome, {}};
    for (const std::string& test : outcome.tests.failed) {
      if (!concerns(test, words)) known.tests.push_back(test);
    }
    known_.push_back(std::move(known));
  }
}

bool KnownFailures::covers(const CheckOutcome& outcome) const {
  const std::vector<std::string>& failed = outcome.tests.failed;
  if (outcome.passed || outcome.timed_out || failed.empty()) return false;
  return std::any_of(known_.begin(), known_.end(), [&](const Known& known) {
    const CheckOutcome& before = known.before;
    return before.check.command == outcome.check.command &&
           before.check.source == outcome.check.source && is_like(before, outcome) &&
           failed.size() < before.tests.failed.size() && outcome.tests.ran >= before.tests.ran &&
           std::includes(known.tests.begin(), known.tests.end(), failed.begin(), failed.end()) &&
           !FailingLines(outcome.output).adds_to(FailingLines(before.output));
  });
}

const CheckOutcome* KnownFailures::first_other(const std::vector<CheckOutcome>& outcomes) const {
  for (const CheckOutcome& outcome : outcomes) {
    if (!outcome.passed && !covers(outcome)) return &outcome;
  }
  return nullptr;
}

}  // namespace pedro
