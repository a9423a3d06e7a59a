#pragma once

#include <cstddef>
#include <vector>

#include "chat/message.h"

namespace pedro {

/// The speed of a server, measured from its replies. Times are milliseconds per token.
class ServerPace {
 public:
  /// Adds a reply that was generated alone.
  void add(const Usage& usage);
  /// Adds replies that were generated at the same time, at least two.
  void add_together(const std::vector<Usage>& replies);

  double prefill_ms() const { return prefill_ms_; }  ///< 0: unknown
  double decode_ms() const { return decode_ms_; }    ///< of a reply alone; 0: unknown
  /// Returns the time for a token of each of `width` replies. Until it is measured, each further
  /// reply is assumed to cost as much as a token of a prompt.
  double decode_ms(std::size_t width) const;

 private:
  double prefill_ms_ = 0;
  double decode_ms_ = 0;
  double further_ms_ = -1;  // per further reply; -1: unknown
};

/// Requests that differ only at their ends, and the slots for them.
struct WavePlan {
  std::size_t requests = 0;
  double tail_tokens = 0;   ///< of a prompt that the slots' caches lack
  double reply_tokens = 0;  ///< expected
  /// Tokens of the common part of the prompts that each further slot lacks.
  std::vector<double> cold_tokens = {};
};

/// Returns the number of requests to make at the same time. It has the shortest expected total
/// time, and is 1 if the pace is unknown. Each further slot evaluates the common part again. That
/// takes longer than it saves if the server is slow at prompts.
std::size_t wave_width(const WavePlan& plan, const ServerPace& pace);

}  // namespace pedro
