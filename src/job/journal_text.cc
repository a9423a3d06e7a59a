#include "job/journal_text.h"

#include <fmt/format.h>

#include "base/text.h"
#include "base/utf8.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxTextBytes = 300;

std::string short_line(std::string_view text) {
  const std::string_view begin = truncate_utf8(text, kMaxTextBytes);
  return one_line(begin) + (begin.size() < text.size() ? "..." : "");
}

std::string short_line(const Json& object, std::string_view key) {
  return short_line(text_of(object, key));
}

std::string first_line(std::string_view text) {
  const auto lines = split_lines(trim(text));
  return lines.empty() ? "" : short_line(lines.front());
}

/// Returns ", NAME VALUE", or "" without a value.
std::string with(std::string_view name, const std::string& value) {
  return value.empty() ? "" : fmt::format(", {} {}", name, value);
}

std::string started_text(const Json& event) {
  return fmt::format("job {}: {}\n{}{}{}", short_line(event, "thread_id"),
                     short_line(event, "task"), short_line(event, "agent"),
                     with("model", short_line(event, "model")),
                     with("branch", short_line(event, "branch")));
}

std::string completed_text(const Json& event) {
  const Json& usage = member(event, "usage");
  return fmt::format("ended: {}, exit {}{}, {} rounds, {} tokens generated{}{}",
                     short_line(event, "outcome"), number_of(event, "exit_code"),
                     with("because", short_line(event, "reason")), number_of(event, "rounds"),
                     number_of(usage, "output_tokens"), with("branch", short_line(event, "branch")),
                     with("report", short_line(event, "report")));
}

std::string turn_text(const Json& event) {
  const Json& usage = member(event, "usage");
  std::string text =
      fmt::format("  round {}: {} prompt tokens ({} cached), {} generated",
                  number_of(event, "round"), number_of(usage, "input_tokens"),
                  number_of(usage, "cached_input_tokens"), number_of(usage, "output_tokens"));
  const Json& cache = member(event, "cache");
  const long long missed = number_of(cache, "missed_tokens");
  if (missed <= 0) return text;
  text += fmt::format("; {} evaluated again", missed);
  const Json& first = member(cache, "first_missed");
  if (!first.is_object()) return text;
  return text + fmt::format(", from token {} on, '{}' (id {})", number_of(first, "position"),
                            short_line(first, "text"), number_of(first, "id"));
}

std::string call_line(const Json& item) {
  const bool ok = truth_of(item, "ok");
  const char* mark = ok ? "ok" : truth_of(item, "valid", true) ? "failed" : "refused";
  std::string text = fmt::format(
      "  {} {}", mark, short_line(call_text(text_of(item, "tool"), member(item, "args"))));
  const std::string why = ok ? "" : first_line(text_of(item, "text"));
  if (!why.empty()) text += "\n     " + why;
  return text;
}

// Returns the last lines of a failed check's output, indented.
std::string last_lines(const Json& item) {
  constexpr std::size_t kShownLines = 8;
  const std::string output = text_of(item, "aggregated_output");
  std::vector<std::string_view> lines = split_lines(trim(output));
  if (lines.size() > kShownLines) {
    lines.erase(lines.begin(), lines.end() - static_cast<std::ptrdiff_t>(kShownLines));
  }
  std::string text;
  for (const std::string_view line : lines) text += "\n     " + short_line(line);
  return text;
}

std::string command_text(const Json& item) {
  const bool passed = text_of(item, "status") == "completed";
  const std::string line =
      fmt::format("  {} {} ({:.1f} s{})", passed ? "pass" : "FAIL", short_line(item, "command"),
                  real_of(item, "duration_s"),
                  truth_of(item, "timed_out") ? ", timed out"
                  : passed                    ? ""
                           : fmt::format(", exit {}", number_of(item, "exit_code")));
  return passed ? line : line + last_lines(item);
}

// Returns "" for a hook that had no visible effect.
std::string hook_text(const Json& item) {
  const std::string name =
      fmt::format("  hook {} {}", short_line(item, "event"), short_line(item, "command"));
  if (truth_of(item, "blocked")) return name + ": blocked";
  const std::string problem = short_line(item, "problem");
  return problem.empty() ? "" : name + ": failed: " + problem;
}

std::string item_text(const Json& item) {
  const std::string type = text_of(item, "type");
  if (type == "tool_call") return call_line(item);
  if (type == "command_execution") return command_text(item);
  if (type == "error") return "  " + short_line(item, "message");
  if (type == "hook") return hook_text(item);
  if (type == "policy_decision" && !truth_of(item, "allowed", true)) {
    return fmt::format("  not allowed: {} {}", short_line(item, "action"),
                       short_line(item, "command"));
  }
  return "";
}

std::string phase_end_text(const Json& event) {
  if (text_of(event, "end") != "completed") {
    return fmt::format("  {}: {}", short_line(event, "phase"), short_line(event, "end"));
  }
  const Json& output = member(event, "output");
  const std::string summary = short_line(output, "summary");
  if (!summary.empty()) return "  " + summary;
  return output.empty() ? "" : "  " + short_line(to_line(output));
}

std::string text_of_event(const Json& event) {
  const std::string type = text_of(event, "type");
  if (type == "item.completed") return item_text(member(event, "item"));
  if (type == "turn.completed") return turn_text(event);
  if (type == "thread.started") return started_text(event);
  if (type == "thread.completed") return completed_text(event);
  if (type == "phase.completed") return phase_end_text(event);
  if (type == "phase.started") {
    return fmt::format("[{}/{}] {}", number_of(event, "number"), number_of(event, "total"),
                       short_line(event, "phase"));
  }
  if (type == "error") return "error: " + short_line(event, "message");
  if (type == "context.compacted") {
    const char* about = truth_of(event, "estimated") ? kAbout : "";
    return fmt::format("  context: {}{} -> {}{} tokens", about, number_of(event, "before"), about,
                       number_of(event, "after"));
  }
  return "";
}

/// Returns "21:45:00" for "2026-11-21T21:45:00.000Z".
std::string time_text(const Json& event) {
  const std::string ts = text_of(event, "ts");
  return ts.size() < 19 ? "" : make_printable(ts.substr(11, 8));
}

}  // namespace

std::string call_text(std::string_view tool, const Json& args) {
  std::string text(tool);
  for (const auto& [key, value] : args.items()) {
    if (key == "action") {
      text += " " + (value.is_string() ? value.get<std::string>() : to_line(value));
    } else {
      text += fmt::format(" {}={}", key, to_line(value));
    }
    if (text.size() > kMaxTextBytes) break;
  }
  return text;
}

std::string journal_text(const Json& event) {
  const std::string text = text_of_event(event);
  const std::string time = time_text(event);
  std::string lines;
  for (const std::string_view line : split_lines(text)) {
    lines += fmt::format("{:<8}  {}\n", lines.empty() ? time : "", line);
  }
  return lines;
}

}  // namespace pedro
