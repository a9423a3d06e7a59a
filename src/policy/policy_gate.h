#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "policy/policy.h"

namespace pedro::policy {

enum class Answer {
  kYes,
  kNo,
  kAlways,  ///< yes, also for the same rule in the rest of the job
};

/// A question to the user.
struct Question {
  std::string what;    ///< the line that will run, or the action
  std::string why;     ///< the rules that require the question, one per line
  std::string always;  ///< the scope of `kAlways`
};

/// Errors: only kInterrupted.
using AskForPermission = std::function<Result<Answer>(const Question&)>;

/// One decision, for the journal.
struct Record {
  Request request;
  Verdict verdict = Verdict::kAllow;  ///< of the rules
  bool allowed = true;                ///< final decision
  std::string by;                     ///< "rules", "person", "earlier answer", "nobody to ask"
  std::vector<Finding> findings = {};
};

/// Asks the policy, and the user if the policy requires it, before an action. Use one per job, in
/// the job's thread. Borrows the policy.
class Gate {
 public:
  /// Without `ask`, actions that require a question are denied. `heard` receives each decision,
  /// unless there are no rules; a failed Status stops the job.
  Gate(const Policy& policy, AskForPermission ask, std::function<Status(const Record&)> heard)
      : policy_(policy), ask_(std::move(ask)), heard_(std::move(heard)) {}

  /// Returns nothing if the action is allowed, else the refusal and alternatives, for the model.
  Result<std::optional<std::string>> refusal(const Request& request);

  /// Returns the rules and lines that the user allowed with "always".
  const std::set<std::string>& standing() const { return always_; }
  /// Restores both sets from an earlier process.
  void restore(std::set<std::string> standing, std::vector<std::string> denied_asks) {
    always_ = std::move(standing);
    denied_asks_ = std::move(denied_asks);
  }

  /// Returns the actions denied by the user, or because there was no user to ask.
  const std::vector<std::string>& denied_asks() const { return denied_asks_; }

 private:
  Result<bool> ask_person(const Request& request, const Decision& decision, Record& record);

  const Policy& policy_;
  AskForPermission ask_;
  std::function<Status(const Record&)> heard_;
  std::set<std::string> always_;  // rules, and lines for which no rule is sure
  std::vector<std::string> denied_asks_;
};

}  // namespace pedro::policy
