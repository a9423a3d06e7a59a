#include "agent/workflow_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "agent/agent_terms.h"
#include "base/hash.h"
#include "base/marked_text.h"
#include "base/text.h"
#include "sys/interrupted.h"

namespace pedro {
namespace {

constexpr int kMostCuts = 4;                     // per prompt
constexpr std::size_t kFewestValueBytes = 1024;  // kept of each truncated value

ToolStyle style_of(const ModelInfo& model) {
  return model.has_tools ? ToolStyle::kDeclared : ToolStyle::kDescribed;
}

bool is_cut_short(PhaseEnd end) {
  return end == PhaseEnd::kStuck || end == PhaseEnd::kRounds || end == PhaseEnd::kTime;
}

std::string limit_reason(const Phase& phase, const PhaseOutcome& outcome) {
  return outcome.end == PhaseEnd::kStuck
             ? fmt::format("the model went round in circles in the phase '{}'", phase.name)
             : fmt::format("{} ran out in the phase '{}', after {} of its rounds", outcome.ran_out,
                           phase.name, outcome.rounds);
}

// Returns a third of the context window in bytes. The rest is for rules, lookups and the reply.
std::size_t room_bytes_of_item(const ModelInfo& model) {
  return static_cast<std::size_t>(std::max(0LL, model.context_tokens)) * Window::kBytesPerToken / 3;
}

// Returns a string verbatim, other values as JSON.
std::string as_text(const Json& value) {
  return value.is_string() ? value.get<std::string>() : to_pretty(value);
}

}  // namespace

// Selects the form of long texts. Models trained on JSON calls keep JSON. Others are taught the
// cheaper raw form.
Bodies bodies_of(const ModelInfo& model, const Phase& phase, Bodies wanted) {
  if (!model.takes_bodies) return Bodies::kJson;
  if (phase.bodies != Bodies::kAuto) return phase.bodies;
  if (wanted != Bodies::kAuto) return wanted;
  return model.has_tools ? Bodies::kJson : Bodies::kRaw;
}

ToolSet WorkflowRun::tool_set(const Phase& phase) const {
  return ToolSet(parts_.registry, phase, parts_.feedback, style_of(parts_.model_info),
                 bodies_of(parts_.model_info, phase, bodies_), &workflow_);
}

// Renders the agent's rules.
Result<std::string> WorkflowRun::system_prompt() {
  const auto first = std::find_if(workflow_.phases.begin(), workflow_.phases.end(),
                                  [](const Phase& phase) { return !phase.answers; });
  const bool calls_none = first == workflow_.phases.end();
  const std::string calls = calls_none ? "" : tool_set(*first).how_to_call();
  PEDRO_TRY(const std::string system, workflow_.system.render({{"calls", calls}}));
  std::string text(trim(system));
  if (task_.rules.empty()) return text;
  return text + "\n\n" + parts_.feedback.text("project_rules", {{"rules", task_.rules}});
}

Status WorkflowRun::begin_conversation() {
  PEDRO_TRY(std::string system, system_prompt());
  const bool declared = style_of(parts_.model_info) == ToolStyle::kDeclared;
  executor_.begin(std::move(system),
                  declared ? declared_tools(parts_.registry, workflow_, parts_.feedback,
                                            end_schema_of(parts_.model_info))
                           : std::vector<DeclaredTool>());
  described_.clear();
  return {};
}

// Computes the values of a prompt. Expensive values are computed only if the prompt uses them.
Result<WorkflowRun::Values> WorkflowRun::values_of(const Phase& phase, const PhaseItem& item,
                                                   const ToolSet& tools) {
  Values values = {
      {"task", task_.text},
      {"title", task_.title},
      {"tools", tools.describe(described_)},
      {"finish", tools.describe_finish()},
      {"rounds", std::to_string(phase.max_rounds)},
      {"item", as_text(item.value)},
      {"number", std::to_string(item.number)},
      {"total", std::to_string(item.total)},
  };
  for (const Phase& earlier : workflow_.phases) values[earlier.name] = "";
  for (const auto& [name, output] : kept_.outputs) {
    values[name] = output.is_null() ? parts_.feedback.text("no_output") : to_pretty(output);
  }
  for (const std::string& variable : terms_of(workflow_.agent, writes(workflow_)).variables) {
    if (!phase.prompt.uses(variable)) continue;
    PEDRO_TRY(std::string value, place_.value(variable, item));
    values[variable] = std::move(value);
  }
  return values;
}

Result<std::string> WorkflowRun::render(const Phase& phase, const Values& values) const {
  Result<std::string> text = phase.prompt.render(values);
  if (!text) return text;
  const SecretMask* secrets = parts_.tools.secrets;
  *text = secrets == nullptr ? std::string(trim(*text)) : secrets->mask(trim(*text));
  return text;
}

// Renders a prompt that fits the room. Truncates the longest values in the middle and stores them
// in full.
Result<std::string> WorkflowRun::fitted(const Phase& phase, Values values, long long room) {
  const bool recalls =
      std::find(phase.tools.begin(), phase.tools.end(), "context") != phase.tools.end();
  std::map<std::string, std::string> whole;  // untruncated values by variable
  for (int cuts = 0;; ++cuts) {
    Result<std::string> text = render(phase, values);
    if (!text) return text;
    const auto bytes = static_cast<long long>(text->size());
    if (room <= 0 || bytes <= room || cuts == kMostCuts) return text;  // at most one token per byte
    const long long tokens = parts_.model.count_text(*text);
    if (tokens <= room) return text;
    const std::string name = longest_of(phase, values);
    if (name.empty() || values[name].size() <= kFewestValueBytes) return text;
    std::string& value = values[name];
    if (whole.count(name) == 0) {
      const SecretMask* secrets = parts_.tools.secrets;
      if (secrets != nullptr) value = secrets->mask(value);
      whole[name] = value;
    }
    PEDRO_TRY(const std::string id, keep_whole(whole[name], [&](const std::string& kept_as) {
                return fmt::format(
                    "the prompt of '{}' has {} tokens, the limit is {}: the middle of its {} is "
                    "omitted and "
                    "kept as {}; a larger window (-c) would hold all of it",
                    phase.name, tokens, room, name, kept_as);
              }));
    const long long excess = bytes * (tokens - room) / tokens + bytes / 50 + 128;
    const std::size_t most =
        value.size() - std::min(value.size(), static_cast<std::size_t>(excess));
    value =
        cut_marked(whole[name], std::max(most, kFewestValueBytes), recalls ? kept_note(id) : "");
  }
}

// Returns the variable with the longest value, except the instructions for calls. In a phase of
// answers, only the task may be truncated, since an answer repeats lines of the others.
std::string WorkflowRun::longest_of(const Phase& phase, const Values& values) {
  std::string longest;
  std::size_t bytes = 0;
  for (const auto& [name, value] : values) {
    if (name == "tools" || name == "finish" || !phase.prompt.uses(name)) continue;
    if (phase.answers && name != "task") continue;
    if (value.size() <= bytes) continue;
    longest = name;
    bytes = value.size();
  }
  return longest;
}

// Stores a long text and notifies the user, once for the same text.
Result<std::string> WorkflowRun::keep_whole(
    const std::string& text, const std::function<std::string(const std::string& id)>& told) {
  std::string& id = kept_whole_[hash_bytes(text)];
  if (!id.empty()) return id;
  Result<std::string> kept_as = parts_.tools.notes.spill(text);
  if (!kept_as) return kept_as.error().at("cannot keep a text too long for the window");
  id = *kept_as;
  parts_.observer.on_notice(told(id));
  return kept_as;
}

Result<std::vector<ChatMessage>> WorkflowRun::first_prompt(const Phase& phase,
                                                           const PhaseItem& item) {
  PEDRO_TRY(std::string system, system_prompt());
  std::set<std::string> described;
  described.swap(described_);
  const Result<Values> values = values_of(phase, item, tool_set(phase));
  described.swap(described_);
  if (!values) return values.error();
  PEDRO_TRY(std::string text, render(phase, *values));
  return std::vector<ChatMessage>{text_message(Role::kSystem, std::move(system)),
                                  text_message(Role::kUser, std::move(text))};
}

Result<std::vector<ChatMessage>> WorkflowRun::first_prompt() {
  for (const Phase& phase : workflow_.phases) {
    PEDRO_TRY(const Json items, items_of(phase));
    const bool once = phase.for_each.empty();
    if (!once && items.empty()) continue;
    const PhaseItem item{once ? Json() : items[0], 1, once ? 1 : static_cast<int>(items.size())};
    PEDRO_TRY(const bool skip, place_.may_skip(phase, item));
    if (!skip) return first_prompt(phase, item);
  }
  return Error{ErrorKind::kUsage, "there is nothing to do: every phase is skipped"};
}

// Returns the elements for which a phase runs; null if it runs once.
Result<Json> WorkflowRun::items_of(const Phase& phase) {
  if (phase.for_each.empty()) return Json();
  const std::size_t dot = phase.for_each.find('.');
  if (dot == std::string::npos) {
    return place_.list(phase.for_each, room_bytes_of_item(parts_.model_info));
  }
  const auto output = kept_.outputs.find(phase.for_each.substr(0, dot));
  if (output == kept_.outputs.end()) return Json(Json::array());
  const Json& list = member(output->second, phase.for_each.substr(dot + 1));
  return list.is_array() ? list : Json(Json::array());
}

// Discards outputs that belong to other items. Outputs are stored by the number of the item. If the
// items have changed, the outputs of this phase and all later ones are invalid.
void WorkflowRun::take_items(const Phase& phase, const Json& items) {
  const int total = static_cast<int>(items.size());
  std::uint64_t hash = hash_bytes(to_line(items), kHashSeed);
  for (int i = 0; i < total; ++i) {
    const PhaseItem item{items[static_cast<std::size_t>(i)], i + 1, total};
    hash = hash_bytes(place_.shown_of(phase, item), hash_bytes("\n", hash));
  }
  std::string& known = kept_.items[phase.name];
  if (known != to_hex(hash) && kept_.outputs.count(phase.name) > 0) {
    parts_.observer.on_notice(fmt::format(
        "the phase '{}' and the later ones run again: its items have changed", phase.name));
    bool behind = false;
    for (const Phase& later : workflow_.phases) {
      behind = behind || later.name == phase.name;
      if (behind) kept_.outputs.erase(later.name);
    }
  }
  known = to_hex(hash);
}

Status WorkflowRun::keep(const Phase& phase, const PhaseItem& item, Json output) {
  Json& kept = kept_.outputs[phase.name];
  if (phase.for_each.empty()) {
    kept = std::move(output);
  } else {
    kept[static_cast<std::size_t>(item.number - 1)] = std::move(output);
  }
  // The outputs of phases with replayed rounds were stored by the earlier process.
  return keep_ && !parts_.answers.catching_up() ? keep_(kept_) : Status();
}

Result<PhaseOutcome> WorkflowRun::run_item(const Phase& phase, const PhaseItem& item) {
  PEDRO_TRY(const bool skip, place_.may_skip(phase, item));
  if (skip) return PhaseOutcome{PhaseEnd::kSkipped, Json(), 0};
  if (phase.answers) return run_answers(phase, item);
  PEDRO_TRY(std::optional<Json> known, place_.known_output(phase));
  if (known) return PhaseOutcome{PhaseEnd::kCompleted, *std::move(known), 0};
  if ((phase.anew && executor_.rounds() > 0) || std::exchange(apart_, false)) {
    PEDRO_RETURN_IF_ERROR(begin_conversation());
  }
  const ToolSet tools = tool_set(phase);
  PEDRO_TRY(Values values, values_of(phase, item, tools));
  const Result<std::string> text =
      fitted(phase, std::move(values), executor_.context().opening_room());
  if (!text) return text.error();
  PEDRO_RETURN_IF_ERROR(place_.begin(phase, item));
  return executor_.run_phase(phase, tools, *text, [&](const Phase& p, const Json& output) {
    return place_.refusal(p, item, output);
  });
}

// Runs answers in separate conversations. The next phase therefore starts a new one.
Result<PhaseOutcome> WorkflowRun::run_answers(const Phase& phase, const PhaseItem& item) {
  PEDRO_RETURN_IF_ERROR(place_.begin(phase, item));
  apart_ = true;
  // The rules for an answer are about as long as the rules of a phase.
  PEDRO_TRY(const std::string system, system_prompt());
  const long long room = executor_.context().apart_room(system);
  return place_.solve(
      phase, [&](const Values& more) { return fitted(phase, values_of_try(item, more), room); });
}

RenderTry WorkflowRun::renderer(const Phase& phase, const PhaseItem& item) {
  return
      [this, &phase, item](const Values& more) { return render(phase, values_of_try(item, more)); };
}

WorkflowRun::Values WorkflowRun::values_of_try(const PhaseItem& item, const Values& more) const {
  Values values = more;
  values.insert({{"task", task_.text}, {"title", task_.title}, {"item", as_text(item.value)}});
  return values;
}

// Runs a phase for all its items. Its end is the worst of theirs.
Result<WorkflowResult> WorkflowRun::run_phase(const Phase& phase) {
  if (parts_.hooks != nullptr) {
    PEDRO_RETURN_IF_ERROR(
        parts_.hooks->notify(HookEvent::kPhaseStart, phase.name, {{"phase", phase.name}}));
  }
  PEDRO_TRY(const Json items, items_of(phase));
  const bool once = phase.for_each.empty();
  const int total = once ? 1 : static_cast<int>(items.size());
  if (!once) take_items(phase, items);
  Json& kept = kept_.outputs[phase.name];
  if (!once) {
    if (!kept.is_array()) kept = Json::array();
    while (kept.size() < items.size()) kept.push_back(nullptr);
  }
  WorkflowResult result;
  PhaseEnd end = PhaseEnd::kSkipped;
  for (int i = 0; i < total && result.end == WorkflowResult::End::kDone; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const PhaseItem item{once ? Json() : items[at], i + 1, total};
    Json earlier = once ? kept_.outputs[phase.name] : kept_.outputs[phase.name][at];
    PhaseOutcome outcome{PhaseEnd::kSkipped, std::move(earlier), 0};
    if (outcome.output.is_null()) {
      const int rounds = executor_.rounds();
      Result<PhaseOutcome> ran = run_item(phase, item);
      if (!ran && is_late(ran.error(), parts_.cancel)) {
        ran = PhaseOutcome{PhaseEnd::kTime, Json(), executor_.rounds() - rounds, "time"};
      }
      if (!ran) return ran.error();
      outcome = std::move(*ran);
      PEDRO_RETURN_IF_ERROR(keep(phase, item, outcome.output));
    }
    if (outcome.end != PhaseEnd::kSkipped && !is_cut_short(end)) end = outcome.end;
    const bool cut_short = is_cut_short(outcome.end);
    PEDRO_TRY(const NextStep next, place_.finished(phase, item, outcome.output));
    if (cut_short && !phase.optional) {
      PEDRO_TRY(const bool continues, may_continue_after(phase, outcome));
      const auto at_end = continues ? WorkflowResult::End::kDone : WorkflowResult::End::kLimit;
      result = {at_end, phase.name, limit_reason(phase, outcome)};
    } else if (outcome.end == PhaseEnd::kBlocked) {
      result = {WorkflowResult::End::kBlocked, phase.name, text_of(outcome.output, kBlockedReason)};
    } else if (next == NextStep::kStop) {
      result = {WorkflowResult::End::kStopped, phase.name, ""};
    }
  }
  PEDRO_RETURN_IF_ERROR(
      parts_.observer.on_phase_finished(phase.name, end, kept_.outputs[phase.name]));
  return result;
}

// Continues only after a limit of the phase itself.
Result<bool> WorkflowRun::may_continue_after(const Phase& phase, const PhaseOutcome& outcome) {
  if (outcome.end == PhaseEnd::kTime || !executor_.used_up(1).empty()) return false;
  return place_.may_continue_after(phase);
}

// Ends the round after the phase of the stop, also in a resumed job, and applies the user's output.
// Returns true if the job stops there.
Result<bool> WorkflowRun::stops_after(const Phase& phase) {
  if (phase.name != stop_.phase) return false;
  PEDRO_RETURN_IF_ERROR(parts_.observer.on_phase_limited());
  if (!stop_.edited.is_null()) kept_.outputs[phase.name] = stop_.edited;
  return executor_.rounds() > stop_.rounds;
}

Result<WorkflowResult> WorkflowRun::run() {
  if (parts_.hooks != nullptr) {
    PEDRO_TRY(const std::string more,
              parts_.hooks->before_prompt(task_.text, RunHooks::Prompt::kTask));
    if (!more.empty()) task_.text += "\n\n" + more;
  }
  PEDRO_RETURN_IF_ERROR(begin_conversation());
  return run_from(0, nullptr);
}

// Runs the phases from index `first` on. `instead` replaces the first one; null: none.
Result<WorkflowResult> WorkflowRun::run_from(std::size_t first, const Phase* instead) {
  WorkflowResult all;
  const std::vector<Phase>& phases = workflow_.phases;
  const int total = static_cast<int>(phases.size());
  for (std::size_t i = first; i < phases.size(); ++i) {
    const Phase& phase = i == first && instead != nullptr ? *instead : phases[i];
    const int number = static_cast<int>(i) + 1;
    PEDRO_RETURN_IF_ERROR(parts_.observer.on_phase_started(phase.name, number, total));
    Result<WorkflowResult> result = run_phase(phase);
    if (!result) return result;
    if (result->end != WorkflowResult::End::kDone) return result;
    if (all.reason.empty()) all = *std::move(result);
    PEDRO_TRY(const bool stops, stops_after(phase));
    if (!stops) continue;
    return WorkflowResult{WorkflowResult::End::kLimit, phase.name,
                          fmt::format("stopped after the phase '{}', as requested", phase.name)};
  }
  return all;
}

Result<WorkflowResult> WorkflowRun::follow_up(const std::string& message) {
  executor_.begin_turn();
  stop_ = {};
  // Answers were separate conversations, so the next one needs the task.
  task_.text =
      apart_ ? parts_.feedback.text("earlier_task", {{"task", task_.text}, {"message", message}})
             : message;
  place_.take_up(task_.text);
  if (parts_.hooks != nullptr) {
    PEDRO_TRY(const std::string more,
              parts_.hooks->before_prompt(message, RunHooks::Prompt::kLater));
    if (!more.empty()) task_.text += "\n\n" + more;
  }
  const std::size_t first = follow_up_index(workflow_);
  const Phase phase = follow_up_phase(workflow_);
  for (std::size_t i = first; i < workflow_.phases.size(); ++i) {
    kept_.outputs.erase(workflow_.phases[i].name);
  }
  return run_from(first, &phase);
}

}  // namespace pedro
