#include "agent/tool_set.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "json_schema/validate.h"
#include "tools/meant_call.h"
#include "tools/signature.h"

namespace pedro {
namespace {

// Returns the phase's tools with the actions that the phase allows. Naming a third party's tool
// allows it.
std::vector<Manifest> tools_of(const Registry& registry, const Phase& phase) {
  std::vector<Manifest> tools;
  for (const std::string& name : phase.tools) {
    Manifest tool = *registry.find(name);
    const bool is_given =
        !tool.server_tool.empty() || std::ranges::any_of(tool.actions, [](const auto& action) {
          return !action.targets.empty();
        });
    std::erase_if(tool.actions, [&](const ActionManifest& action) {
      return !is_given && !phase.allow.contains(action.permission);
    });
    if (!tool.actions.empty()) tools.push_back(std::move(tool));
  }
  return tools;
}

// Returns "search (grep, find_files)", or only the name of a third party's tool.
std::string name_with(const Manifest& tool, const std::vector<std::string>& actions) {
  if (!tool.server_tool.empty()) return tool.name;
  return fmt::format("{} ({})", tool.name, join(actions, ", "));
}

struct OutputSchema {
  Json json;
  Schema schema;
};

// The output of a phase that cannot be done.
const OutputSchema& blocked_output() {
  static const OutputSchema kOutput = [] {
    OutputSchema output;
    output.json = {
        {"type", "object"},
        {"properties",
         {{kBlockedReason, {{"type", "string"}, {"minLength", 20}, {"maxLength", 800}}}}},
        {"required", {kBlockedReason}}};
    output.schema = *parse_schema(output.json, SchemaDialect::kClosed);
    return output;
  }();
  return kOutput;
}

// Returns a schema without lengths, which servers expand to large grammars, and without extensions.
Json shown_schema(Json schema) {
  if (schema.is_object()) {
    for (const char* key : {"minLength", "maxLength", "x-names"}) schema.erase(key);
  }
  for (Json& part : schema) {
    if (part.is_structured()) part = shown_schema(std::move(part));
  }
  return schema;
}

std::string end_schema(const Workflow& workflow, EndSchema end) {
  if (end == EndSchema::kAnyObject) return R"({"type": "object", "properties": {}})";
  Json options = Json::array();
  const auto add = [&options](const Json& output) {
    Json option = shown_schema(output);
    if (std::find(options.begin(), options.end(), option) == options.end()) {
      options.push_back(std::move(option));
    }
  };
  for (const Phase& phase : workflow.phases) {
    if (!phase.answers) add(phase.output_schema_json);
  }
  const bool blocks = std::any_of(workflow.phases.begin(), workflow.phases.end(),
                                  [](const Phase& phase) { return phase.takes_blocked; });
  if (blocks) add(blocked_output().json);
  return to_line({{"type", "object"}, {"properties", Json::object()}, {"anyOf", options}});
}

}  // namespace

std::vector<CallBranch> call_branches(const Registry& registry, const Phase& phase, Bodies bodies) {
  std::vector<CallBranch> branches;
  for (const Manifest& tool : tools_of(registry, phase)) {
    const Manifest& known = *registry.find(tool.name);
    for (const ActionManifest& action : tool.actions) {
      const ActionManifest& whole = *known.find(action.name);
      branches.push_back({tool.name, action.name, &whole.schema, {}, &whole.schema_json});
      if (bodies == Bodies::kRaw) branches.back().bodies = action.bodies;
    }
  }
  branches.push_back(
      {std::string(kPhaseComplete), "", &phase.output_schema, {}, &phase.output_schema_json});
  if (phase.takes_blocked) {
    branches.push_back({std::string(kPhaseComplete),
                        kBlockedReason,
                        &blocked_output().schema,
                        {},
                        &blocked_output().json});
  }
  return branches;
}

std::vector<DeclaredTool> declared_tools(const Registry& registry, const Workflow& workflow,
                                         const Feedback& feedback, EndSchema end) {
  std::vector<Manifest> all;
  for (const Phase& phase : workflow.phases) {
    for (Manifest& tool : tools_of(registry, phase)) {
      const auto known = std::find_if(
          all.begin(), all.end(), [&](const Manifest& other) { return other.name == tool.name; });
      if (known == all.end()) {
        all.push_back(std::move(tool));
        continue;
      }
      for (ActionManifest& action : tool.actions) {
        if (!known->find(action.name)) known->actions.push_back(std::move(action));
      }
    }
  }
  std::vector<DeclaredTool> declared;
  for (const Manifest& tool : all) declared.push_back(declare(tool));
  declared.push_back(
      {std::string(kPhaseComplete), feedback.text("phase_complete"), end_schema(workflow, end)});
  return declared;
}

ToolSet::ToolSet(const Registry& registry, const Phase& phase, const Feedback& feedback,
                 ToolStyle style, Bodies bodies, const Workflow* workflow)
    : phase_(&phase),
      feedback_(&feedback),
      style_(style),
      registry_(&registry),
      workflow_(workflow),
      tools_(tools_of(registry, phase)),
      calls_(call_branches(registry, phase, bodies)) {}

std::string ToolSet::how_to_call() const {
  std::string text =
      feedback_->text(style_ == ToolStyle::kDeclared ? "calls_declared" : "calls_as_text");
  const std::string bodies = how_to_write_bodies();
  return bodies.empty() ? text : text + "\n" + bodies;
}

// Returns the instructions for raw bodies, "" if all texts are in the arguments.
std::string ToolSet::how_to_write_bodies() const {
  std::set<std::string> known;
  std::vector<std::string> names;
  for (const CallBranch& call : calls_) {
    for (const std::string& name : call.bodies) {
      if (known.insert(name).second) names.push_back("`" + name + "`");
    }
  }
  if (names.empty()) return "";
  return feedback_->text("raw_bodies", {{"parameters", join(names, ", ")}});
}

const Manifest* ToolSet::find(std::string_view tool) const {
  for (const Manifest& manifest : tools_) {
    if (manifest.name == tool) return &manifest;
  }
  return nullptr;
}

std::string ToolSet::names() const {
  std::vector<std::string> names;
  for (const Manifest& tool : tools_) names.push_back(tool.name);
  return join(names, ", ");
}

std::string ToolSet::names_with_actions() const {
  std::vector<std::string> names;
  for (const Manifest& tool : tools_) {
    std::vector<std::string> actions;
    for (const ActionManifest& action : tool.actions) actions.push_back(action.name);
    names.push_back(name_with(tool, actions));
  }
  return join(names, ", ");
}

std::vector<std::string> ToolSet::correct_name(ParsedCall& call) const {
  Manifest end;
  end.name = kPhaseComplete;
  std::vector<const Manifest*> known{&end};
  for (const Manifest& tool : registry_->manifests()) known.push_back(&tool);
  CallName meant = meant_tool(call.tool, known);
  if (meant.tool == call.tool) return {};
  std::string repair = fmt::format("tool '{}' from '{}'", meant.tool, shown_name(call.tool));
  call.tool = std::move(meant.tool);
  call.args = with_action(meant, call.args);
  return {std::move(repair)};
}

bool ToolSet::needs_arguments(const std::string& tool) const {
  if (tool == kPhaseComplete) return true;
  const Manifest* known = registry_->find(tool);
  return known != nullptr && known->server_tool.empty();
}

CheckedArgs ToolSet::check_call(const ToolCall& call) const {
  const Manifest* tool = find(call.tool);
  const Manifest* known = registry_->find(call.tool);
  if (known == nullptr) return check_meant(tool, call);
  MeantArgs meant = meant_args(tool, *known, call.args);
  CheckedArgs checked = check_meant(tool, {call.id, call.tool, std::move(meant.args)});
  checked.repairs.insert(checked.repairs.begin(), meant.repairs.begin(), meant.repairs.end());
  return checked;
}

// Checks a call whose arguments have their action.
CheckedArgs ToolSet::check_meant(const Manifest* tool, const ToolCall& call) const {
  const std::string action = text_of(call.args, "action");
  const bool is_here = tool != nullptr && (action.empty() || tool->find(action) != nullptr);
  const std::string called = registry_->resolved(call).tool;
  const bool is_offered = phase_->offered.contains(called);
  if (tool == nullptr && is_offered) return check_args(*registry_->find(called), call.args);
  if (is_here && !is_offered && called != call.tool) {
    return {
        call.args, {}, feedback_->text("no_tools_here", {{"tool", called}, {"tools", names()}})};
  }
  if (is_here) return check_args(*tool, call.args);
  const std::string phase = later_phase_with(call.tool, action);
  std::string problem;
  if (!phase.empty()) {
    const std::string name = action.empty() ? call.tool : call.tool + " " + action;
    problem = feedback_->text("not_yet",
                              {{"call", name}, {"phase", phase}, {"tools", names_with_actions()}});
  } else if (tool != nullptr) {
    return check_args(*tool, call.args);
  } else {
    problem = feedback_->text("no_tools_here", {{"tool", call.tool}, {"tools", names()}});
  }
  return {call.args, {}, std::move(problem)};
}

// Returns the name of the first later phase that allows the call; "" if there is none.
std::string ToolSet::later_phase_with(const std::string& tool, const std::string& action) const {
  if (workflow_ == nullptr) return "";
  bool is_later = false;
  for (const Phase& phase : workflow_->phases) {
    for (const Manifest& manifest :
         is_later ? tools_of(*registry_, phase) : std::vector<Manifest>()) {
      const bool has_action = action.empty() || manifest.find(action) != nullptr;
      if (manifest.name == tool && has_action) return phase.name;
    }
    is_later = is_later || &phase == phase_;
  }
  return "";
}

CheckedArgs ToolSet::check_finish(const Json& args) const {
  const Json& outputs = member(phase_->output_schema_json, "properties");
  MeantArgs meant = unwrapped_args(kPhaseComplete, args, [&](const std::string& name) {
    return name == kBlockedReason || outputs.contains(name);
  });
  const bool is_blocked = reports_blocked(*phase_, meant.args);
  CheckedArgs checked =
      check_args(is_blocked ? blocked_output().schema : phase_->output_schema, meant.args);
  checked.repairs.insert(checked.repairs.begin(), meant.repairs.begin(), meant.repairs.end());
  return checked;
}

std::string ToolSet::describe_finish() const {
  const std::string args = schema_signature(phase_->output_schema_json);
  if (style_ == ToolStyle::kDeclared) return fmt::format("`{}` {}", kPhaseComplete, args);
  return fmt::format(R"({{"tool": "{}", "args": {}}})", kPhaseComplete, args);
}

std::string ToolSet::describe(std::set<std::string>& described) const {
  std::string text = describe_tools(described);
  const std::string bodies = how_to_write_bodies();
  if (!bodies.empty() && described.insert(bodies).second) text += "\n\n" + bodies;
  return text;
}

std::string ToolSet::describe_tools(std::set<std::string>& described) const {
  if (style_ == ToolStyle::kDeclared) return names_with_actions();
  std::string known;
  std::string taught;
  for (const Manifest& tool : tools_) {
    Manifest unknown = tool;
    std::vector<std::string> named;
    std::erase_if(unknown.actions, [&](const ActionManifest& action) {
      const bool new_here = described.insert(tool.name + "." + action.name).second;
      if (!new_here) named.push_back(action.name);
      return !new_here;
    });
    if (!named.empty()) {
      known += (known.empty() ? "" : ", ") + name_with(tool, named);
    }
    if (!unknown.actions.empty()) taught += pedro::describe(unknown);
  }
  if (known.empty()) return std::string(trim(taught));
  const std::string before = feedback_->text("described_before", {{"tools", known}});
  return std::string(trim(before + "\n" + taught));
}

}  // namespace pedro
