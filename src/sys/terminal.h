#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/cancel.h"
#include "base/result.h"

namespace pedro {

enum class StandardStream { kIn = 0, kOut = 1, kError = 2 };

bool is_terminal(StandardStream stream);

/// Returns the columns of the terminal; 80 if `stream` is not a terminal or its width is unknown.
int terminal_columns(StandardStream stream);

/// Reads one line from standard input without its newline; "" at the end. Consumes nothing after
/// the newline. Truncates the line to 4096 bytes. Errors: kInterrupted once `cancel` is set.
Result<std::string> read_line(const CancelToken& cancel);
/// The same with a limit of `max_bytes`. Returns nothing at the end.
Result<std::optional<std::string>> next_line(const CancelToken& cancel, std::size_t max_bytes);

/// Appends the next bytes of standard input, at most 64 KiB. Waits if there are none. Returns false
/// at the end.
bool read_input(std::string& bytes);

/// Makes SIGINT, SIGTERM, SIGHUP and SIGQUIT set `cancel`. A later SIGINT or SIGQUIT ends the
/// process at once. Ignores SIGPIPE, and leaves an ignored SIGHUP ignored. `cancel` must live as
/// long as the process. Call it once at startup.
void cancel_on_signals(CancelToken& cancel);

/// Ignores SIGTSTP, SIGTTIN and SIGTTOU from now on, also in programs started later. For a process
/// that must show signs of life to other hosts.
void ignore_stop_signals();

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
