#include "hooks/hook_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "base/utf8.h"

namespace pedro {
namespace {

constexpr int kBlocks = 2;  // exit code
constexpr std::size_t kMaxStreamBytes = 1u << 20;
constexpr std::size_t kMaxTextBytes = 4000;  // for the model
constexpr JsonLimits kAnswerLimits{.max_bytes = kMaxStreamBytes, .max_depth = 16};

std::string for_model(std::string_view text) {
  return make_printable(cut_middle(trim(text), kMaxTextBytes, ""));
}

// Returns the reason of a JSON answer that blocks.
std::optional<std::string> blocking_reason(const Json& answer) {
  const Json& specific = member(answer, "hookSpecificOutput");
  const std::string decision = text_of(specific, "permissionDecision");
  if (decision == "deny" || decision == "ask") {
    return for_model(text_of(specific, "permissionDecisionReason"));
  }
  if (text_of(answer, "decision") == "block") return for_model(text_of(answer, "reason"));
  if (!truth_of(answer, "continue", true)) return for_model(text_of(answer, "stopReason"));
  return std::nullopt;
}

bool takes_plain_text(HookEvent event) {
  return event == HookEvent::kSessionStart || event == HookEvent::kUserPromptSubmit;
}

void add_text(std::string& text, std::string_view more) {
  if (trim(more).empty()) return;
  text += (text.empty() ? "" : "\n") + for_model(more);
}

// Returns the reason if the output is an unusable JSON object.
std::string read_output(HookEvent event, const std::string& out, HookAnswer& answer) {
  const std::string_view text = trim(out);
  const Result<Json> json = parse_json(text, kAnswerLimits);
  if (!json && text.starts_with('{')) return "its answer is not JSON: " + json.error().message;
  if (!json || !json->is_object()) {
    if (takes_plain_text(event)) add_text(answer.context, text);
    return "";
  }
  answer.blocked = blocking_reason(*json);
  add_text(answer.context, text_of(member(*json, "hookSpecificOutput"), "additionalContext"));
  return "";
}

}  // namespace

bool HookRunner::has(HookEvent event) const {
  return std::ranges::any_of(hooks_, [&](const Hook& hook) { return hook.event == event; });
}

Result<HookAnswer> HookRunner::run(HookEvent event, std::string_view subject, Json fields,
                                   const CancelToken& cancel,
                                   const std::function<Status(const HookRun&)>& hear) const {
  HookAnswer answer;
  std::string input;
  for (const Hook& hook : hooks_) {
    if (hook.event != event) continue;
    std::vector<TextRange> matches;
    const bool fits =
        hook.matcher == nullptr || (hook.matcher->find_all(subject, matches) && !matches.empty());
    if (!fits) continue;
    if (input.empty()) {
      Json all = common_;
      all["hook_event_name"] = to_string(event);
      all.update(std::move(fields));
      input = to_line(all) + "\n";
    }
    PEDRO_TRY(const HookRun run, run_one(hook, input, cancel, answer));
    PEDRO_RETURN_IF_ERROR(hear(run));
    if (answer.blocked) break;
  }
  return answer;
}

Result<HookRun> HookRunner::run_one(const Hook& hook, const std::string& input,
                                    const CancelToken& cancel, HookAnswer& answer) const {
  Command command{.argv = {"sh", "-c", hook.command}, .folder = folder_};
  command.input = input;
  command.timeout_s = hook.timeout_s;
  command.max_output_bytes = kMaxStreamBytes;
  command.environment["CLAUDE_PROJECT_DIR"] = folder_;  // as hooks of other agents expect
  HookRun run{.event = hook.event, .command = hook.command};
  const Result<ProcessResult> ended = processes_.run(command, cancel);
  if (!ended && ended.error().kind == ErrorKind::kInterrupted) return ended.error();
  if (!ended) {
    run.exit_code = -1;
    run.problem = ended.error().message;
    return run;
  }
  run.exit_code = ended->exit_code;
  run.seconds = ended->duration_s;
  if (ended->timed_out) {
    run.problem = fmt::format("did not end in {} s", hook.timeout_s);
  } else if (ended->exit_code == kBlocks) {
    answer.blocked = for_model(ended->err);
  } else if (ended->exit_code == 0) {
    run.problem = read_output(hook.event, ended->out, answer);
  } else {
    run.problem = fmt::format("exit code {}{}{}", ended->exit_code, ended->err.empty() ? "" : ": ",
                              one_line(truncate_utf8(trim(ended->err), 200)));
  }
  if (answer.blocked && answer.blocked->empty()) answer.blocked = "no reason given";
  run.blocked = answer.blocked && can_block(hook.event);
  if (answer.blocked && !run.blocked) {
    run.problem = "nothing can block this event: " + *std::exchange(answer.blocked, std::nullopt);
  }
  return run;
}

}  // namespace pedro
