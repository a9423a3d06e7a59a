#include "tools/test_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <tuple>

#include "base/text.h"
#include "base/utf8.h"
#include "tools/result_readers.h"
#include "tools/run_noise.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxReasonBytes = 200;
constexpr int kNotExecutable = 126;  // exit codes of a shell
constexpr int kNotFound = 127;

// Messages of test runners that found no tests.
constexpr std::string_view kNoTests[] = {
    "no tests were found", "collected 0 items", "no tests ran",    "ran 0 tests",
    "no tests found",      "missing script",    "no tests defined"};
// Ends of messages about commands that a Makefile or a script could not start.
constexpr std::string_view kNotStarted[] = {"error 127", "error 126", ": command not found",
                                            "no rule to make target 'test'",
                                            "no rule to make target 'check'"};

std::string line_with(std::string_view output, std::string_view words) {
  for (const std::string_view line : split_lines(output)) {
    if (to_lower(line).find(words) == std::string::npos) continue;
    return std::string(trim(truncate_utf8(line, kMaxReasonBytes)));
  }
  return "";
}

// Returns true if `line` reports a missing module that the command names after "-m".
bool misses_runner(std::string_view command, std::string_view line) {
  const std::vector<std::string_view> words = split(command, ' ');
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (words[i] == "-m" && line.find(words[i + 1]) != line.npos) return true;
  }
  return false;
}

// Returns true if go or cargo found packages, but no tests.
bool has_only_empty_packages(std::string_view output) {
  bool is_empty = false;
  for (const std::string_view line : split_lines(output)) {
    const std::string_view text = trim(line);
    if (text.ends_with("[no test files]") || text == "running 0 tests") {
      is_empty = true;
    } else if (text.starts_with("ok ") || text.starts_with("FAIL") || text.starts_with("--- ") ||
               text.starts_with("running ") || text.starts_with("error")) {
      return false;
    }
  }
  return is_empty;
}

// Returns the only line of make if a file or folder with the target's name hides the target.
std::string hidden_target(std::string_view command, std::string_view output) {
  const std::string_view target = command.substr(command.rfind(' ') + 1);
  const std::string_view line = trim(output);
  const std::string end = fmt::format("'{}' is up to date.", target);
  return line.starts_with("make") && line.ends_with(end) && line.find('\n') == line.npos
             ? std::string(line)
             : "";
}

constexpr std::size_t kMaxNames = 2000;
constexpr std::string_view kStoppedEarly[] = {"stopping after",
                                              "Interrupted:", "unexpected success"};

class PythonResults {
 public:
  bool read(std::string_view line, ResultTally& tally) {
    return read_pytest(line, tally) || read_unittest(line, tally);
  }
  void finish(ResultTally&) {}

 private:
  // "FAILED a.py::test - why", "ERROR a.py - why", "= 1 failed, 2 passed, 1 error in 0.1s ="
  static bool read_pytest(std::string_view line, ResultTally& tally) {
    for (const std::string_view word : {"FAILED ", "ERROR "}) {
      if (!line.starts_with(word) || line.starts_with("FAILED (")) continue;
      const std::string_view rest = line.substr(word.size());
      tally.add(rest.substr(0, rest.find(" - ")));
      return true;
    }
    const std::string_view plain =
        trim(line.substr(std::min(line.find_first_not_of('='), line.size())));
    const bool is_summary =
        !plain.empty() && is_digit(plain[0]) && plain.find(" in ") != plain.npos;
    if (!is_summary) return false;
    tally.count(count_before(plain, " failed") + count_before(plain, " error"),
                count_before(plain, " passed") + count_before(plain, " xpassed"));
    return true;
  }

  // "FAIL: test (m.T.test) (i=1)", "Ran 5 tests in 0.1s", "FAILED (failures=1, skipped=1)"
  static bool read_unittest(std::string_view line, ResultTally& tally) {
    for (const std::string_view word : {"FAIL: ", "ERROR: "}) {
      if (!line.starts_with(word)) continue;
      tally.add(line.substr(word.size()));
      return true;
    }
    if (line.starts_with("Ran ")) {
      tally.ran += count_after(line, "Ran");
      return true;
    }
    if (!line.starts_with("FAILED (") && !line.starts_with("OK (")) return false;
    tally.failures += count_after(line, "failures=") + count_after(line, "errors=");
    tally.ran -= count_after(line, "skipped=");
    return true;
  }
};

class CtestResults {
 public:
  // "50% tests passed, 1 tests failed out of 2", "The following tests FAILED:", " 2 - a (Failed)"
  bool read(std::string_view line, ResultTally& tally) {
    if (line.find("% tests passed, ") != line.npos) {
      const long long failed = count_before(line, " tests failed");
      tally.count(failed, count_after(line, "out of") - failed);
      list_ = List::kNone;
    } else if (line.starts_with("The following tests FAILED")) {
      list_ = List::kFailed;
    } else if (line.starts_with("The following tests did not run")) {
      list_ = List::kNotRun;
    } else {
      return list_ != List::kNone && read_item(line, tally);
    }
    return true;
  }
  void finish(ResultTally&) {}

 private:
  enum class List { kNone, kFailed, kNotRun };

