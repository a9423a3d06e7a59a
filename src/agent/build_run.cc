#include "agent/build_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "agent/project_summary.h"
#include "base/text.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxChecksBytes = 6 * 1024;
constexpr std::size_t kMaxDiffBytes = 12 * 1024;

std::string failure_of(const CheckOutcome& outcome) {
  return fmt::format("{}: {}\n{}", outcome.check.command,
                     outcome.timed_out ? std::string("timed out")
                                       : fmt::format("failed (exit {})", outcome.exit_code),
                     outcome.output);
}

ToolStyle style_of(const ModelInfo& model) {
  return model.has_tools ? ToolStyle::kDeclared : ToolStyle::kDescribed;
}

std::string limit_reason(const Phase& phase, const PhaseOutcome& outcome) {
  return outcome.end == PhaseEnd::kStuck
             ? fmt::format("the model went round in circles in the phase '{}'", phase.name)
             : fmt::format("rounds or time ran out in the phase '{}', after {} of its rounds",
                           phase.name, outcome.rounds);
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
  }
  return "";
}

// A model that was trained to write JSON writes what it was trained to. One that is taught to call
// may as well be taught what costs it less.
Bodies bodies_of(const ModelInfo& model, const Phase& phase, Bodies wanted) {
  if (!model.takes_bodies) return Bodies::kJson;
  if (phase.bodies != Bodies::kAuto) return phase.bodies;
  if (wanted != Bodies::kAuto) return wanted;
  return model.has_tools ? Bodies::kJson : Bodies::kRaw;
}

ToolSet BuildRun::tool_set(const Phase& phase) {
  return ToolSet(parts_.registry, phase, parts_.feedback, style_of(parts_.model_info),
                 bodies_of(parts_.model_info, phase, settings_.bodies));
}

Result<std::string> BuildRun::describe_checks() {
  const Result<std::vector<CheckOutcome>> checked = outcomes();
  if (!checked) return checked.error();
  if (checked->empty()) return parts_.feedback.text("no_checks");
  std::string text;
  for (const CheckOutcome& outcome : *checked) {
    text += outcome.passed ? outcome.check.command + ": passed\n" : failure_of(outcome);
  }
  return cut_middle(trim(text), kMaxChecksBytes, "");
}

Result<std::string> BuildRun::opening(const Phase& phase, const ToolSet& tools) {
  std::map<std::string, std::string> values = {
      {"task", task_.text},
      {"title", task_.title},
      {"tools", tools.describe(described_)},
      {"finish", tools.describe_finish()},
  };
  for (const auto& [name, output] : outputs_) values[name] = to_pretty(output);
  // What takes work to find out is found out only where the prompt asks for it.
  if (phase.prompt.uses("project")) values["project"] = project_summary(tree_);
  if (phase.prompt.uses("checks")) {
    Result<std::string> checks = describe_checks();
    if (!checks) return checks;
    values["checks"] = std::move(*checks);
  }
  if (phase.prompt.uses("diff")) {
    Result<std::string> diff = repository_.diff(settings_.base);
    if (!diff) return diff;
    const SecretMask* secrets = parts_.tools.secrets;
    if (secrets != nullptr) *diff = secrets->mask(*diff);
    values["diff"] = cut_middle(trim(*diff), kMaxDiffBytes, "");
  }
  Result<std::string> text = phase.prompt.render(values);
  if (text) *text = std::string(trim(*text));
  return text;
}

// The agent's rules.
Result<std::string> BuildRun::system_prompt() {
  const std::string calls = tool_set(workflow_.phases.front()).how_to_call();
  const Result<std::string> system = workflow_.system.render({{"calls", calls}});
  if (!system) return system.error();
  return std::string(trim(*system));
}

Result<std::vector<ChatMessage>> BuildRun::first_prompt() {
  const Phase& phase = workflow_.phases.front();
  Result<std::string> system = system_prompt();
  if (!system) return system.error();
  std::set<std::string> described;
  described.swap(described_);
  Result<std::string> text = opening(phase, tool_set(phase));
  described.swap(described_);
  if (!text) return text.error();
  return std::vector<ChatMessage>{text_message(Role::kSystem, *std::move(system)),
                                  text_message(Role::kUser, *std::move(text))};
}

Result<std::optional<std::string>> BuildRun::check_evidence(const Phase& phase) {
  if (phase.evidence == Evidence::kNone) return std::optional<std::string>();
  if (phase.evidence == Evidence::kChange) {
    const Result<std::string> now = tree_.fingerprint();
    if (!now) return now.error();
    if (*now != at_phase_start_) return std::optional<std::string>();
    return std::optional(parts_.feedback.text("no_change"));
  }
  const Result<std::vector<CheckOutcome>> checked = outcomes();
  if (!checked) return checked.error();
  if (all_passed(*checked)) return std::optional<std::string>();
  const Result<std::string> checks = describe_checks();
  if (!checks) return checks.error();
  return std::optional(parts_.feedback.text("checks_fail", {{"checks", *checks}}));
}

