#include "acp/job_plan.h"

#include <algorithm>

namespace pedro::acp {
namespace {

constexpr std::size_t kMaxPhases = 100;
constexpr std::size_t kMaxSteps = 50;

Json entry(const std::string& content, const std::string& status) {
  return {{"content", content}, {"priority", "medium"}, {"status", status}};
}

}  // namespace

void JobPlan::start_phase(const std::string& name, long long total) {
  total_ = total;
  const auto known = std::find_if(phases_.begin(), phases_.end(),
                                  [&](const Phase& phase) { return phase.name == name; });
  if (known != phases_.end()) {
    known->status = "in_progress";
  } else if (phases_.size() < kMaxPhases) {
    phases_.push_back({name, "in_progress"});
  }
}

void JobPlan::end_phase(const std::string& name, const std::string& end, const Json& output) {
  const auto phase = std::find_if(phases_.begin(), phases_.end(),
                                  [&](const Phase& one) { return one.name == name; });
  if (phase == phases_.end()) return;
  if (end == "skipped") {
    phases_.erase(phase);
    return;
  }
  phase->status = end == "completed" ? "completed" : "pending";
  phase->steps.clear();
  for (const Json& step : member(output, "steps")) {
    const std::string change = text_of(step, "change");
    if (change.empty() || phase->steps.size() >= kMaxSteps) continue;
    const std::string file = text_of(step, "file");
    phase->steps.push_back(file.empty() ? change : file + ": " + change);
  }
}

Json JobPlan::entries() const {
  Json entries = Json::array();
  for (std::size_t i = 0; i < phases_.size(); ++i) {
    entries.push_back(entry(phases_[i].name, phases_[i].status));
    const std::string status = i + 1 < phases_.size() ? phases_[i + 1].status : "pending";
    for (const std::string& step : phases_[i].steps) entries.push_back(entry(step, status));
  }
  return entries;
}

}  // namespace pedro::acp
