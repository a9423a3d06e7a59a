#pragma once

#include <cstdio>
#include <string>

#include "agent/run_observer.h"
#include "base/clock.h"
#include "llm/model.h"

namespace pedro {

enum class Verbosity { kQuiet, kNormal, kVerbose };

/// Shows a run on stderr. Writes one line per event. A terminal also has a rewritten status line
/// below them: phase, round, prefill, tokens per second, context window, end of the generated text.
/// Other outputs have only the lines, without escape sequences.
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

}  // namespace pedro
