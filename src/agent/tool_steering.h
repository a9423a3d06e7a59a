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

/// Which tools are likely to help next, from what calls have come to so far:
///   - one is encouraged whose inputs are there (what its manifest `consumes` was produced by calls
///     that succeeded);
///   - one is discouraged, more each time, that was called again without anything new: it failed,
///     or said what it had said before;
///   - phase_complete is encouraged where the phase's evidence is likely to be there.
/// What the user wants of tools (`model.tool_bias`) comes on top. Borrows the registry.
class ToolSteering {
 public:
  static constexpr double kReady = 0.5;
  static constexpr double kDone = 0.5;
  static constexpr double kIdle = -1;  ///< for each call without anything new, from the second on
  static constexpr double kMostIdle = -5;

  ToolSteering(const Registry& registry, std::vector<ToolBias> wanted)
      : registry_(registry), wanted_(std::move(wanted)) {}

  /// What was produced stays; what was tried in vain is forgotten.
  void begin_phase();
  /// What a call came to.
  void record(const ToolCall& call, const ToolResult& result);

  /// Of the tools that can be called, those with a bias other than 0.
  std::vector<ToolBias> biases(const Phase& phase, const ToolSet& tools) const;

 private:
  double bias_of(const std::string& tool) const;
  bool is_likely_done(const Phase& phase) const;

  const Registry& registry_;
  std::vector<ToolBias> wanted_;
  std::set<std::string> produced_;
  std::set<std::uint64_t> seen_;     // results
  std::map<std::string, int> idle_;  // by tool, calls in a row without anything new
  bool changed_ = false;             // in this phase
  bool tested_ = false;              // a test succeeded since
};

}  // namespace pedro
