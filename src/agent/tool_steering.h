#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "agent/phase.h"
#include "agent/tool_set.h"
#include "chat/message.h"
#include "llm/tool_bias.h"
#include "tools/registry.h"

namespace pedro {

/// Biases for the next choice of a tool, derived from earlier calls:
///   - a tool is encouraged if its inputs exist: successful calls produced each kind that its
///     manifest `consumes`;
///   - a tool is discouraged, increasingly, if repeated calls fail or return an earlier result;
///   - phase_complete is encouraged if the phase's evidence probably exists.
/// The user's biases (`model.tool_bias`) are added. Borrows the registry; one thread.
class ToolSteering {
 public:
  static constexpr double kReady = 0.5;
  static constexpr double kDone = 0.5;
  static constexpr double kIdle = -1;  ///< per call without a new result, from the second
  static constexpr double kMostIdle = -5;

  ToolSteering(const Registry& registry, std::vector<ToolBias> wanted)
      : registry_(registry), wanted_(std::move(wanted)) {}

  /// Keeps the produced kinds; resets the rest.
  void begin_phase();
  /// Records the result of a call.
  void record(const ToolCall& call, const ToolResult& result);

  /// Returns the callable tools with a bias other than 0.
  std::vector<ToolBias> biases(const Phase& phase, const ToolSet& tools) const;

 private:
  double bias_of(const std::string& tool) const;
  bool is_likely_done(const Phase& phase) const;

  const Registry& registry_;
  std::vector<ToolBias> wanted_;
  std::set<std::string> produced_;
  std::set<std::uint64_t> seen_;     // hashes of results
  std::map<std::string, int> idle_;  // by tool, consecutive calls without a new result
  bool changed_ = false;             // in this phase
  bool tested_ = false;              // a test succeeded since the last change
};

}  // namespace pedro
