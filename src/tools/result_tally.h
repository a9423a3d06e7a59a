#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pedro {

/// The sums of all test runs in one output.
struct ResultTally {
  std::vector<std::string> names;  ///< of failed tests
  long long failures = 0;          ///< as the runner counts them
  long long ran = 0;               ///< see TestResults
  bool is_certain = true;          ///< false if a run stopped early

  /// Adds a failed test. Removes durations and colors from its name.
  void add(std::string_view name);
  /// Adds the numbers of a summary.
  void count(long long failed, long long passed) {
    failures += failed;
    ran += failed + passed;
  }
};

/// Returns the number before `word` in a line: 2 for " failed" in "2 failed, 3 passed". 0 if there
/// is none.
long long count_before(std::string_view line, std::string_view word);
/// Returns the number after `word` and blanks: 2 for "fail" in "# fail 2". 0 if there is none.
long long count_after(std::string_view line, std::string_view word);

}  // namespace pedro
