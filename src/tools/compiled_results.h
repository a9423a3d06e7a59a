#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/result_tally.h"

namespace pedro {

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

}  // namespace pedro
