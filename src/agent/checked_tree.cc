#include "agent/checked_tree.h"

namespace pedro {

Result<std::vector<CheckOutcome>> CheckedTree::outcomes() {
  Result<std::string> now = fingerprint();
  if (!now) return now.error();
  // A check that changes files (a formatter) may have changed what the one before it has seen, so
  // they run once more on what they left.
  for (int run = 0; run < 2 && !checks_.empty() && *now != checked_fingerprint_; ++run) {
    Result<std::vector<CheckOutcome>> outcomes = run_all();
    if (!outcomes) return outcomes;
    outcomes_ = std::move(*outcomes);
    checked_fingerprint_ = std::move(*now);
    now = fingerprint();
    if (!now) return now.error();
  }
  if (!checks_.empty()) checked_fingerprint_ = std::move(*now);
  return outcomes_;
}

Result<std::vector<CheckOutcome>> CheckedTree::run_all() {
  std::vector<CheckOutcome> outcomes;
  for (const Check& check : checks_) {
    if (Status heard = observer_.on_check_started(check); !heard) return heard.error();
    Result<CheckOutcome> outcome =
        run_check(check, tree_, repository_.processes(), timeout_s_, repository_.cancel());
    if (!outcome) return outcome.error();
    if (Status heard = observer_.on_check_finished(*outcome); !heard) return heard.error();
    outcomes.push_back(std::move(*outcome));
    if (!outcomes.back().passed) break;
  }
  return outcomes;
}

}  // namespace pedro
