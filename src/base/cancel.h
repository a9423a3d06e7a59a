#pragma once

#include <algorithm>
#include <atomic>
#include <cassert>
#include <limits>

#include "base/clock.h"

namespace pedro {

/// A cancellation flag, set at most once: by a signal handler, a test or a deadline. All waiting
/// code polls it at least every 100 ms and then stops with ErrorKind::kInterrupted. Lock-free;
/// async-signal-safe if there is no deadline.
class CancelToken {
 public:
  CancelToken() = default;
  /// A token that is also cancelled when `above` is, with its own deadline. Borrows both.
  CancelToken(const CancelToken& above, const Clock& clock) : above_(&above), clock_(&clock) {}
  CancelToken(const CancelToken&) = delete;
  CancelToken& operator=(const CancelToken&) = delete;

  /// `signal` is the signal number (SIGINT 2, SIGTERM 15). Only the first call has an effect.
  void cancel(int signal) {
    int none = 0;
    signal_.compare_exchange_strong(none, signal);
  }
  /// Sets the deadline in ticks of the clock, in milliseconds. Requires a clock.
  void end_at(long long ticks_ms) {
    assert(clock_ != nullptr);
    deadline_ms_ = ticks_ms;
  }

  bool cancelled() const { return signal() != 0 || left_s() <= 0; }
  /// The signal number, or 0 if no signal cancelled the token.
  int signal() const {
    const int own = signal_.load();
    return own == 0 && above_ != nullptr ? above_->signal() : own;
  }
  /// Seconds until the next deadline: 0 or less if it has passed, infinite if there is none.
  double left_s() const {
    constexpr double kAlways = std::numeric_limits<double>::infinity();
    const double above_s = above_ == nullptr ? kAlways : above_->left_s();
    const long long deadline_ms = deadline_ms_.load();
    if (deadline_ms == kNever) return above_s;
    return std::min(above_s, static_cast<double>(deadline_ms - clock_->ticks_ms()) / 1000);
  }

 private:
  static constexpr long long kNever = std::numeric_limits<long long>::max();

  const CancelToken* above_ = nullptr;
  const Clock* clock_ = nullptr;
  std::atomic<int> signal_{0};
  std::atomic<long long> deadline_ms_{kNever};
};

}  // namespace pedro
