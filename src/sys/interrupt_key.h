#pragma once

namespace pedro {

/// While it exists, Ctrl-C (SIGINT) sets a flag and cancels nothing. Blocking calls end with EINTR.
/// At most one object per process.
class InterruptKey {
 public:
  InterruptKey();
  /// Restores the handler from before.
  ~InterruptKey();
  InterruptKey(const InterruptKey&) = delete;
  InterruptKey& operator=(const InterruptKey&) = delete;

  bool is_pressed() const;
  /// Returns true if the key was pressed since the last call.
  bool take();
};

}  // namespace pedro
