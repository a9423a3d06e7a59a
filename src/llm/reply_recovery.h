#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "chat/message.h"
#include "llm/json_client.h"

namespace pedro {

/// Decides how to recover from a failed reply. Repeats a request at most once for each of two
/// reasons, with a notice, and never if model.max_retries is 0. Repeats a reply that reports an
/// overload (is_passing()) as often as model.max_retries. send_with_retry() handles failures before
/// a reply begins (a refused connection, a model that is loading). Borrows the client.
class ReplyRecovery {
 public:
  enum class Step {
    kGiveUp,
    kAskAgain,        ///< the same request: its answer broke off, was malformed or failed by chance
    kAskWithoutBias,  ///< the server cannot sample with both logit biases and the grammar
  };

  explicit ReplyRecovery(JsonClient& client) : client_(client) {}

  /// Returns the next step after `error` of the client's last exchange. Waits a moment before a
  /// repetition. `biased`: the request had the user's logit biases.
  Step next(const Error& error, bool biased);

 private:
  JsonClient& client_;
  bool has_asked_again_ = false;
  bool has_failed_to_sample_ = false;
  int overloads_ = 0;  // replies that reported one
};

/// Limit of further samples after a loop (LoopDetector).
inline constexpr std::size_t kMaxResamples = 2;
/// Minimum temperature of further samples.
inline constexpr double kResampleTemperature = 0.6;

/// Returns the seed of sample `number`, from 1; nullopt without a seed.
std::optional<std::uint32_t> other_seed(std::optional<std::uint32_t> seed, std::size_t number);

/// Adds the usage of a cut reply and of the next sample, whose prompt was cached.
Usage sum_of_tries(const Usage& cut, Usage next);

/// Returns the notice about a reply that was cut after `tokens` tokens.
std::string resample_notice(long long tokens);

}  // namespace pedro
