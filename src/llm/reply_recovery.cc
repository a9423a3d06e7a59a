#include "llm/reply_recovery.h"

#include <fmt/format.h>

#include <utility>

#include "llm/server_refusal.h"

namespace pedro {

std::optional<std::uint32_t> other_seed(std::optional<std::uint32_t> seed, std::size_t number) {
  constexpr std::uint32_t kStep = 0x9E3779B9;  // far from the seeds of other replies
  if (seed) *seed += static_cast<std::uint32_t>(number) * kStep;
  return seed;
}

Usage sum_of_tries(const Usage& cut, Usage next) {
  if (cut.prompt_tokens > 0) {
    next.prompt_tokens = cut.prompt_tokens;
    next.cached_tokens = cut.cached_tokens;
  }
  next.generated_tokens += cut.generated_tokens;
  next.prompt_ms += cut.prompt_ms;
  next.generate_ms += cut.generate_ms;
  return next;
}

std::string resample_notice(long long tokens) {
  return fmt::format("the reply repeated itself after {} tokens; asked again", tokens);
}

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
  ServerRefusal said = client_.refusal_in_stream();
  said.message += " " + error.message;
  if (is_passing(said)) {
    if (++overloads_ >= client_.options().retry.max_attempts) return Step::kGiveUp;
    return client_.prepare_retry(error.message + "; asking again", overloads_) ? Step::kAskAgain
                                                                               : Step::kGiveUp;
  }
  if (std::exchange(has_asked_again_, true)) return Step::kGiveUp;
  return client_.prepare_retry(error.message + "; asking again") ? Step::kAskAgain : Step::kGiveUp;
}

}  // namespace pedro
