#pragma once

#include <algorithm>
#include <atomic>
#include <cassert>
#include <limits>

#include "base/clock.h"

namespace pedro {

/// Set once, by a signal handler, a test, or because it is time; everything that waits looks at it
/// at least every 100 ms and then stops with ErrorKind::kInterrupted. Lock-free, and without a
/// deadline async-signal-safe.
class CancelToken {
 public:
  CancelToken() = default;
  /// Also cancelled when `above` is, and at a deadline of its own. Borrows both.
  CancelToken(const CancelToken& above, const Clock& clock) : above_(&above), clock_(&clock) {}
  CancelToken(const CancelToken&) = delete;
  CancelToken& operator=(const CancelToken&) = delete;

  /// `signal` is the signal's number (SIGINT 2, SIGTERM 15); the first one stays.
  void cancel(int signal) {
    int none = 0;
    signal_.compare_exchange_strong(none, signal);
  }
  /// On the clock's ticks. Requires a clock.
  void end_at(long long ticks_ms) {
    assert(clock_ != nullptr);
    deadline_ms_ = ticks_ms;
  }

  bool cancelled() const { return signal() != 0 || left_s() <= 0; }
  /// The signal's number, 0 where no signal cancelled it.
  int signal() const {
    const int own = signal_.load();
    return own == 0 && above_ != nullptr ? above_->signal() : own;
  }
  /// Until the next deadline, in seconds, not positive behind it; infinite where there is none.
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
