#include "notification.h"

#include <fmt/format.h>

#include "base/text.h"
#include "base/utf8.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxTextBytes = 200;
constexpr double kCommandSeconds = 10;

bool is_ci(const Environment& environment) {
  const std::string ci = environment.get("CI");
  return !ci.empty() && ci != "0" && ci != "false";
}

}  // namespace

std::string notification_sequence(std::string_view kind, std::string_view text) {
  if (kind == "bell") return "\a";
  std::string shown = replace_all(make_printable(truncate_utf8(text, kMaxTextBytes)), "\n", " ");
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