Result<bool> BuildRun::may_skip(const Phase& phase) {
  if (!phase.skip_when_checks_pass) return false;
  const Result<std::vector<CheckOutcome>> checked = outcomes();
  if (!checked) return checked.error();
  return all_passed(*checked);
}

Result<BuildResult> BuildRun::run() {
  Result<std::string> system = system_prompt();
  if (!system) return system.error();
  const bool declared = style_of(parts_.model_info) == ToolStyle::kDeclared;
  executor_.begin(*std::move(system),
                  declared ? declared_tools(parts_.registry, workflow_, parts_.feedback)
                           : std::vector<DeclaredTool>());
  BuildResult result;
  const int total = static_cast<int>(workflow_.phases.size());
  for (int i = 0; i < total; ++i) {
    const Phase& phase = workflow_.phases[static_cast<std::size_t>(i)];
    RunObserver& observer = parts_.observer;
    if (Status heard = observer.on_phase_started(phase.name, i + 1, total); !heard) {
      return heard.error();
    }
    const Result<bool> skip = may_skip(phase);
    if (!skip) return skip.error();
    PhaseOutcome outcome;
    if (*skip) {
      outcome.end = PhaseEnd::kSkipped;
    } else {
      const ToolSet tools = tool_set(phase);
      const Result<std::string> text = opening(phase, tools);
      if (!text) return text.error();
      Result<std::string> fingerprint = tree_.fingerprint();
      if (!fingerprint) return fingerprint.error();
      at_phase_start_ = std::move(*fingerprint);
      if (i == 0) at_start_ = at_phase_start_;
      Result<PhaseOutcome> ran = executor_.run_phase(
          phase, tools, *text, [this](const Phase& p, const Json&) { return check_evidence(p); });
      if (!ran) return ran.error();
      outcome = std::move(*ran);
    }
    if (Status heard = observer.on_phase_finished(phase.name, outcome.end, outcome.output);
        !heard) {
      return heard.error();
    }
    outputs_[phase.name] = std::move(outcome.output);
    const bool cut_short = outcome.end == PhaseEnd::kStuck || outcome.end == PhaseEnd::kRounds;
    if (cut_short && !phase.optional) {
      result.end = BuildEnd::kLimit;
      result.reason = limit_reason(phase, outcome);
      break;
    }
  }
  return finish(std::move(result));
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
  plan.remote = settings_.remote;
  plan.draft = settings_.draft;
  return plan;
}

Result<BuildResult> BuildRun::finish(BuildResult result) {
  result.outputs = outputs_;
  const Result<std::string> now = tree_.fingerprint();
  if (!now) return now.error();
  const bool changed = *now != at_start_;
  if (result.end != BuildEnd::kLimit || changed) {  // else there is nothing to check
    Result<std::vector<CheckOutcome>> checked = outcomes();
    if (!checked) return checked.error();
    result.checks = std::move(*checked);
  }
  if (result.end == BuildEnd::kVerified && tree_.checks().empty()) {
    result.end = BuildEnd::kNotVerified;
    result.reason = "there are no checks to verify it; name them with -test-cmd";
  } else if (result.end == BuildEnd::kVerified && !all_passed(result.checks)) {
    result.end = BuildEnd::kNotVerified;
    result.reason = "the checks do not pass";
  }
  if (settings_.branch.empty()) return without_commit(std::move(result), changed);
  if (result.end == BuildEnd::kLimit) {
    Result<Delivery> saved = save(repository_, result.reason);
    if (!saved) return saved.error();
    result.delivery = std::move(*saved);
    return result;
  }
  const auto written = outputs_.find("deliver");
  const Json none;
  const Json& output = written == outputs_.end() ? none : written->second;
  DeliveryPlan delivery = plan({text_of(output, "subject"), text_of(output, "body")});
  // "Fixes #N" is only for what was shown to fix it.
  if (result.end != BuildEnd::kVerified) delivery.issue_number = 0;
  delivery.push = settings_.push && result.end == BuildEnd::kVerified;
  Result<Delivery> delivered = deliver(delivery, repository_);
  if (!delivered) return delivered.error();
  result.delivery = std::move(*delivered);
  if (result.delivery.nothing_changed) {
    result.end = BuildEnd::kNothingChanged;
    result.reason = "no file differs from the base";
    return result;
  }
  auto missing = undelivered(result.delivery);
  if (!missing) return missing.error();
  result.undelivered = std::move(*missing);
  if (result.end == BuildEnd::kVerified && !result.undelivered.empty()) {
    result.end = BuildEnd::kNotVerified;
    result.reason = "the checks pass, but files that belong to the work are not in the commit";
  }
  return result;
}

Result<BuildResult> BuildRun::without_commit(BuildResult result, bool changed) {
  result.delivery.nothing_changed = !changed;
  if (changed || result.end == BuildEnd::kLimit) return result;
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
