#include "progress.h"

#include <fmt/format.h>

#include <utility>

#include "base/text.h"
#include "base/utf8.h"
#include "job/journal_text.h"
#include "tools/terminal_text.h"

namespace pedro {
namespace {

constexpr long long kStatusEveryMs = 100;
constexpr std::string_view kSeparator = " · ";

std::string gauge(long long used, long long window) {
  if (window <= 0) return "";
  const long long percent = used * 100 / window;
  return fmt::format("window {}% of {}", percent, window);
}

constexpr std::size_t kMaxNotificationBytes = 200;
constexpr double kCommandSeconds = 10;

bool is_ci(const Environment& environment) {
  const std::string ci = environment.get("CI");
  return !ci.empty() && ci != "0" && ci != "false";
}

}  // namespace

std::string Progress::paint(std::string_view text, const char* code) const {
  return colour_ ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
}

void Progress::write(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), out_);
  std::fflush(out_);
}

void Progress::clear_status() {
  if (!status_shown_) return;
  write("\r\x1b[K");
  status_shown_ = false;
}

void Progress::show_heading() {
  if (!heading_.empty()) line(std::exchange(heading_, ""));
}

void Progress::line(std::string_view text) {
  if (verbosity_ == Verbosity::kQuiet) return;
  show_heading();
  clear_status();
  write(fmt::format("{}\n", text));
}

// Shows the end of `written` in the remaining columns.
void Progress::show_status(std::string_view detail, std::string_view written) {
  if (!terminal_ || verbosity_ == Verbosity::kQuiet) return;
  std::string text = fit_columns(fmt::format("{} · round {} · {}{}{}", phase_, round_, detail,
                                             gauge_.empty() ? "" : " · ", gauge_),
                                 columns_ - 1);
  const auto room = static_cast<std::size_t>(columns_ - 1 - columns_of(text));
  if (!written.empty() && room > kSeparator.size()) {
    text += kSeparator;
    text += tail_utf8(one_line(written), room - kSeparator.size());
  }
  write("\r\x1b[K" + text);
  status_shown_ = true;
}

void Progress::begin_reply() {
  tokens_ = 0;
  first_tokens_ = 0;
  written_.clear();
}

bool Progress::is_time_to_show() {
  const long long now = clock_.ticks_ms();
  if (now - last_shown_ms_ < kStatusEveryMs) return false;
  last_shown_ms_ = now;
  return true;
}

void Progress::show_text(std::string_view text, long long tokens) {
  tokens_ += tokens;
  if (first_tokens_ == 0) {
    first_tokens_ = tokens_;
    first_tokens_ms_ = clock_.ticks_ms();
  }
  written_ = tail_utf8(written_ + std::string(text), static_cast<std::size_t>(columns_));
  if (!is_time_to_show()) return;
  const double seconds = static_cast<double>(clock_.ticks_ms() - first_tokens_ms_) / 1000;
  const double rate = seconds > 0 ? static_cast<double>(tokens_ - first_tokens_) / seconds : 0;
  show_status(fmt::format("{} tokens, {:.1f}/s", tokens_, rate), written_);
}

GenerateEvents Progress::events() {
  GenerateEvents events;
  events.on_prefill = [this](long long processed, long long total) {
    if (processed >= total || !is_time_to_show()) return;
    const long long percent = processed * 100 / total;
    show_status(fmt::format("reading {}% of {} tokens", percent, total));
  };
  events.on_text = [this](std::string_view text, long long tokens) { show_text(text, tokens); };
  events.on_notice = [this](std::string_view message) { on_notice(message); };
  return events;
}

Status Progress::on_phase_started(std::string_view phase, int number, int total) {
  phase_ = phase;
  heading_ = paint(fmt::format("[{}/{}] {}", number, total, phase), "1");
  return {};
}

Status Progress::on_round_started(std::string_view, int round) {
  round_ = round;
  show_heading();
  begin_reply();
  show_status("waiting");
  return {};
}

Status Progress::on_reply(const Reply& reply, long long used_tokens, long long window_tokens) {
  gauge_ = gauge(used_tokens, window_tokens);
  begin_reply();
  const Usage& usage = reply.usage;
  const double rate = usage.generate_ms > 0
                          ? static_cast<double>(usage.generated_tokens) * 1000 / usage.generate_ms
                          : 0;
  if (const int answers = std::exchange(answers_, 0); answers > 0) {
    line(fmt::format("  try {}: {} {}, {}; {} tokens, {:.1f}/s", round_, answers,
                     answers == 1 ? "answer" : "answers",
                     passes_ ? paint("the last one passes", "32") : "none passes",
                     usage.generated_tokens, rate));
  }
  if (verbosity_ != Verbosity::kVerbose) return {};
  line(fmt::format("  round {}: {} prompt tokens ({} cached), {} generated at {:.1f}/s, {}", round_,
                   usage.prompt_tokens, usage.cached_tokens, usage.generated_tokens, rate, gauge_));
  return {};
}

