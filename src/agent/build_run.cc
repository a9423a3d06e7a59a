#include "agent/build_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "agent/answers.h"
#include "agent/check_files.h"
#include "agent/places.h"
#include "agent/project_summary.h"
#include "base/text.h"
#include "base/utf8.h"
#include "sys/interrupted.h"
#include "tools/failing_part.h"
#include "tools/policy_gate.h"

namespace pedro {
namespace {

constexpr long long kUnknownWindowFileTokens = 4096;
constexpr std::size_t kMaxChecksBytes = 6 * 1024;
constexpr std::size_t kMaxFailureBytes = 4 * 1024;
constexpr std::size_t kMaxShownDiffBytes = 12 * 1024;
constexpr std::size_t kMaxObservedBytes = 800;  // as reproduce.schema.json
// What a shell exits with where there is no such command.
constexpr const char* kReproduction = "the reproduction";  // the source of that check
constexpr int kNotExecutable = 126;
constexpr int kNotFound = 127;

std::string described(const CheckOutcome& outcome, const Feedback& feedback) {
  const std::string& command = outcome.check.command;
  if (outcome.passed) return feedback.text("check_passed", {{"command", command}}) + "\n";
  if (outcome.timed_out) {
    return feedback.text("check_timed_out", {{"command", command}, {"output", outcome.output}});
  }
  return feedback.text("check_failed", {{"command", command},
                                        {"code", std::to_string(outcome.exit_code)},
                                        {"output", outcome.output}});
}

bool needs_reproduction(const Workflow& workflow) {
  return std::any_of(workflow.phases.begin(), workflow.phases.end(),
                     [](const Phase& phase) { return phase.evidence == Evidence::kFailure; });
}

// Returns a quarter of the context window.
long long file_tokens(const ModelInfo& model) {
  return model.context_tokens > 0 ? model.context_tokens / 4 : kUnknownWindowFileTokens;
}

bool is_unfinished(BuildEnd end) {
  return end == BuildEnd::kLimit || end == BuildEnd::kNotReproduced;
}

}  // namespace

std::string_view to_string(BuildEnd end) {
  switch (end) {
    case BuildEnd::kVerified:
      return "done";
    case BuildEnd::kNotVerified:
      return "not_verified";
    case BuildEnd::kLimit:
      return "limit";
    case BuildEnd::kNothingChanged:
      return "nothing_changed";
    case BuildEnd::kNotReproduced:
      return "not_reproduced";
  }
  return "";
}

Result<std::string> BuildRun::describe_checks() {
  const Result<std::vector<CheckOutcome>> checked = outcomes();
  if (!checked) return checked.error();
  if (checked->empty()) return parts_.feedback.text("no_checks");
  std::string text;
  for (const CheckOutcome& outcome : *checked) {
    text += described(outcome, parts_.feedback);
  }
  const Result<std::optional<std::string>> changed = refuse_evidence();
  if (!changed) return changed.error();
  if (*changed) text += "\n" + **changed;
  return cut_middle(trim(text), kMaxChecksBytes, "");
}

// Returns "" if the checks pass, there are none, or nothing is run.
Result<std::string> BuildRun::describe_failures() {
  if (is_dry_) return std::string();
  const Result<std::vector<CheckOutcome>> checked = outcomes();
  if (!checked) return checked.error();
  std::string text;
  for (const CheckOutcome& outcome : *checked) {
    if (outcome.passed) continue;
    const std::string output = failing_part(outcome.output, kMaxFailureBytes);
    text += parts_.feedback.text("fails_before",
                                 {{"command", outcome.check.command}, {"output", output}}) +
            "\n\n";
  }
  return std::string(trim(text));
}

Result<std::string> BuildRun::value(const std::string& variable, const PhaseItem&) {
  if (variable == "checks") return describe_checks();
  if (variable == "failures") return describe_failures();
  if (variable == "files") {
    const Result<const ShownFiles*> shown = shown_files();
    if (!shown) return shown.error();
    for (const std::string& path : (*shown)->whole) executor_.show_file(path);
    return (*shown)->text;
  }
  const Result<std::optional<Json>> earlier = parts_.answers.next(Question::kText);
  if (!earlier) return earlier.error();
  if (*earlier) return text_of(**earlier, "text");
  Result<std::string> text = variable == "project"
                                 ? project_summary(tree_.tree(), tree_.checks(), parts_.feedback)
                                 : repository_.diff(settings_.base);
  if (!text) return text;
  if (variable != "project") *text = cut_middle(trim(*text), kMaxShownDiffBytes, "");
  if (parts_.tools.secrets != nullptr) *text = parts_.tools.secrets->mask(*text);
  const Status added = parts_.answers.add(Question::kText, {{"text", *text}});
  return added ? std::move(text) : added.error();
}

// Logs the texts, because a resumed job has to show the model the same ones.
Result<std::vector<TaskFile>> BuildRun::task_files(const std::string& output) {
  const Result<std::optional<Json>> earlier = parts_.answers.next(Question::kText);
  if (!earlier) return earlier.error();
  std::vector<TaskFile> files;
  if (*earlier) {
    for (const Json& file : member(**earlier, "files")) {
      files.push_back({text_of(file, "path"), text_of(file, "text"), truth_of(file, "test"),
                       real_of(file, "score"), truth_of(file, "crlf")});
    }
    return files;
  }
  Result<std::vector<TaskFile>> found = find_task_files(parts_.tools, {task_.text, output});
  if (!found) return found;
  Json list = Json::array();
  for (TaskFile& file : *found) {
    if (parts_.tools.secrets != nullptr && parts_.tools.secrets->mask(file.text) != file.text) {
      continue;  // a masked text cannot be written back
    }
    list.push_back({{"path", file.path},
                    {"text", file.text},
                    {"test", file.is_test},
                    {"score", file.score},
                    {"crlf", file.crlf}});
    files.push_back(std::move(file));
  }
  const Status added = parts_.answers.add(Question::kText, {{"files", std::move(list)}});
  return added ? Result<std::vector<TaskFile>>(std::move(files)) : added.error();
}

// Returns the output of the check that fails now. Empty for a dry run.
Result<std::string> BuildRun::failing_output() {
  if (is_dry_) return std::string();
  const Result<std::vector<CheckOutcome>> checked = outcomes();
  if (!checked) return checked.error();
  std::string output;
  for (const CheckOutcome& outcome : *checked) output += outcome.output;
  return output;
}

// Finds the files once, before the work changes them.
Result<const ShownFiles*> BuildRun::shown_files() {
  if (shown_) return &*shown_;
  const Result<std::string> output = failing_output();
  if (!output) return output.error();
  const Result<std::vector<TaskFile>> files = task_files(*output);
  if (!files) return files.error();
  shown_ = show_files(*files, {task_.text, *output}, file_tokens(parts_.model_info),
                      [&](std::string_view text) { return parts_.model.count_text(text); });
  return &*shown_;
}

Result<Solver> BuildRun::make_solver(const std::string& output) {
  Result<std::vector<TaskFile>> files = task_files(output);
  if (!files) return files.error();
  SolveSettings settings = settings_.solve;
  settings.rules = task_.rules;
  settings.file_tokens = file_tokens(parts_.model_info);
  return Solver(executor_, parts_, tree_, settings, *std::move(files), {task_.text, output});
}

Result<PhaseOutcome> BuildRun::solve(const Phase& phase, const RenderTry& render) {
  if (settings_.solve.tries == 0) return PhaseOutcome{PhaseEnd::kSkipped, Json(), 0};
  const Result<std::vector<CheckOutcome>> before = outcomes();
  if (!before) return before.error();
  const Result<std::string> output = failing_output();
  if (!output) return output.error();
  Result<Solver> solver = make_solver(*output);
  if (!solver) return solver.error();
  Result<PhaseOutcome> outcome = solver->run(phase, render);
  if (outcome) tries_ = outcome->rounds;
  solved_ = outcome && outcome->end == PhaseEnd::kCompleted;
  const CheckOutcome* failed = first_failed(*before);
  if (solved_ && needs_reproduction(workflow_) && failed != nullptr) reproduction_ = *failed;
  return outcome;
}

Result<std::vector<ChatMessage>> BuildRun::first_prompt() {
  is_dry_ = true;
  const Phase& first = workflow_.phases.front();
  if (!first.answers) return phases_.first_prompt();
  Result<Solver> solver = make_solver("");
  if (!solver) return solver.error();
  auto prompt = solver->first_prompt(phases_.renderer(first));
  return !prompt || !prompt->empty() ? std::move(prompt) : phases_.first_prompt();
}

Status BuildRun::begin(const Phase&, const PhaseItem&) {
  Result<std::string> fingerprint = tree_.fingerprint();
  if (!fingerprint) return fingerprint.error();
  at_phase_start_ = std::move(*fingerprint);
  if (at_start_.empty()) at_start_ = at_phase_start_;
  return {};
}

Result<std::optional<std::string>> BuildRun::refusal(const Phase& phase, const PhaseItem&,
                                                     const Json& output) {
  const std::optional<std::string> none;
  if (phase.evidence == Evidence::kChange || phase.evidence == Evidence::kChecks ||
      phase.evidence == Evidence::kSolution) {
    Result<std::optional<std::string>> changed = refuse_evidence();
    if (!changed || *changed) return changed;
  }
  switch (phase.evidence) {
    case Evidence::kChange:
    case Evidence::kSolution: {
      const Result<std::string> now = tree_.fingerprint();
      if (!now) return now.error();
      if (*now == at_phase_start_) return std::optional(parts_.feedback.text("no_change"));
      if (phase.evidence == Evidence::kChange) return none;
      [[fallthrough]];
    }
    case Evidence::kChecks: {
      const Result<std::vector<CheckOutcome>> checked = outcomes();
      if (!checked) return checked.error();
      if (all_passed(*checked)) return none;
      const Result<std::string> checks = describe_checks();
      if (!checks) return checks.error();
      return std::optional(parts_.feedback.text("checks_fail", {{"checks", *checks}}));
    }
    case Evidence::kFailure:
      return check_reproduction(output);
    case Evidence::kPlaces:
      return logged(Question::kRefusal,
                    [&] { return refuse_places(output, tree_.tree(), parts_.feedback); });
    default:
      return none;
  }
}

Result<std::optional<std::string>> BuildRun::denied_by_policy(const std::string& line) {
  PolicyGate* gate = parts_.tools.policy;
  if (gate == nullptr) return std::optional<std::string>();
  return logged(Question::kPolicy, [&] {
    return gate->refusal({"reproduction", Permission::kExecute, line, ShellDialect::kPosix});
  });
}

Result<std::optional<std::string>> BuildRun::logged(
    Question question, const std::function<Result<std::optional<std::string>>()>& ask) {
  const Result<std::optional<Json>> earlier = parts_.answers.next(question);
  if (!earlier) return earlier.error();
  std::optional<std::string> refusal;
  if (*earlier) {
    if ((*earlier)->contains("why")) refusal = text_of(**earlier, "why");
    return refusal;
  }
  Result<std::optional<std::string>> asked = ask();
  if (!asked) return asked;
  Json answer = Json::object();
  if (*asked) answer["why"] = **asked;
  const Status added = parts_.answers.add(question, std::move(answer));
  return added ? std::move(asked) : added.error();
}

// What is said to fail is run by us, and from then on has to pass.
Result<std::optional<std::string>> BuildRun::check_reproduction(const Json& output) {
  if (!truth_of(output, "reproduced")) {
    // It is all that the report will say. An agent of the project's own may not ask for it.
    const bool is_blank = output.contains("tried") && trim(text_of(output, "tried")).empty();
    return is_blank ? std::optional(parts_.feedback.text("nothing_tried"))
                    : std::optional<std::string>();
  }
  const Check check{"reproduction", text_of(output, "command"), kReproduction};
  if (trim(check.command).empty()) {
    return std::optional(parts_.feedback.text("no_command"));
  }
  const auto denied = denied_by_policy(check.command);
  if (!denied) return denied.error();
  if (*denied) {
    return std::optional(parts_.feedback.text("command_not_run",
                                              {{"command", check.command}, {"output", **denied}}));
  }
  Result<FaultEvidence> evidence = FaultEvidence::take(repository_, settings_.base, settings_.dirty,
                                                       tree_.made_by_checks(), executor_.written());
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
  reproduction_ = *std::move(outcome);
  tree_.add_check(check);
  return std::optional<std::string>();
}

// A line that no shell can parse fails as well, and shows nothing.
Result<bool> BuildRun::cannot_be_read(const std::string& line) {
  const auto why = logged(Question::kRefusal, [&]() -> Result<std::optional<std::string>> {
    Command command{.argv = {"sh", "-n", "-c", line}, .folder = tree_.tree().root()};
    const auto read = parts_.tools.commands.run(command, parts_.cancel);
    if (!read) return read.error();
    return read->ok() ? std::optional<std::string>() : std::optional(read->err);
  });
  if (!why) return why.error();
  return why->has_value();
}

Status BuildRun::keep_evidence(FaultEvidence evidence) {
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

Result<std::vector<std::string>> BuildRun::changed_evidence() {
  std::vector<std::string> paths;
  if (!reproduction_) return paths;
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

Result<std::optional<std::string>> BuildRun::refuse_evidence() {
  const Result<std::vector<std::string>> changed = changed_evidence();
  if (!changed) return changed.error();
  if (changed->empty()) return std::optional<std::string>();
  return std::optional(parts_.feedback.text(
      "evidence_changed", {{"command", reproduction_->check.command},
                           {"files", "- " + make_printable(join(*changed, "\n- "))}}));
}

Result<NextStep> BuildRun::finished(const Phase& phase, const PhaseItem&, const Json& output) {
  solved_ = solved_ || (phase.evidence == Evidence::kSolution && !output.is_null());
  const bool in_vain = phase.evidence == Evidence::kFailure && !truth_of(output, "reproduced");
  return in_vain ? NextStep::kStop : NextStep::kGoOn;
}

Result<bool> BuildRun::may_skip(const Phase& phase, const PhaseItem&) {
  if (phase.skip_when_solved && solved_) return true;
  if (phase.answers && is_dry_) return true;  // first_prompt() has asked the solver
  if (phase.skip_when_unshown) {
    const Result<const ShownFiles*> shown = shown_files();
    if (!shown || !(*shown)->is_complete) return shown ? Result(true) : shown.error();
  }
  if (!phase.skip_when_checks_pass || is_dry_) return false;
  const Result<std::vector<CheckOutcome>> checked = outcomes();
  if (!checked) return checked.error();
  if (!all_passed(*checked)) return false;
  const Result<std::vector<std::string>> changed = changed_evidence();
  if (!changed) return changed.error();
  return changed->empty();
}

// Uses a check as the reproduction if it fails before the work and the task names it.
Result<std::optional<Json>> BuildRun::known_output(const Phase& phase) {
  const std::optional<Json> none;
  if (phase.evidence != Evidence::kFailure || !executor_.written().empty()) return none;
  const Result<std::vector<CheckOutcome>> before = outcomes();
  if (!before) return before.error();
  const auto named = std::find_if(before->begin(), before->end(), [&](const CheckOutcome& outcome) {
    return !outcome.passed && task_.text.find(outcome.check.command) != std::string::npos;
  });
  if (named == before->end()) return none;
  const CheckOutcome& failed = *named;
  Result<FaultEvidence> evidence = FaultEvidence::take(repository_, settings_.base, settings_.dirty,
                                                       tree_.made_by_checks(), executor_.written());
  if (!evidence) return evidence.error();
  if (Status kept = keep_evidence(*std::move(evidence)); !kept) return kept.error();
  reproduction_ = failed;
  return std::optional<Json>(Json{{"reproduced", true},
                                  {"command", failed.check.command},
                                  {"observed", failing_part(failed.output, kMaxObservedBytes)},
                                  {"expected", parts_.feedback.text("passes")},
                                  {"tried", ""}});
}

Result<BuildResult> BuildRun::run() {
  const Result<WorkflowResult> ran = phases_.run();
  if (!ran) return ran.error();
  BuildResult result;
  if (ran->end == WorkflowResult::End::kLimit) {
    result.end = BuildEnd::kLimit;
    result.reason = ran->reason;
  } else if (ran->end == WorkflowResult::End::kStopped) {
    result.end = BuildEnd::kNotReproduced;
    const auto& outputs = phases_.outputs();
    const auto output = outputs.find(ran->phase);
    const std::string tried =
        output == outputs.end() ? "" : std::string(trim(text_of(output->second, "tried")));
    result.reason = tried.empty() ? "the fault could not be shown" : tried;
  }
  return finish(std::move(result));
}

// Returns the commit message of the last phase that wrote one.
CommitText BuildRun::commit_text(const PhaseOutputs& outputs) const {
  for (auto phase = workflow_.phases.rbegin(); phase != workflow_.phases.rend(); ++phase) {
    const auto output = outputs.find(phase->name);
    if (output == outputs.end() || !member(output->second, "subject").is_string()) continue;
    return {text_of(output->second, "subject"), text_of(output->second, "body")};
  }
  return {};
}

DeliveryPlan BuildRun::plan(CommitText text) const {
  DeliveryPlan plan;
  plan.branch = settings_.branch;
  plan.base = settings_.base;
  plan.base_branch = settings_.base_branch;
  plan.issue_number = task_.issue_number;
  plan.title = task_.title;
  plan.text = std::move(text);
  plan.before = settings_.dirty;
  plan.generated = tree_.made_by_checks();
  plan.patch_path = settings_.patch_path;
  // Killed behind its last round and gone on with, a job makes the same commit: it may be pushed.
  plan.date_s = number_of(parts_.answers.last_round(), "ended_ms") / 1000;
  plan.remote = settings_.remote;
  plan.draft = settings_.draft;
  return plan;
}

Result<BuildResult> BuildRun::finish(BuildResult result) {
  result.outputs = phases_.outputs();
  result.tries = tries_;
  result.reproduction = reproduction_;
  const Result<std::string> now = tree_.fingerprint();
  if (!now) return now.error();
  const bool changed = *now != at_start_;
  if (changed || !is_unfinished(result.end)) {  // else there is nothing to check
    Result<std::vector<CheckOutcome>> checked = outcomes();
    if (checked) {
      result.checks = std::move(*checked);
    } else if (!is_late(checked.error(), parts_.cancel)) {
      return checked.error();
    } else if (!is_unfinished(result.end)) {
      result.end = BuildEnd::kLimit;
      result.reason = "time ran out in the checks at the end";
    }
  }
  const bool unfinished = is_unfinished(result.end);
  if (result.end == BuildEnd::kVerified && tree_.checks().empty()) {
    result.end = BuildEnd::kNotVerified;
    result.reason = "there are no checks to verify it; name them with -test-cmd";
  } else if (result.end == BuildEnd::kVerified && !all_passed(result.checks)) {
    result.end = BuildEnd::kNotVerified;
    result.reason = "the checks do not pass";
  }
  Result<std::vector<std::string>> evidence = changed_evidence();
  if (!evidence) return evidence.error();
  result.changed_evidence = *std::move(evidence);
  if (result.end == BuildEnd::kVerified && !result.changed_evidence.empty()) {
    result.end = BuildEnd::kNotVerified;
    result.reason = "what showed the fault was changed afterwards";
  }
  if (settings_.branch.empty()) return without_commit(std::move(result), changed);
  if (unfinished) return save_unfinished(std::move(result));
  return deliver_work(std::move(result));
}

// Commits once more without "Fixes #N" if the commit turns out not to be verified.
Result<BuildResult> BuildRun::deliver_work(BuildResult result) {
  DeliveryPlan delivery = plan(commit_text(result.outputs));
  if (result.end != BuildEnd::kVerified) delivery.issue_number = 0;
  Result<Delivery> delivered = deliver(delivery, repository_);
  if (!delivered) return delivered.error();
  result.delivery = std::move(*delivered);
  if (result.delivery.nothing_changed) {
    result.end = BuildEnd::kNothingChanged;
    result.reason = "no file differs from the base";
    return result;
  }
  if (Status checked = check_delivery(result); !checked) return checked.error();
  if (result.end != BuildEnd::kVerified && delivery.issue_number != 0) {
    delivery.issue_number = 0;
    Result<Delivery> again = deliver(delivery, repository_);
    if (!again) return again.error();
    result.delivery = std::move(*again);
  }
  if (result.end == BuildEnd::kVerified && settings_.push && !result.delivery.problem) {
    const Status published = publish(delivery, repository_, result.delivery);
    if (!published) result.delivery.problem = published.error();
  }
  return result;
}

// Finds out if the commit holds what the checks have seen.
Status BuildRun::check_delivery(BuildResult& result) {
  if (result.end == BuildEnd::kVerified && !result.delivery.otherwise.empty()) {
    result.end = BuildEnd::kNotVerified;
    result.reason = "the checks pass, but the commit does not hold what they have seen";
  }
  auto missing = undelivered(result.delivery);
  if (!missing) return missing.error();
  result.undelivered = std::move(*missing);
  if (result.end == BuildEnd::kVerified && !result.undelivered.empty()) {
    result.end = BuildEnd::kNotVerified;
    result.reason = "the checks pass, but files that belong to the work are not in the commit";
  }
  if (result.end != BuildEnd::kVerified || clean_ == nullptr) return {};
  const Status checked = check_commit_anew(result);
  if (checked) return {};
  const bool is_stopped = checked.error().kind == ErrorKind::kInterrupted;
  if (is_stopped && !is_late(checked.error(), parts_.cancel)) return checked;
  result.end = BuildEnd::kNotVerified;
  result.reason = "the commit could not be checked in a clean checkout: " + checked.error().message;
  return {};
}

// Runs the checks on the commit, and once more with the base's tests and definitions of checks.
Status BuildRun::check_commit_anew(BuildResult& result) {
  const std::string& commit = result.delivery.commit;
  auto outcomes = clean_->run(commit, settings_.base, {}, tree_.checks());
  if (!outcomes) return outcomes.error();
  result.clean_checks = *std::move(outcomes);
  if (!all_passed(result.clean_checks)) {
    result.end = BuildEnd::kNotVerified;
    result.reason = "the checks pass in the work tree, but not in a clean checkout of the commit";
    return {};
  }
  // The reproduction may run what the job has written.
  std::vector<Check> checks = tree_.checks();
  std::erase_if(checks, [&](const Check& check) { return check.source == kReproduction; });
  result.check_files = check_files(result.delivery.files, checks);
  if (result.check_files.empty() || checks.empty()) return {};
  outcomes = clean_->run(commit, settings_.base, result.check_files, checks);
  if (!outcomes) return outcomes.error();
  result.base_checks = *std::move(outcomes);
  if (!all_passed(result.base_checks)) {
    result.end = BuildEnd::kNotVerified;
    result.reason = "the checks pass only with the tests or check definitions that the job changed";
  }
  return {};
}

Result<BuildResult> BuildRun::save_unfinished(BuildResult result) {
  Result<Delivery> saved = save(repository_, result.reason);
  if (!saved) return saved.error();
  result.delivery = std::move(*saved);
  return result;
}

Result<BuildResult> BuildRun::without_commit(BuildResult result, bool changed) {
  result.delivery.nothing_changed = !changed;
  if (changed || is_unfinished(result.end)) return result;
  result.end = BuildEnd::kNothingChanged;
  result.reason = "no file differs from what was there before";
  return result;
}

// A file that a tool wrote and git does not take (ignored, in a nested repository or a submodule):
// the checks have seen it, whoever gets the commit has not.
Result<std::vector<std::string>> BuildRun::undelivered(const Delivery& delivery) const {
  std::set<std::string> written;
  for (const std::string& path : executor_.written()) {
    const FileInfo info = repository_.files().link_info(join_path(repository_.root(), path));
    const bool ours = std::find(delivery.untouched.begin(), delivery.untouched.end(), path) ==
                      delivery.untouched.end();
    if (ours && info.kind == FileKind::kFile) written.insert(path);
  }
  return repository_.not_in(delivery.commit, written);
}

Result<Delivery> BuildRun::save(const Repository& repository, const std::string& why) const {
  DeliveryPlan saved = plan({"wip: " + task_.title, "Unfinished and not verified: " + why + "."});
  saved.issue_number = 0;  // "Fixes #N" would be a lie
  return deliver(saved, repository);
}

}  // namespace pedro
