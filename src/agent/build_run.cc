#include "agent/build_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "agent/answers.h"
#include "agent/known_failures.h"
#include "agent/places.h"
#include "agent/project_summary.h"
#include "agent/shown_files.h"
#include "base/text.h"
#include "base/utf8.h"
#include "git/commit_files.h"
#include "sys/interrupted.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxChecksBytes = 6 * 1024;
constexpr std::size_t kMaxShownFailureBytes = 4 * 1024;
constexpr std::size_t kMaxShownDiffBytes = 12 * 1024;

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

bool is_unfinished(BuildEnd end) {
  return end == BuildEnd::kLimit || end == BuildEnd::kNotReproduced || end == BuildEnd::kBlocked;
}

}  // namespace

Result<std::string> BuildRun::describe_checks() {
  PEDRO_TRY(const std::vector<CheckOutcome> checked, outcomes());
  if (checked.empty()) return parts_.feedback.text("no_checks");
  std::string text;
  for (const CheckOutcome& outcome : checked) {
    text += described(outcome, parts_.feedback);
  }
  PEDRO_TRY(const std::optional<std::string> changed, reproduction_.refuse_changes());
  if (changed) text += "\n" + *changed;
  return cut_middle(trim(text), kMaxChecksBytes, "");
}

// Returns "" if the checks pass, there are none, or the run is dry.
Result<std::string> BuildRun::describe_failures() {
  if (is_dry_) return std::string();
  PEDRO_TRY(const std::vector<CheckOutcome> checked, outcomes());
  return failures_text(checked, kMaxShownFailureBytes, parts_.feedback);
}

Result<std::string> BuildRun::value(const std::string& variable, const PhaseItem&) {
  if (variable == "checks") return describe_checks();
  if (variable == "failures") return describe_failures();
  if (variable == "files") {
    PEDRO_TRY(const ShownFiles* shown, shown_files());
    for (const std::string& path : shown->whole) executor_.show_file(path);
    return shown->text;
  }
  if (variable != "project" && variable != "diff") {
    return Error{ErrorKind::kInternal, "the agent has no variable '" + variable + "'"};
  }
  PEDRO_TRY(const std::optional<Json> earlier, parts_.answers.next(Question::kText));
  if (earlier) return text_of(*earlier, "text");
  Result<std::string> text = variable == "project"
                                 ? project_summary(tree_.tree(), tree_.checks(), parts_.feedback)
                                 : repository_.diff(settings_.base);
  if (!text) return text;
  if (variable != "project") *text = cut_middle(trim(*text), kMaxShownDiffBytes, "");
  if (parts_.tools.secrets != nullptr) *text = parts_.tools.secrets->mask(*text);
  const Status added = parts_.answers.add(Question::kText, {{"text", *text}});
  return added ? std::move(text) : added.error();
}

// Returns the output of all checks. Empty for a dry run.
Result<std::string> BuildRun::failing_output() {
  if (is_dry_) return std::string();
  PEDRO_TRY(const std::vector<CheckOutcome> checked, outcomes());
  std::string output;
  for (const CheckOutcome& outcome : checked) output += outcome.output;
  return output;
}

void BuildRun::take_up(const std::string& message) {
  message_ = message;
  solved_ = false;
  if (shown_) earlier_.insert(shown_->whole.begin(), shown_->whole.end());
  shown_.reset();
  tree_.take_up(message);
}

// Selects the files once, before the work changes them.
Result<const ShownFiles*> BuildRun::shown_files() {
  if (shown_) return &*shown_;
  PEDRO_TRY(const std::string output, failing_output());
  const TaskClues clues{message_.empty() ? task_.text : message_, output};
  PEDRO_TRY(std::vector<TaskFile> files, kept_task_files(parts_, clues));
  std::erase_if(files, [&](const TaskFile& file) { return earlier_.contains(file.path); });
  shown_ = show_files(files, clues, file_tokens(parts_.model_info, settings_.files_share),
                      [&](std::string_view text) { return parts_.model.count_text(text); });
  return &*shown_;
}

Result<Solver> BuildRun::make_solver(const std::string& output) {
  PEDRO_TRY(std::vector<TaskFile> files, kept_task_files(parts_, {task_.text, output}));
  mark_check_files(files, tree_.checks(), task_.text);
  SolveSettings settings = settings_.solve;
  settings.rules = task_.rules;
  settings.file_tokens = file_tokens(parts_.model_info, settings_.files_share);
  return Solver(executor_, parts_, tree_, settings, std::move(files), {task_.text, output});
}

