#pragma once

#include <cstdio>
#include <string>
#include <string_view>

#include "config/config.h"
#include "sys/environment.h"
#include "sys/process.h"

namespace pedro {

/// Notifies a user who may not be watching the terminal: with a terminal sequence, and with the
/// user's own command. Silent in CI (the environment variable CI). Borrows its arguments.
///
///     Notification notification(environment, processes, settings, stderr);
///     const std::string warning = notification.send("job 7e2c ended: done", 95);
class Notification {
 public:
  /// `terminal` is its stream; null without a terminal.
  Notification(const Environment& environment, ProcessRunner& processes,
               const NotifySettings& settings, std::FILE* terminal)
      : environment_(environment),
        processes_(processes),
        settings_(settings),
        terminal_(terminal) {}

  /// Sends the text. `after_s` is the time since the user's last input. Below kQuietSeconds the
  /// user probably watches, so nothing is sent. Waits for the user's command, at most 10 s. Returns
  /// the reason if that failed, else "".
  std::string send(std::string_view text, double after_s) const;

  static constexpr double kQuietSeconds = 20;

 private:
  std::string run_command(std::string_view text) const;

  const Environment& environment_;
  ProcessRunner& processes_;
  const NotifySettings& settings_;
  std::FILE* terminal_;
};

/// Returns the bytes that make a terminal notify its user: "bell" (BEL), "osc9" (OSC 9 of iTerm2,
/// kitty, WezTerm, foot) or "osc777" (OSC 777 of urxvt, foot, ghostty). "" for other kinds. Control
/// characters of the text are replaced, and text beyond 200 bytes is cut.
std::string notification_sequence(std::string_view kind, std::string_view text);

}  // namespace pedro
