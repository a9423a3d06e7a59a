#pragma once

#include <atomic>

namespace pedro {

/// Set once, by a signal handler or a test; everything that waits looks at it at least every
/// 100 ms and then stops with ErrorKind::kInterrupted. Lock-free and async-signal-safe.
class CancelToken {
 public:
  /// `signal` is the signal's number (SIGINT 2, SIGTERM 15); the first one stays.
  void cancel(int signal) {
    int none = 0;
    signal_.compare_exchange_strong(none, signal);
  }
  bool cancelled() const { return signal_.load() != 0; }
  /// The signal's number, 0 where nothing was cancelled.
  int signal() const { return signal_.load(); }

 private:
  std::atomic<int> signal_{0};
};

}  // namespace pedro