Result<PhaseOutcome> BuildRun::solve(const Phase& phase, const RenderTry& render) {
  if (settings_.solve.tries == 0) return PhaseOutcome{PhaseEnd::kSkipped, Json(), 0};
  PEDRO_TRY(const std::vector<CheckOutcome> before, outcomes());
  // Passing checks cannot rank answers.
  if (phase.optional && all_passed(before)) return PhaseOutcome{PhaseEnd::kSkipped, Json(), 0};
  PEDRO_TRY(const std::string output, failing_output());
  PEDRO_TRY(Solver solver, make_solver(output));
  Result<PhaseOutcome> outcome = solver.run(phase, render);
  if (outcome) tries_ = outcome->rounds;
  solved_ = outcome && outcome->end == PhaseEnd::kCompleted;
  const CheckOutcome* failed = tree_.known_failures().first_other(before);
  if (solved_ && needs_reproduction(workflow_) && failed != nullptr) reproduction_.use(*failed);
  return outcome;
}

Result<std::vector<ChatMessage>> BuildRun::first_prompt() {
  is_dry_ = true;
  const Phase& first = workflow_.phases.front();
  if (!first.answers) return phases_.first_prompt();
  PEDRO_TRY(Solver solver, make_solver(""));
  auto prompt = solver.first_prompt(phases_.renderer(first));
  return !prompt || !prompt->empty() ? std::move(prompt) : phases_.first_prompt();
}

Status BuildRun::begin(const Phase&, const PhaseItem&) {
  PEDRO_TRY(at_phase_start_, tree_.fingerprint());
  if (at_start_.empty()) at_start_ = at_phase_start_;
  return {};
}

Result<bool> BuildRun::has_changed() {
  repository_.forget_changes();  // a tool of a third party or the user may have changed files
  PEDRO_TRY(const std::string now, tree_.fingerprint());
  return now != at_phase_start_;
}

// Continues without an analysis, and with a change that the model did not declare complete.
Result<bool> BuildRun::may_continue_after(const Phase& phase) {
  if (phase.evidence == Evidence::kChange) return has_changed();
  const bool needs_nothing = phase.evidence == Evidence::kNone || phase.evidence == Evidence::kLook;
  return needs_nothing && !phase.answers;
}

// Refuses to stop with failures that the job's own changes caused.
Result<std::optional<std::string>> BuildRun::refuse_blocked() {
  PEDRO_TRY(const std::vector<CheckOutcome> checked, outcomes());
  std::string added;
  for (const CheckOutcome& outcome : checked) {
    const auto before = std::find_if(
        tree_.baseline().begin(), tree_.baseline().end(),
        [&](const CheckOutcome& one) { return one.check.command == outcome.check.command; });
    if (outcome.passed || before == tree_.baseline().end()) continue;
    if (!before->passed && !FailingLines(outcome.output).adds_to(FailingLines(before->output))) {
      continue;
    }
    added += described(outcome, parts_.feedback);
  }
  if (added.empty()) return std::optional<std::string>();
  return std::optional(parts_.feedback.text("blocked_by_change", {{"checks", added}}));
}

// Runs a check on the sources of the base with the tests of the work tree.
Result<CheckOutcome> BuildRun::run_on_base(const Check& check, const std::set<std::string>& tests) {
  PEDRO_TRY(auto files, repository_.changed_files(settings_.base));
  std::erase_if(files, [](const ChangedFile& file) { return file.generated; });
  PEDRO_TRY(const std::string index, repository_.private_index("on-base"));
  PEDRO_TRY(const std::string now,
            repository_.snapshot(settings_.base, files, index, "for a run on the base\n"));
  PEDRO_TRY(auto outcomes, run_clean_({settings_.base, now, tests, {check}}));
  return std::move(outcomes.front());
}

Result<std::optional<std::string>> BuildRun::replace_reproduction(const Json& output) {
  if (!run_clean_) return std::optional<std::string>();
  return reproduction_.replace(text_of(output, "reproduction"),
                               [this](const Check& check, const std::set<std::string>& tests) {
                                 return run_on_base(check, tests);
                               });
}

