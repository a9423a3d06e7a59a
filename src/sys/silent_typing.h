#pragma once

#include <memory>

namespace pedro {

/// While it exists, the terminal does not show typed characters, so that they do not mix with
/// output. Lines can still be read. Has no effect if standard input is not a terminal.
class SilentTyping {
 public:
  SilentTyping();
  /// Restores the settings from before.
  ~SilentTyping();
  SilentTyping(const SilentTyping&) = delete;
  SilentTyping& operator=(const SilentTyping&) = delete;

 private:
  struct Before;
  std::unique_ptr<Before> before_;  // null without a terminal
};

}  // namespace pedro