  bool read_item(std::string_view line, ResultTally& tally) const {
    const std::size_t dash = line.find(" - ");
    if (dash == line.npos) return false;
    if (list_ == List::kFailed) tally.add(line.substr(dash + 3, line.rfind(" (") - dash - 3));
    // Skipped tests are part of the total, disabled ones are not.
    if (list_ == List::kNotRun && trim(line).ends_with("(Skipped)")) --tally.ran;
    return true;
  }

  List list_ = List::kNone;
};

class MesonResults {
 public:
  // "Summary of Failures:", "2/6 p:cart / total FAIL 0.03s exit status 1", "Fail:          1"
  bool read(std::string_view line, ResultTally& tally) {
    if (line.starts_with("Summary of Failures:")) {
      is_listing_ = true;
      return true;
    }
    for (const std::string_view word :
         {"Ok:   ", "Expected Fail:   ", "Fail:   ", "Unexpected Pass:   ", "Timeout:   "}) {
      if (!line.starts_with(word)) continue;
      is_listing_ = false;
      const long long count = count_after(line, word);
      const bool is_failure = word[0] == 'F' || word[0] == 'U' || word[0] == 'T';
      tally.count(is_failure ? count : 0, is_failure ? 0 : count);
      return true;
    }
    return is_listing_ && read_failure(trim(line), tally);
  }
  void finish(ResultTally&) {}

 private:
  static bool read_failure(std::string_view line, ResultTally& tally) {
    if (line.empty() || !is_digit(line[0])) return false;
    for (const std::string_view end : {" FAIL ", " TIMEOUT ", " UNEXPECTEDPASS ", " ERROR "}) {
      const std::size_t at = line.find(end);
      const std::size_t begin = line.find(' ');
      if (at == line.npos || begin >= at) continue;
      tally.add(trim(line.substr(begin, at - begin)));
      return true;
    }
    return false;
  }

  bool is_listing_ = false;
};

// Runners whose names are not read.
class OtherResults {
 public:
  // RSpec: "5 examples, 1 failure"; PHPUnit: "OK (5 tests, 7 assertions)", "Tests: 5, Assertions:
  // 7"
  bool read(std::string_view line, ResultTally& tally) {
    const long long examples = count_before(line, " examples, ") + count_before(line, " example, ");
    const bool is_phpunit = line.starts_with("OK (") || line.find(", Assertions: ") != line.npos;
    const long long tests =
        !is_phpunit ? 0
                    : std::max({count_before(line, " tests"), count_before(line, " test,"),
                                count_after(line, "Tests:")});
    tally.ran += examples + tests;
    if (examples + tests == 0) return false;
    if (!line.starts_with("OK (") && line.find(" 0 failures") == line.npos)
      tally.is_certain = false;
    return true;
  }
  void finish(ResultTally&) {}
};

using Readers = std::tuple<CompiledResults, JavascriptResults, MesonResults, CtestResults,
                           OtherResults, PythonResults>;

}  // namespace

std::string tests_nothing(std::string_view command, std::string_view output, int exit_code) {
  if (exit_code == kNotFound || exit_code == kNotExecutable) {
    const std::string line = line_with(output, "not found");
    return line.empty() ? fmt::format("exit {}", exit_code) : line;
  }
  for (const std::string_view words : kNoTests) {
    std::string line = line_with(output, words);
    // pytest collects nothing from a file that it cannot import.
    const bool is_broken = words.starts_with("collected") && line.find("error") != line.npos;
    if (!line.empty() && !is_broken) return line;
  }
  if (exit_code != 0) {
    for (const std::string_view words : kNotStarted) {
      if (std::string line = line_with(output, words); !line.empty()) return line;
    }
    std::string line = line_with(output, "no module named ");
    if (!line.empty() && misses_runner(command, line)) return line;
  }
  if (std::string line = hidden_target(command, output); !line.empty()) return line;
  return has_only_empty_packages(output) ? "no test files" : "";
}

void ResultTally::add(std::string_view name) {
  names.push_back(without_run_noise(name));
}

long long count_before(std::string_view line, std::string_view word) {
  const std::size_t end = line.find(word);
  if (end == line.npos) return 0;
  std::size_t begin = end;
  while (begin > 0 && is_digit(line[begin - 1])) --begin;
  long long number = 0;
  (void)std::from_chars(line.data() + begin, line.data() + end, number);
  return number;
}

long long count_after(std::string_view line, std::string_view word) {
  const std::size_t at = line.find(word);
  if (at == line.npos) return 0;
  const std::string_view rest = trim(line.substr(at + word.size()));
  long long number = 0;
  (void)std::from_chars(rest.data(), rest.data() + rest.size(), number);
  return number;
}

TestResults read_test_results(std::string_view output) {
  ResultTally tally;
  Readers readers;
  for (const std::string_view line : split_lines(output)) {
    for (const std::string_view words : kStoppedEarly) {
      if (line.find(words) != line.npos) tally.is_certain = false;
    }
    std::apply([&](auto&... reader) { (void)(reader.read(line, tally) || ...); }, readers);
  }
  std::apply([&](auto&... reader) { (reader.finish(tally), ...); }, readers);
  std::sort(tally.names.begin(), tally.names.end());
  const bool is_known = tally.is_certain && tally.names.size() <= kMaxNames &&
                        static_cast<long long>(tally.names.size()) == tally.failures;
  return {is_known ? std::move(tally.names) : std::vector<std::string>(), std::max(tally.ran, 0LL),
          tally.failures};
}

}  // namespace pedro
