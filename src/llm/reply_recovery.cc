#include "llm/reply_recovery.h"

#include <fmt/format.h>

#include <utility>

#include "base/text.h"

namespace pedro {

ReplyRecovery::Step ReplyRecovery::next(const Error& error, bool biased) {
  if (error.kind == ErrorKind::kInterrupted) return Step::kGiveUp;
  if (is_sampling_failure(client_.refusal())) {
    if (std::exchange(has_failed_to_sample_, true)) return Step::kGiveUp;
    const std::string why = fmt::format("{}; {}", client_.refusal().message,
                                        biased ? "continuing without logit_bias" : "asking again");
    if (!client_.prepare_retry(why)) return Step::kGiveUp;
    return biased ? Step::kAskWithoutBias : Step::kAskAgain;
  }
  if (!client_.is_spoiled() || client_.refusal().status != 0) return Step::kGiveUp;
  if (to_lower(error.message).find("overloaded") != std::string::npos) {
    if (++overloads_ >= client_.options().retry.max_attempts) return Step::kGiveUp;
    return client_.prepare_retry(error.message + "; asking again", overloads_) ? Step::kAskAgain
                                                                               : Step::kGiveUp;
  }
  if (std::exchange(has_asked_again_, true)) return Step::kGiveUp;
  return client_.prepare_retry(error.message + "; asking again") ? Step::kAskAgain : Step::kGiveUp;
}

}  // namespace pedro