Result<std::optional<std::string>> BuildRun::refusal(const Phase& phase, const PhaseItem&,
                                                     const Json& output) {
  const std::optional<std::string> none;
  if (reports_blocked(phase, output)) return refuse_blocked();
  if (phase.evidence == Evidence::kChange || phase.evidence == Evidence::kChecks ||
      phase.evidence == Evidence::kSolution) {
    Result<std::optional<std::string>> refused = replace_reproduction(output);
    if (!refused || *refused) return refused;
    Result<std::optional<std::string>> changed = reproduction_.refuse_changes();
    if (!changed || *changed) return changed;
  }
  switch (phase.evidence) {
    case Evidence::kChange:
    case Evidence::kSolution: {
      PEDRO_TRY(const bool changed, has_changed());
      if (!changed) return std::optional(parts_.feedback.text("no_change"));
      if (phase.evidence == Evidence::kChange) return none;
      [[fallthrough]];
    }
    case Evidence::kChecks: {
      PEDRO_TRY(const std::vector<CheckOutcome> checked, outcomes());
      if (tree_.known_failures().accept(checked)) return none;
      PEDRO_TRY(const std::string checks, describe_checks());
      return std::optional(parts_.feedback.text("checks_fail", {{"checks", checks}}));
    }
    case Evidence::kFailure:
      return reproduction_.check(output,
                                 member(phase.output_schema_json, "properties").contains("tried"));
    case Evidence::kPlaces:
      return logged_refusal(parts_.answers, Question::kRefusal,
                            [&] { return refuse_places(output, tree_.tree(), parts_.feedback); });
    default:
      return none;
  }
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
  PEDRO_TRY(const std::vector<CheckOutcome> checked, outcomes());
  if (!tree_.known_failures().accept(checked)) return false;
  PEDRO_TRY(const std::vector<std::string> changed, reproduction_.changed_files());
  return changed.empty();
}

Result<std::optional<Json>> BuildRun::known_output(const Phase& phase) {
  if (phase.evidence != Evidence::kFailure) return std::optional<Json>();
  return reproduction_.from_checks(task_.text);
}

