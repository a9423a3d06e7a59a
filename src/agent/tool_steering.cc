#include "agent/tool_steering.h"

#include <algorithm>

#include "base/hash.h"

namespace pedro {
namespace {

constexpr std::string_view kTest = "test";

}  // namespace

void ToolSteering::begin_phase() {
  seen_.clear();
  idle_.clear();
  changed_ = false;
  tested_ = false;
}

void ToolSteering::record(const ToolCall& call, const ToolResult& result) {
  const bool is_new = seen_.insert(hash_bytes(result.text, hash_bytes(call.tool))).second;
  int& idle = idle_[call.tool];
  idle = result.ok && (is_new || !result.changed.empty()) ? 0 : idle + 1;
  if (!result.ok) return;
  if (const Manifest* tool = registry_.find(call.tool); tool != nullptr) {
    produced_.insert(tool->produces.begin(), tool->produces.end());
  }
  if (!result.changed.empty()) {
    changed_ = true;
    tested_ = false;
  } else if (call.tool == kTest) {
    tested_ = true;
  }
}

bool ToolSteering::is_likely_done(const Phase& phase) const {
  switch (phase.evidence) {
    case Evidence::kNone:
    case Evidence::kFailure:
    case Evidence::kLook:
    case Evidence::kPlaces:
    case Evidence::kDiffLines:
    case Evidence::kMaterial:
    case Evidence::kLengths:
      return false;
    case Evidence::kChange:
      return changed_;
    case Evidence::kChecks:
      return tested_;
    case Evidence::kSolution:
      return changed_ && tested_;
  }
  return false;
}

double ToolSteering::bias_of(const std::string& name) const {
  double bias = 0;
  const Manifest* tool = registry_.find(name);
  const auto is_there = [&](const std::string& kind) { return produced_.contains(kind); };
  if (tool != nullptr && !tool->consumes.empty() &&
      std::all_of(tool->consumes.begin(), tool->consumes.end(), is_there)) {
    bias += kReady;
  }
  const auto idle = idle_.find(name);
  if (idle != idle_.end() && idle->second >= 2) {
    bias += std::max(kMostIdle, kIdle * (idle->second - 1));
  }
  return bias;
}

std::vector<ToolBias> ToolSteering::biases(const Phase& phase, const ToolSet& tools) const {
  std::vector<ToolBias> out;
  for (const CallBranch& call : tools.calls()) {
    const auto same = [&](const ToolBias& known) { return known.tool == call.tool; };
    if (std::any_of(out.begin(), out.end(), same)) continue;
    double bias = call.tool == kPhaseComplete && is_likely_done(phase) ? kDone : bias_of(call.tool);
    const double computed = bias;
    for (const ToolBias& wanted : wanted_) bias += same(wanted) ? wanted.bias : 0;
    out.push_back({call.tool, bias, computed});
  }
  std::erase_if(out, [](const ToolBias& one) { return one.bias == 0; });
  return out;
}

}  // namespace pedro
