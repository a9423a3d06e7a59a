#include "agent/reproduction.h"

#include <algorithm>

#include "agent/answers.h"
#include "base/text.h"
#include "base/utf8.h"
#include "tools/failing_part.h"
#include "tools/policy_gate.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxObservedBytes = 800;  // as in reproduce.schema.json
constexpr int kNotExecutable = 126;             // exit codes of a shell
constexpr int kNotFound = 127;

}  // namespace

Result<std::optional<std::string>> Reproduction::denied_by_policy(const std::string& line) {
  PolicyGate* gate = parts_.tools.policy;
  if (gate == nullptr) return std::optional<std::string>();
  return logged_refusal(parts_.answers, Question::kPolicy, [&] {
    return gate->refusal({"reproduction", Permission::kExecute, line, ShellDialect::kPosix});
  });
}

Result<FaultEvidence> Reproduction::take_evidence() const {
  return FaultEvidence::take(repository_, base_, before_, tree_.made_by_checks(),
                             executor_.written());
}

// Runs the command. It becomes a check if it fails.
Result<std::optional<std::string>> Reproduction::check(const Json& output) {
  if (!truth_of(output, "reproduced")) {
    // Refuses only a blank `tried`. The schema of a project's own agent may lack it.
    const bool is_blank = output.contains("tried") && trim(text_of(output, "tried")).empty();
    return is_blank ? std::optional(parts_.feedback.text("nothing_tried"))
                    : std::optional<std::string>();
  }
  const Check check{"reproduction", text_of(output, "command"), kSource};
  if (trim(check.command).empty()) {
    return std::optional(parts_.feedback.text("no_command"));
  }
  const auto denied = denied_by_policy(check.command);
  if (!denied) return denied.error();
  if (*denied) {
    return std::optional(parts_.feedback.text("command_not_run",
                                              {{"command", check.command}, {"output", **denied}}));
  }
  Result<FaultEvidence> evidence = take_evidence();
  if (!evidence) return evidence.error();
  Result<CheckOutcome> outcome = tree_.try_check(check);
  if (!outcome) return outcome.error();
  bool did_not_run = outcome->exit_code == kNotFound || outcome->exit_code == kNotExecutable;
  if (!outcome->passed && !did_not_run) {
    const Result<bool> unreadable = cannot_be_read(check.command);
    if (!unreadable) return unreadable.error();
    did_not_run = *unreadable;
  }
  if (outcome->passed || did_not_run) {
    return std::optional(parts_.feedback.text(
        outcome->passed ? "no_failure" : "command_not_run",
        {{"command", check.command}, {"output", std::string(trim(outcome->output))}}));
  }
  if (Status kept = keep_evidence(*std::move(evidence)); !kept) return kept.error();
  outcome_ = *std::move(outcome);
  tree_.add_check(check);
  return std::optional<std::string>();
}

// Returns true for a line with a shell syntax error, whose failure proves nothing.
Result<bool> Reproduction::cannot_be_read(const std::string& line) {
  const auto why = logged_refusal(
      parts_.answers, Question::kRefusal, [&]() -> Result<std::optional<std::string>> {
        Command command{.argv = {"sh", "-n", "-c", line}, .folder = tree_.tree().root()};
        const auto read = parts_.tools.commands.run(command, parts_.cancel);
        if (!read) return read.error();
        return read->ok() ? std::optional<std::string>() : std::optional(read->err);
      });
  if (!why) return why.error();
  return why->has_value();
}

Status Reproduction::keep_evidence(FaultEvidence evidence) {
  const Result<std::optional<Json>> earlier = parts_.answers.next(Question::kTree);
  if (!earlier) return earlier.error();
  if (*earlier) {
    evidence_ = FaultEvidence::from(member(**earlier, "evidence"));
    return {};
  }
  evidence_ = std::move(evidence);
  evidence_.leave_out_written(repository_);
  return parts_.answers.add(Question::kTree, {{"evidence", evidence_.json()}});
}

Result<std::vector<std::string>> Reproduction::changed_files() {
  std::vector<std::string> paths;
  if (!outcome_) return paths;
  const Result<std::optional<Json>> earlier = parts_.answers.next(Question::kTree);
  if (!earlier) return earlier.error();
  if (*earlier) {
    for (const Json& path : member(**earlier, "changed")) paths.push_back(bytes_from(path));
    return paths;
  }
  paths = evidence_.changed(repository_);
  Json list = Json::array();
  for (const std::string& path : paths) list.push_back(bytes_json(path));
  const Status added = parts_.answers.add(Question::kTree, {{"changed", std::move(list)}});
  return added ? Result(std::move(paths)) : added.error();
}

Result<std::optional<std::string>> Reproduction::refuse_changes() {
  const Result<std::vector<std::string>> changed = changed_files();
  if (!changed) return changed.error();
  if (changed->empty()) return std::optional<std::string>();
  return std::optional(parts_.feedback.text(
      "evidence_changed", {{"command", outcome_->check.command},
                           {"files", "- " + make_printable(join(*changed, "\n- "))}}));
}

// Uses a check as the reproduction if it fails before the work and the task names it.
Result<std::optional<Json>> Reproduction::from_checks(const std::string& task) {
  const std::optional<Json> none;
  if (!executor_.written().empty()) return none;
  const Result<std::vector<CheckOutcome>> before = tree_.outcomes(executor_.calls());
  if (!before) return before.error();
  const auto named = std::find_if(before->begin(), before->end(), [&](const CheckOutcome& outcome) {
    return !outcome.passed && task.find(outcome.check.command) != std::string::npos;
  });
  if (named == before->end()) return none;
  const CheckOutcome& failed = *named;
  Result<FaultEvidence> evidence = take_evidence();
  if (!evidence) return evidence.error();
  if (Status kept = keep_evidence(*std::move(evidence)); !kept) return kept.error();
  outcome_ = failed;
  return std::optional<Json>(Json{{"reproduced", true},
                                  {"command", failed.check.command},
                                  {"observed", failing_part(failed.output, kMaxObservedBytes)},
                                  {"expected", parts_.feedback.text("passes")},
                                  {"tried", ""}});
}

}  // namespace pedro