Result<BuildResult> BuildRun::run() {
  PEDRO_RETURN_IF_ERROR(outcomes());
  PEDRO_TRY(WorkflowResult ran, phases_.run());
  while (ran.end == WorkflowResult::End::kDone && next_message_ && workflow_.follow_up) {
    PEDRO_TRY(const std::string message, next_message_());
    if (message.empty()) break;
    PEDRO_TRY(ran, phases_.follow_up(message));
  }
  BuildResult result;
  result.message = message_;
  const bool is_blind = !reproduction_.outcome() && all_passed(tree_.baseline());
  if (ran.end == WorkflowResult::End::kLimit) {
    result.end = BuildEnd::kLimit;
    result.reason = ran.reason;
  } else if (ran.end == WorkflowResult::End::kBlocked) {
    result.end = BuildEnd::kBlocked;
    result.reason = ran.reason;
    result.claim_findings = check_blocked_claim(ran.reason, parts_.tools);
  } else if (ran.end == WorkflowResult::End::kDone && !ran.reason.empty() && is_blind) {
    result.end = BuildEnd::kLimit;
    result.reason = ran.reason + ", and the checks did not detect the issue";
  } else if (ran.end == WorkflowResult::End::kStopped) {
    result.end = BuildEnd::kNotReproduced;
    const auto& outputs = phases_.outputs();
    const auto output = outputs.find(ran.phase);
    const std::string tried =
        output == outputs.end() ? "" : std::string(trim(text_of(output->second, "tried")));
    result.reason = tried.empty() ? "no attempt showed the fault" : tried;
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
  plan.secrets = parts_.tools.secrets;
  plan.branch = settings_.branch;
  plan.base = settings_.base;
  plan.patch_base = settings_.first_base;
  plan.base_branch = settings_.base_branch;
  plan.issue_number = task_.at_forge ? task_.issue_number : 0;
  plan.title = task_.title;
  plan.text = std::move(text);
  plan.before = settings_.dirty;
  plan.generated = tree_.made_by_checks();
  plan.patch_path = settings_.patch_path;
  // Uses the end time of the last round: a job killed after it then creates the same commit on
  // resume.
  plan.date_s = number_of(parts_.answers.last_round(), "ended_ms") / 1000;
  plan.remote = settings_.remote;
  plan.draft = settings_.draft;
  plan.git_is_protected = settings_.git_is_protected;
  return plan;
}

Result<BuildResult> BuildRun::finish(BuildResult result) {
  result.outputs = phases_.outputs();
  result.tries = tries_;
  result.baseline = tree_.baseline();
  result.known_failures = tree_.known_failures();
  result.reproduction = reproduction_.outcome();
  result.replaced_reproductions = reproduction_.replaced();
  repository_.forget_changes();
  PEDRO_TRY(const std::string now, tree_.fingerprint());
  const bool changed = now != at_start_;
  const bool needs_checks = changed || !is_unfinished(result.end);
  if (needs_checks || result.end == BuildEnd::kBlocked) {
    Result<std::vector<CheckOutcome>> checked = outcomes();
    if (checked) {
      result.checks = std::move(*checked);
    } else if (!is_late(checked.error(), parts_.cancel)) {
      return checked.error();
    } else if (!is_unfinished(result.end)) {
      result.end = BuildEnd::kLimit;
      result.reason = "time ran out during the final checks";
    }
  }
  const bool unfinished = is_unfinished(result.end);
  if (result.end == BuildEnd::kVerified && tree_.checks().empty()) {
    result.end = BuildEnd::kNotVerified;
    result.reason = "there are no checks to verify it; name them with -test-cmd";
  } else if (result.end == BuildEnd::kVerified && !tree_.known_failures().accept(result.checks)) {
    result.end = BuildEnd::kNotVerified;
    result.reason = "the checks do not pass";
  }
  PEDRO_TRY(result.changed_evidence, reproduction_.changed_files());
  if (result.end == BuildEnd::kVerified && !result.changed_evidence.empty()) {
    result.end = BuildEnd::kNotVerified;
    result.reason = "the reproduction was changed afterwards";
  }
  if (settings_.branch.empty()) return without_commit(std::move(result), changed);
  if (unfinished) return save_unfinished(std::move(result));
  return deliver_work(std::move(result));
}

// Delivers the commit. Commits again without "Fixes #N" if the clean checkout refutes it.
Result<BuildResult> BuildRun::deliver_work(BuildResult result) {
  DeliveryPlan delivery = plan(commit_text(result.outputs));
  if (result.end != BuildEnd::kVerified) delivery.issue_number = 0;
  PEDRO_TRY(result.delivery, deliver(delivery, repository_));
  if (result.delivery.nothing_changed) {
    result.end = BuildEnd::kNothingChanged;
    result.reason = "no file differs from the base";
    return result;
  }
  // Judges all commits of the job: a change of the checks that was not verified does not become so.
  const std::string& base = settings_.first_base.empty() ? settings_.base : settings_.first_base;
  if (base != settings_.base) {
    PEDRO_TRY(const auto earlier, CommitFiles(repository_.git()).difference(base, settings_.base));
    for (const ChangedFile& file : earlier) result.earlier_files.insert(file.path);
  }
  const std::string task = task_.text + "\n" + message_;
  const CleanCheck check(repository_, base, task, tree_, executor_.written(), parts_.cancel,
                         run_clean_);
  PEDRO_RETURN_IF_ERROR(check.apply(result));
  const Result<std::string> head = repository_.commit_id();
  const bool is_ours = head && *head == result.delivery.commit;  // not a later commit of the user
  if (result.end != BuildEnd::kVerified && delivery.issue_number != 0 && is_ours) {
    delivery.issue_number = 0;
    PEDRO_TRY(result.delivery, deliver(delivery, repository_));
  }
  if (result.end == BuildEnd::kVerified && settings_.push && !result.delivery.problem) {
    const Status published = publish(delivery, repository_, result.delivery);
    if (!published) result.delivery.problem = published.error();
  }
  return result;
}

Result<BuildResult> BuildRun::save_unfinished(BuildResult result) {
  PEDRO_TRY(result.delivery, save(repository_, result.reason));
  return result;
}

Result<BuildResult> BuildRun::without_commit(BuildResult result, bool changed) {
  result.delivery.nothing_changed = !changed;
  if (changed || is_unfinished(result.end)) return result;
  result.end = BuildEnd::kNothingChanged;
  result.reason = "no file differs from before the job";
  return result;
}

Result<Delivery> BuildRun::save(const Repository& repository, const std::string& why) const {
  DeliveryPlan saved = plan({"wip: " + task_.title, "Unfinished and not verified: " + why + "."});
  saved.issue_number = 0;  // "Fixes #N" would be false
  return deliver(saved, repository);
}

}  // namespace pedro
