#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "tools/policy.h"

namespace pedro {

enum class PolicyAnswer {
  kYes,
  kNo,
  kAlways,  ///< yes, and to the same rule for as long as the job runs
};

/// What a person is asked.
struct PolicyQuestion {
  std::string what;    ///< the line as it will run, or the action
  std::string why;     ///< the rules that want it, one per line
  std::string always;  ///< what `kAlways` would mean
};

/// Error: kInterrupted.
using AskForPermission = std::function<Result<PolicyAnswer>(const PolicyQuestion&)>;

/// One decision, for the journal.
struct PolicyRecord {
  PolicyRequest request;
  Verdict verdict = Verdict::kAllow;  ///< of the rules
  bool allowed = true;                ///< what came of it
  std::string by;                     ///< "rules", "person", "earlier answer", "nobody to ask"
  std::vector<PolicyFinding> findings = {};
};

/// Asks the policy, and where that says so a person, before something is done. One for each job;
/// belongs to its thread. Borrows the policy.
class PolicyGate {
 public:
  /// Without `ask` there is nobody, and what would be asked is denied. `heard` hears of every
  /// decision, unless there are no rules to decide by; a failed Status stops the job.
  PolicyGate(const Policy& policy, AskForPermission ask,
             std::function<Status(const PolicyRecord&)> heard)
      : policy_(policy), ask_(std::move(ask)), heard_(std::move(heard)) {}

  /// Nothing where it may be done, else why not and what may be done instead, for the model.
  Result<std::optional<std::string>> refusal(const PolicyRequest& request);

  /// What a person answered "always" to.
  const std::set<std::string>& standing() const { return always_; }
  /// What both were in the process before.
  void restore(std::set<std::string> standing, std::vector<std::string> denied_asks) {
    always_ = std::move(standing);
    denied_asks_ = std::move(denied_asks);
  }

  /// What was denied because somebody said no, or there was nobody to ask.
  const std::vector<std::string>& denied_asks() const { return denied_asks_; }

 private:
  Result<bool> ask_person(const PolicyRequest& request, const PolicyDecision& decision,
                          PolicyRecord& record);

  const Policy& policy_;
  AskForPermission ask_;
  std::function<Status(const PolicyRecord&)> heard_;
  std::set<std::string> always_;  // rules, and lines that no rule is sure about
  std::vector<std::string> denied_asks_;
};

}  // namespace pedro
