#include "agent/checked_tree.h"

namespace pedro {

Result<std::vector<CheckOutcome>> CheckedTree::outcomes() {
  const Result<std::string> before = fingerprint();
  if (!before) return before.error();
  if (checks_.empty() || *before == checked_fingerprint_) return outcomes_;
  if (Status heard = observer_.on_checks_started(checks_); !heard) return heard.error();
  Result<std::vector<CheckOutcome>> outcomes =
      run_checks(checks_, tree_, repository_.processes(), timeout_s_, repository_.cancel());
  if (!outcomes) return outcomes;
  if (Status heard = observer_.on_checks_finished(*outcomes); !heard) return heard.error();
  // A check that changes files (a formatter) has checked what it left.
  const Result<std::string> after = fingerprint();
  if (!after) return after.error();
  checked_fingerprint_ = *after;
  outcomes_ = std::move(*outcomes);
  return outcomes_;
}

}  // namespace pedro
