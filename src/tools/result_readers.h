#pragma once

#include <set>
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

/// Reads the output of `go test`, as text and with -json, and of `cargo test`, line by line.
class CompiledResults {
 public:
  /// Returns true if the line belongs to one of these runners.
  bool read(std::string_view line, ResultTally& tally);
  /// Adds what only the end of the output determines.
  void finish(ResultTally& tally);

 private:
  bool read_go(std::string_view line, ResultTally& tally);
  bool read_go_json(std::string_view line, ResultTally& tally);
  void end_go_package(std::string_view package, ResultTally& tally);
  bool read_cargo(std::string_view line, ResultTally& tally);

  std::vector<std::string> go_failed_;  // of the package whose name follows
  bool go_ended_ = false;               // the package ran to its end
  bool go_verbose_ = false;
  long long go_tests_ = 0;
  long long cargo_failed_targets_ = 0;
  bool cargo_summed_up_ = false;
};

/// Reads the output of `node --test` (as TAP and as text), other TAP, Jest, Vitest and Mocha, line
/// by line.
class JavascriptResults {
 public:
  /// Returns true if the line belongs to one of these runners.
  bool read(std::string_view line, ResultTally& tally);
  /// Adds what only the end of the output determines.
  void finish(ResultTally& tally);

 private:
  bool read_tap(std::string_view line);
  bool read_node(std::string_view line);
  bool read_node_summary(std::string_view line);
  bool read_jest(std::string_view line, ResultTally& tally);
  bool read_vitest(std::string_view line, ResultTally& tally);
  bool read_mocha(std::string_view line, ResultTally& tally);
  void finish_tap(ResultTally& tally);

  struct TapFailure {
    std::string name;
    bool is_nested = false;
  };
  std::vector<TapFailure> tap_failures_;
  bool is_last_failure_ = false;  // the last TAP result is the last of tap_failures_
  long long tap_results_ = 0;     // not nested
  long long tap_skipped_ = 0;
  long long tap_planned_ = -1;

  bool has_node_summary_ = false;
  bool is_repeating_ = false;  // node lists the failed tests a second time
  long long node_passed_ = 0;
  long long node_failed_ = 0;
  std::vector<std::string> node_open_;  // "  name" of suites, with their indentation
  std::vector<std::string> node_names_;

  std::string jest_file_;
  std::set<std::string> jest_names_;

  bool in_mocha_list_ = false;
  std::string mocha_name_;  // incomplete
};

}  // namespace pedro
