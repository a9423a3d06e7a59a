#include "eval/eval_calls.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "eval/short_texts.h"
#include "tools/signature.h"

namespace pedro {
namespace {

constexpr std::string_view kAction = "action";

// Removes the action from the arguments: the flat name contains it.
Json without_action(Json schema) {
  if (schema.contains("properties")) schema["properties"].erase(std::string(kAction));
  if (!schema.contains("required")) return schema;
  Json required = Json::array();
  for (const Json& name : schema["required"]) {
    if (name != kAction) required.push_back(name);
  }
  schema["required"] = std::move(required);
  return schema;
}

}  // namespace

Result<EvalCalls> EvalCalls::make(const Registry& registry, const Workflow& workflow,
                                  const Feedback& feedback, const EvalConfiguration& configuration,
                                  const ModelInfo& model, int max_text,
                                  const std::map<std::string, std::string>& files) {
  EvalCalls calls;
  calls.workflow_ = &workflow;
  calls.feedback_ = &feedback;
  calls.style_ = model.has_tools ? ToolStyle::kDeclared : ToolStyle::kDescribed;
  calls.flat_ = configuration.flat_names;
  const bool raw = configuration.bodies == Bodies::kRaw && model.takes_bodies;
  calls.bodies_ = raw ? Bodies::kRaw : Bodies::kJson;
  for (const Phase& phase : workflow.phases) {
    if (Status added = calls.add_phase(registry, phase, max_text); !added) return added.error();
  }
  if (configuration.grounding) calls.ground(files);
  if (!model.has_tools) return calls;
  if (calls.flat_) {
    calls.declare_flat();
  } else {
    calls.declared_ = declared_tools(registry, workflow, feedback, end_schema_of(model));
  }
  return calls;
}

Status EvalCalls::add_phase(const Registry& registry, const Phase& phase, int max_text) {
  offered_.push_back({phase.name, ToolSet(registry, phase, *feedback_, style_, bodies_), {}, {}});
  Offered& offered = offered_.back();
  for (const CallBranch& call : offered.tools.calls()) {
    // A job offers the end of a blocked phase only after a refusal.
    if (call.tool == kPhaseComplete && !call.action.empty()) continue;
    if (Status added = add_branch(offered, registry, call, max_text); !added) return added;
  }
  return {};
}

void EvalCalls::ground(const std::map<std::string, std::string>& files) {
  std::set<std::string> paths;
  std::deque<Narrowing> texts;
  std::vector<const Narrowing*> edited;
  for (const auto& [path, text] : files) {
    paths.insert(path);
    edited.push_back(&texts.emplace_back(narrowing_of_file(path, text)));
  }
  const Narrowing project = narrowing_of_project(paths);
  for (Offered& offered : offered_) {
    NarrowedCalls& narrowed = narrowed_.emplace_back();
    for (const CallBranch& call : offered.branches) narrowed.add(call, project, edited);
    offered.branches.assign(narrowed.calls().begin(), narrowed.calls().end());
  }
}

Status EvalCalls::add_branch(Offered& offered, const Registry& registry, const CallBranch& call,
                             int max_text) {
  CallBranch branch = call;
  Json args = *call.args_json;
  if (max_text > 0) args = with_short_texts(std::move(args), max_text);
  const bool is_tool = registry.find(call.tool) != nullptr;
  if (flat_ && is_tool) {
    branch.tool = call.tool + "_" + call.action;
    branch.action.clear();
    args = without_action(std::move(args));
    const ActionManifest& action = *registry.find(call.tool)->find(call.action);
    offered.flat.emplace_back(branch.tool, fmt::format("- {} {}: {}\n", branch.tool,
                                                       schema_signature(args), action.about));
  }
  Result<Schema> schema = parse_schema(args, SchemaDialect::kClosed);
  if (!schema) return schema.error().at(call.tool);
  schemas_.push_back(*std::move(schema));
  written_.push_back(std::move(args));
  branch.args = &schemas_.back();
  branch.args_json = &written_.back();
  offered.branches.push_back(std::move(branch));
  return {};
}

void EvalCalls::declare_flat() {
  std::set<std::string> known;
  for (const Offered& offered : offered_) {
    for (const CallBranch& branch : offered.branches) {
      if (!known.insert(branch.tool).second) continue;
      const auto line = std::find_if(offered.flat.begin(), offered.flat.end(),
                                     [&](const auto& one) { return one.first == branch.tool; });
      const bool is_tool = line != offered.flat.end();
      declared_.push_back(
          {branch.tool,
           is_tool ? std::string(trim(line->second)) : feedback_->text("phase_complete"),
           is_tool ? to_line(*branch.args_json) : R"({"type": "object", "properties": {}})"});
    }
  }
}

const EvalCalls::Offered* EvalCalls::find(const std::string& phase) const {
  const auto found = std::find_if(offered_.begin(), offered_.end(),
                                  [&](const Offered& one) { return one.phase == phase; });
  return found == offered_.end() ? nullptr : &*found;
}

std::span<const CallBranch> EvalCalls::of_phase(const std::string& phase) const {
  const Offered* offered = find(phase);
  return offered == nullptr ? std::span<const CallBranch>() : offered->branches;
}

std::vector<std::string> EvalCalls::phases() const {
  std::vector<std::string> names;
  for (const Offered& offered : offered_) names.push_back(offered.phase);
  return names;
}

Result<std::string> EvalCalls::system_prompt() const {
  std::string calls = offered_.front().tools.how_to_call();
  if (flat_) calls = replace_all(calls, R"("action": "ACTION", )", "");
  Result<std::string> system = workflow_->system.render({{"calls", calls}});
  if (system) *system = std::string(trim(*system));
  return system;
}

std::string EvalCalls::describe(const std::string& phase, std::set<std::string>& described) const {
  const Offered* offered = find(phase);
  if (offered == nullptr) return "";
  std::string text;
  if (!flat_) {
    text = offered->tools.describe(described);
  } else {
    for (const auto& [name, line] : offered->flat) {
      if (described.insert(name).second && style_ == ToolStyle::kDescribed) text += line;
    }
  }
  const std::string finish = offered->tools.describe_finish();
  if (described.insert(finish).second) text += "\n" + finish;
  return std::string(trim(text));
}

}  // namespace pedro
