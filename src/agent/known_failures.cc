#include "agent/known_failures.h"

#include <algorithm>
#include <set>

#include "agent/task_files.h"
#include "agent/word_index.h"
#include "base/text.h"
#include "tools/failing_part.h"
#include "tools/word_list.h"

namespace pedro {
namespace {

constexpr int kMaxLines = 2000;

std::string without_digits(std::string_view line) {
  std::string text;
  for (const char c : trim(line)) {
    if (!is_digit(c)) text += c;
  }
  return replace_all(text, "targets failed", "target failed");  // cargo
}

constexpr std::size_t kFewestLetters = 3;    // of a short word
constexpr std::size_t kMostMoreLetters = 3;  // of a word that is like another one
constexpr std::size_t kLinesOfTest = 20;     // of the output, after the name of a test
constexpr std::size_t kMaxTaskIdentifiers = 100;

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

std::set<std::string> key_words_of(std::string_view text) {
  std::set<std::string> words;
  for (const std::string& word : key_words(split_camel_case(text))) {
    if (!is_one_of(word, kOfAnyTest)) words.insert(word);
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

// Returns the words of three letters or more in lower case, without those that say nothing.
std::set<std::string> short_words_of(std::string_view text) {
  static constexpr std::string_view kNothing[] = {"the",  "and",  "not",  "for",   "are",  "was",
                                                  "has",  "its",  "with", "that",  "this", "from",
                                                  "when", "test", "then", "should"};
  std::set<std::string> words;
  std::string word;
  const std::string spaced = to_lower(split_camel_case(text)) + " ";
  for (const char c : spaced) {
    if (c >= 'a' && c <= 'z') {
      word += c;
      continue;
    }
    if (word.size() >= kFewestLetters && !is_one_of(word, kNothing)) words.insert(word);
    word.clear();
  }
  return words;
}

// "box" is like "boxes".
bool is_alike(std::string_view a, std::string_view b) {
  if (a.size() > b.size()) std::swap(a, b);
  return b.starts_with(a) && b.size() - a.size() <= kMostMoreLetters;
}

bool share_a_word(const std::set<std::string>& some, const std::set<std::string>& others) {
  return std::any_of(some.begin(), some.end(), [&](const std::string& word) {
    return std::any_of(others.begin(), others.end(),
                       [&](const std::string& other) { return is_alike(word, other); });
  });
}

// Returns the output about a failed test: the lines after its name, up to the name of another one.
std::string output_about(std::string_view output, std::string_view test,
                         const std::vector<std::string>& failed) {
  const std::string_view leaf = leaf_of(test);
  std::string text;
  std::size_t left = 0;  // lines that still belong to the test
  for (const std::string_view line : split_lines(output)) {
    const bool is_named = has_whole_words(line, leaf);
    const bool is_of_other = std::any_of(failed.begin(), failed.end(), [&](const std::string& one) {
      return one != test && has_whole_words(line, leaf_of(one));
    });
    if (is_of_other) left = 0;
    if (is_named) left = kLinesOfTest;
    if (left == 0) continue;
    --left;
    text += std::string(line) + "\n";
  }
  return text;
}

// The words of a task, for comparison with tests.
struct TaskWords {
  explicit TaskWords(std::string_view task)
      : stems(key_words_of(task)),
        words(short_words_of(task)),
        identifiers(identifiers_in(task, kMaxTaskIdentifiers)) {}

  std::set<std::string> stems;
  std::set<std::string> words;
  std::vector<std::string> identifiers;
};

// Returns true if a failed test may be about the task, by its name or the identifiers in its
// output.
bool concerns(const std::string& test, const TaskWords& task, const CheckOutcome& outcome) {
  const std::set<std::string> words = key_words_of(test);
  const bool is_shared = std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return task.stems.contains(word);
  });
  if (is_shared || key_words_of(leaf_of(test)).empty()) return true;
  if (share_a_word(short_words_of(leaf_of(test)), task.words)) return true;
  const std::string output = output_about(outcome.output, test, outcome.tests.failed);
  return std::any_of(task.identifiers.begin(), task.identifiers.end(),
                     [&](const std::string& name) { return has_whole_words(output, name); });
}

}  // namespace

FailingLines::FailingLines(std::string_view output) {
  int lines = 0;
  for (const std::string_view line : split_lines(output)) {
    if (++lines > kMaxLines) return;
    const auto place = first_place(line);
    if (place && is_test_path(place->path)) test_places_.emplace(place->path, place->line);
    if (!tells_failure(line)) continue;
    ++counts_[without_digits(line)];
    ++total_;
  }
}

bool FailingLines::improves(const FailingLines& before) const {
  if (test_places_.size() == 1 && before.test_places_.size() == 1 && total_ <= before.total_) {
    const auto& [path, line] = *test_places_.begin();
    const auto& [path_before, line_before] = *before.test_places_.begin();
    if (path == path_before && line > line_before) return true;
  }
  return total_ > 0 && total_ < before.total_ && !adds_to(before);
}

bool FailingLines::adds_to(const FailingLines& before) const {
  return std::any_of(counts_.begin(), counts_.end(), [&before](const auto& failure) {
    const auto known = before.counts_.find(failure.first);
    return known == before.counts_.end() || known->second < failure.second;
  });
}

KnownFailures::KnownFailures(const std::vector<CheckOutcome>& baseline, std::string_view task) {
  if (is_about_failures(task)) return;
  const TaskWords words(task);
  for (const CheckOutcome& outcome : baseline) {
    if (outcome.passed || outcome.timed_out) continue;
    if (task.find(outcome.check.command) != task.npos) continue;
    Known known{outcome, {}};
    for (const std::string& test : outcome.tests.failed) {
      if (!concerns(test, words, outcome)) known.tests.push_back(test);
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
