#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "agent/phase.h"
#include "agent/tool_set.h"
#include "base/json.h"
#include "base/result.h"
#include "chat/message.h"
#include "llm/tool_bias.h"
#include "tools/registry.h"

namespace pedro {

/// Biases for the next choice of a tool, derived from earlier calls.
///   - Encourages a tool if its inputs exist: successful calls produced each kind that its
///     manifest `consumes`.
///   - Discourages a tool, increasingly, if repeated calls fail or return an earlier result.
///   - Encourages phase_complete if the phase's evidence probably exists.
/// Adds the user's biases (`model.tool_bias`). Borrows the registry; one thread.
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

/// Detects a model that loops: the same call with equal arguments and result, while no other call
/// changes a file. A call with a different result starts a new count.
class LoopGuard {
 public:
  /// Records a call. Returns the number of consecutive times that it had this result, 1 for the
  /// first time. `acts`: the call may have changed state that other calls read.
  int record(const ToolCall& call, const ToolResult& result, bool acts = false);

  /// Returns true if this call was refused or repeated a result, and no call has acted since.
  bool is_spent(const ToolCall& call) const;

  void clear() { seen_.clear(); }

  static constexpr int kHintAt = 2;   ///< repetitions before a hint to the model
  static constexpr int kStuckAt = 4;  ///< repetitions that end the phase

 private:
  struct Seen {
    std::uint64_t result = 0;
    int times = 0;
    bool changes = false;  // the call is itself an edit
    bool ok = true;
    std::size_t acts = 0;  // number of successful acts at that time
  };
  std::unordered_map<std::uint64_t, Seen> seen_;
  std::size_t acts_ = 0;
};

/// The user's preferences for tools: `model.tool_bias`.
struct ToolPreferences {
  std::vector<ToolBias> biases;
  std::set<std::string> blocked;
};

/// Parses {"search": 1, "git": -2, "bash": false}. A number from -10 to 10 is a bias for the choice
/// of the tool; false removes the tool. Errors: kConfig, naming an unknown tool or an invalid
/// value.
Result<ToolPreferences> read_tool_preferences(const Json& settings, const Registry& registry);

/// Removes blocked tools from all phases, and so from prompts and grammars.
void block_tools(Workflow& workflow, const std::set<std::string>& blocked);

}  // namespace pedro