Status Progress::on_hook(const HookRun& run) {
  const std::string name = fmt::format("  hook {} {}", to_string(run.event), one_line(run.command));
  if (run.blocked) line(name + ": blocked");
  if (!run.problem.empty()) line(name + ": failed: " + one_line(run.problem));
  return {};
}

Status Progress::on_compaction(const CompactionReport& report) {
  std::size_t cleared = 0;
  for (const CompactionReport::Left& one : report.left) cleared += one.cleared;
  const char* about = report.estimated ? kAbout : "";
  line(fmt::format("  context: {}{} -> {}{} tokens, {} steps and {} results removed", about,
                   report.before, about, report.after, report.left.size() - cleared, cleared));
  if (!report.note_problem.empty()) line("  context: no summary: " + report.note_problem);
  return {};
}

Status Progress::on_call_started(const ToolCall& call) {
  show_status(call_text(call.tool, call.args));
  return {};
}

Status Progress::on_call_finished(const ToolCall& call, const ToolResult& result, bool valid) {
  if (call.by_harness && verbosity_ != Verbosity::kVerbose) {
    ++answers_;
    return {};
  }
  const std::string mark =
      result.ok ? paint("ok", "32") : paint(valid ? "failed" : "refused", "33");
  line(fmt::format("  {} {}", mark, fit_columns(call_text(call.tool, call.args), columns_ - 10)));
  if (!result.ok || verbosity_ == Verbosity::kVerbose) {
    const auto lines = split_lines(result.text);
    const std::size_t shown = verbosity_ == Verbosity::kVerbose ? 20 : 1;
    for (std::size_t i = 0; i < lines.size() && i < shown; ++i) {
      line("     " + fit_columns(lines[i], columns_ - 6));
    }
  }
  return {};
}

Status Progress::on_check_started(const Check& check) {
  show_status("checking: " + check.command);
  return {};
}

Status Progress::on_check_finished(const CheckOutcome& outcome) {
  if (answers_ > 0) {  // reported together
    passes_ = outcome.passed;
    return {};
  }
  line(fmt::format("  {} {} ({:.1f} s)", outcome.passed ? paint("pass", "32") : paint("FAIL", "31"),
                   fit_columns(outcome.check.command, columns_ - 20), outcome.duration_s));
  return {};
}

// Shows nothing for a skipped phase.
Status Progress::on_phase_finished(std::string_view phase, PhaseEnd end, const Json& output) {
  if (end == PhaseEnd::kSkipped) {
    heading_.clear();
    return {};
  }
  if (end == PhaseEnd::kCompleted) {
    const std::string summary = text_of(output, "summary");
    if (!summary.empty()) line("  " + fit_columns(summary, columns_ - 3));
  } else {
    line(fmt::format("  {}: {}", phase, to_string(end)));
  }
  return {};
}

void Progress::on_notice(std::string_view message) {
  line(fmt::format("  {}", message));
}

std::string notification_sequence(std::string_view kind, std::string_view text) {
  if (kind == "bell") return "\a";
  std::string shown =
      replace_all(make_printable(truncate_utf8(text, kMaxNotificationBytes)), "\n", " ");
  if (kind == "osc9") return "\x1b]9;" + shown + "\x1b\\";
  // A semicolon would begin another field.
  shown = replace_all(shown, ";", ",");
  return kind == "osc777" ? "\x1b]777;notify;pedrocli;" + shown + "\x1b\\" : "";
}

std::string Notification::send(std::string_view text, double after_s) const {
  if (after_s < kQuietSeconds || is_ci(environment_)) return "";
  if (terminal_ != nullptr) {
    const std::string sequence = notification_sequence(settings_.terminal, text);
    std::fwrite(sequence.data(), 1, sequence.size(), terminal_);
    std::fflush(terminal_);
  }
  return settings_.command.empty() ? "" : run_command(text);
}

std::string Notification::run_command(std::string_view text) const {
  Command command{.argv = {"sh", "-c", settings_.command}, .timeout_s = kCommandSeconds};
  command.environment["PEDROCLI_NOTIFICATION"] = text;
  const CancelToken none;  // a job that was interrupted is reported too
  const Result<ProcessResult> result = processes_.run(command, none);
  if (!result) return result.error().message;
  if (result->timed_out) return fmt::format("did not end in {} s", kCommandSeconds);
  return result->ok() ? "" : fmt::format("exit {}", result->exit_code);
}

}  // namespace pedro
