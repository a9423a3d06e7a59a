#include "agent/tool_steering.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "base/hash.h"
#include "base/text.h"
#include "base/utf8.h"

namespace pedro {
namespace {

constexpr std::string_view kTest = "test";

// Returns arguments in a canonical form: ignores the order of keys and blanks at the ends of
// strings.
std::string normalised(const Json& args) {
  nlohmann::json sorted;  // sorted by key, unlike Json
  for (const auto& [key, value] : args.items()) {
    if (value.is_string()) {
      sorted[key] = std::string(trim(value.get_ref<const std::string&>()));
    } else {
      sorted[key] = nlohmann::json::parse(to_line(value), nullptr, false);
    }
  }
  return sorted.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::uint64_t key_of(const ToolCall& call) {
  return hash_bytes(normalised(call.args), hash_bytes(call.tool + '\n'));
}

constexpr double kMaxToolBias = 10;

Error wrong(std::string_view tool, std::string_view what) {
  return Error{ErrorKind::kConfig,
               fmt::format("tool_bias: '{}': {}", make_printable(truncate_utf8(tool, 80)), what)};
}

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

int LoopGuard::record(const ToolCall& call, const ToolResult& result, bool acts) {
  const std::uint64_t outcome = hash_bytes(result.text, result.ok ? kHashSeed : ~kHashSeed);
  // An edit resets other counts, since the same result is then new information. Repeated edits
  // still count.
  const bool changes = !result.changed.empty();
  if (changes) std::erase_if(seen_, [](const auto& entry) { return !entry.second.changes; });
  if (acts && result.ok) ++acts_;
  Seen& seen = seen_[key_of(call)];
  seen.changes = changes;
  seen.times = seen.result == outcome ? seen.times + 1 : 1;
  seen.result = outcome;
  seen.ok = result.ok || result.may_repeat;
  seen.acts = acts_;
  return seen.times;
}

bool LoopGuard::is_spent(const ToolCall& call) const {
  const auto known = seen_.find(key_of(call));
  if (known == seen_.end() || known->second.acts != acts_) return false;
  return !known->second.ok || known->second.times >= kHintAt;
}

Result<ToolPreferences> read_tool_preferences(const Json& settings, const Registry& registry) {
  ToolPreferences out;
  const std::vector<std::string> names = registry.names();
  for (const auto& [tool, value] : settings.items()) {
    if (registry.find(tool) == nullptr) {
      return wrong(tool, fmt::format("there is no such tool{}; there are {}",
                                     did_you_mean(tool, names), join(names, ", ")));
    }
    if (value == false) {
      out.blocked.insert(tool);
      continue;
    }
    if (!value.is_number() || std::abs(value.get<double>()) > kMaxToolBias) {
      return wrong(tool, fmt::format("expected a number from -{0} to {0}, or false to block the "
                                     "tool, got {1}",
                                     kMaxToolBias, cut_middle(to_line(value), 80, "")));
    }
    out.biases.push_back({tool, value.get<double>()});
  }
  return out;
}

void block_tools(Workflow& workflow, const std::set<std::string>& blocked) {
  for (Phase& phase : workflow.phases) {
    std::erase_if(phase.tools, [&](const std::string& tool) { return blocked.contains(tool); });
  }
}

}  // namespace pedro
