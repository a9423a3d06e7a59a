#include "tools/test_results.h"

#include <algorithm>
#include <charconv>

#include "base/text.h"
#include "tools/run_noise.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxNames = 2000;
constexpr std::string_view kStoppedEarly[] = {"stopping after",
                                              "Interrupted:", "unexpected success"};

// Returns the number that ends at the byte `end`; 0 if there is none.
long long number_before(std::string_view text, std::size_t end) {
  std::size_t begin = end;
  while (begin > 0 && is_digit(text[begin - 1])) --begin;
  long long number = 0;
  (void)std::from_chars(text.data() + begin, text.data() + end, number);
  return number;
}

// Returns the number before `word` in a summary: 2 for " failed" in "2 failed, 3 passed in 1s".
long long count_before(std::string_view line, std::string_view word) {
  const std::size_t at = line.find(word);
  return at == line.npos ? 0 : number_before(line, at);
}

// Returns the number after `word`: 2 for "errors=" in "FAILED (failures=1, errors=2)".
long long count_after(std::string_view line, std::string_view word) {
  const std::size_t at = line.find(word);
  if (at == line.npos) return 0;
  std::size_t end = at + word.size();
  while (end < line.size() && is_digit(line[end])) ++end;
  return number_before(line, end);
}

class ResultReader {
 public:
  void read(std::string_view line) {
    for (const std::string_view words : kStoppedEarly) {
      if (line.find(words) != line.npos) is_certain_ = false;
    }
    if (!read_pytest(line) && !read_unittest(line)) read_ctest(line);
  }

  TestResults results() && {
    std::sort(names_.begin(), names_.end());
    const bool is_known = is_certain_ && names_.size() <= kMaxNames &&
                          static_cast<long long>(names_.size()) == counted_;
    return {is_known ? std::move(names_) : std::vector<std::string>(), passed_};
  }

 private:
  void add(std::string_view name) { names_.push_back(without_run_noise(name)); }

  // "FAILED a.py::test - why", "ERROR a.py - why", "= 1 failed, 2 passed, 1 error in 0.1s ="
  bool read_pytest(std::string_view line) {
    for (const std::string_view word : {"FAILED ", "ERROR "}) {
      if (!line.starts_with(word) || line.starts_with("FAILED (")) continue;
      const std::string_view rest = line.substr(word.size());
      add(rest.substr(0, rest.find(" - ")));
      return true;
    }
    const std::string_view plain =
        trim(line.substr(std::min(line.find_first_not_of('='), line.size())));
    const bool is_summary =
        !plain.empty() && is_digit(plain[0]) && plain.find(" in ") != plain.npos;
    if (!is_summary) return false;
    counted_ += count_before(plain, " failed") + count_before(plain, " error");
    passed_ += count_before(plain, " passed");
    return true;
  }

  // "FAIL: test (m.T.test) (i=1)", "Ran 5 tests in 0.1s", "FAILED (failures=1, errors=1)"
  bool read_unittest(std::string_view line) {
    for (const std::string_view word : {"FAIL: ", "ERROR: "}) {
      if (!line.starts_with(word)) continue;
      add(line.substr(word.size()));
      return true;
    }
    if (line.starts_with("Ran ")) {
      passed_ += count_after(line, "Ran ");
      return true;
    }
    if (!line.starts_with("FAILED (")) return false;
    const long long failed = count_after(line, "failures=") + count_after(line, "errors=");
    counted_ += failed;
    passed_ -= failed;
    return true;
  }

  // "50% tests passed, 1 tests failed out of 2", "The following tests FAILED:", "  2 - cart
  // (Failed)"
  void read_ctest(std::string_view line) {
    if (const std::size_t at = line.find("% tests passed, "); at != line.npos) {
      const long long failed = count_before(line, " tests failed");
      counted_ += failed;
      passed_ += count_after(line, "out of ") - failed;
      in_ctest_list_ = false;
    } else if (line.starts_with("The following tests FAILED")) {
      in_ctest_list_ = true;
    } else if (const std::size_t dash = line.find(" - "); in_ctest_list_ && dash != line.npos) {
      add(line.substr(dash + 3, line.rfind(" (") - dash - 3));
    }
  }

  std::vector<std::string> names_;
  long long counted_ = 0;  // failures, as the runner counts them
  long long passed_ = 0;
  bool is_certain_ = true;
  bool in_ctest_list_ = false;
};

}  // namespace

TestResults read_test_results(std::string_view output) {
  ResultReader reader;
  for (const std::string_view line : split_lines(output)) reader.read(line);
  return std::move(reader).results();
}

}  // namespace pedro
