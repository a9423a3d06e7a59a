#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tools/result_tally.h"

namespace pedro {

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
