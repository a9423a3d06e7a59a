#pragma once

#include <cstdio>
#include <string>
#include <string_view>

#include "agent/run_observer.h"
#include "base/clock.h"
#include "config/config.h"
#include "llm/model.h"
#include "sys/environment.h"
#include "sys/process.h"

namespace pedro {

enum class Verbosity { kQuiet, kNormal, kVerbose };

/// Shows a run on stderr. Writes one line per event. A terminal also has a rewritten status line
/// below them. It shows phase, round, prefill, tokens per second, context window and the end of the
/// generated text. Other outputs have only the lines, without escape sequences.
class Progress : public RunObserver {
 public:
  /// `colour` permits escape sequences. `columns` limits every line.
  Progress(const Clock& clock, Verbosity verbosity, bool terminal, bool colour, int columns,
           std::FILE* out = stderr)
      : clock_(clock),
        verbosity_(verbosity),
        terminal_(terminal),
        colour_(colour),
        columns_(columns),
        out_(out) {}
  ~Progress() override { clear_status(); }

  /// Returns the callbacks for the model, which refer to this object.
  GenerateEvents events();

  /// Removes the status line before other output.
  void make_room() { clear_status(); }

  Status on_phase_started(std::string_view phase, int number, int total) override;
  Status on_round_started(std::string_view phase, int round) override;
  Status on_reply(const Reply& reply, long long used_tokens, long long window_tokens) override;
  Status on_compaction(const CompactionReport& report) override;
  Status on_hook(const HookRun& run) override;
  Status on_call_started(const ToolCall& call) override;
  Status on_call_finished(const ToolCall& call, const ToolResult& result, bool valid) override;
  Status on_check_started(const Check& check) override;
  Status on_check_finished(const CheckOutcome& outcome) override;
  Status on_phase_finished(std::string_view phase, PhaseEnd end, const Json& output) override;
  void on_notice(std::string_view message) override;

 private:
  void write(std::string_view text);
  void line(std::string_view text);
  void show_heading();
  void begin_reply();
  bool is_time_to_show();
  void show_text(std::string_view text, long long tokens);
  void show_status(std::string_view detail, std::string_view written = {});
  void clear_status();
  std::string paint(std::string_view text, const char* code) const;

  const Clock& clock_;
  Verbosity verbosity_;
  bool terminal_;
  bool colour_;
  int columns_;
  std::FILE* out_;
  bool status_shown_ = false;
  std::string phase_;
  std::string heading_;  // of the phase, until its first output
  int round_ = 0;
  int answers_ = 0;      // answers that this try has written to files
  bool passes_ = false;  // the last answer passes
  std::string gauge_;
  long long tokens_ = 0;        // of the reply
  long long first_tokens_ = 0;  // of these, in the first text
  long long first_tokens_ms_ = 0;
  std::string written_;  // end of the reply
  long long last_shown_ms_ = 0;
};

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

/// Returns the bytes that make a terminal notify its user, or "" for an unknown kind. Kinds: "bell"
/// (BEL), "osc9" (OSC 9 of iTerm2, kitty, WezTerm, foot), "osc777" (OSC 777 of urxvt, foot,
/// ghostty). Control characters of the text are replaced, and text beyond 200 bytes is cut.
std::string notification_sequence(std::string_view kind, std::string_view text);

}  // namespace pedro
