#pragma once

#include "base/result.h"
#include "llm/json_client.h"

namespace pedro {

/// What is done about one reply that did not come: once more for each of two reasons, and never
/// without a notice. Nothing where model.max_retries is 0. What is waited for before a reply begins
/// (a refused connection, a model that is loading) is send_with_retry()'s. Borrows the client.
class ReplyRecovery {
 public:
  enum class Step {
    kGiveUp,
    kAskAgain,        ///< the same: its answer broke off or could not be read, or had bad luck
    kAskWithoutBias,  ///< the server cannot sample with the logit biases and the grammar together
  };

  explicit ReplyRecovery(JsonClient& client) : client_(client) {}

  /// What to do after `error`, which the client's last exchange came to; it has waited a moment
  /// where it is to be asked again. `biased`: the request had logit biases of the user's.
  Step next(const Error& error, bool biased);

 private:
  JsonClient& client_;
  bool has_asked_again_ = false;
  bool has_failed_to_sample_ = false;
};

}  // namespace pedro
