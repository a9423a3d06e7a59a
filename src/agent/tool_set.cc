#include "agent/tool_set.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "grammar/validate.h"
#include "tools/signature.h"
#include "tools/tool_declaration.h"

namespace pedro {
namespace {

// Returns the phase's tools with the actions that the phase allows.
std::vector<Manifest> tools_of(const Registry& registry, const Phase& phase) {
  std::vector<Manifest> tools;
  for (const std::string& name : phase.tools) {
    Manifest tool = *registry.find(name);
    std::erase_if(tool.actions, [&](const ActionManifest& action) {
      return !phase.allow.contains(action.permission);
    });
    if (!tool.actions.empty()) tools.push_back(std::move(tool));
  }
  return tools;
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
                                         const Feedback& feedback) {
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
  declared.push_back({std::string(kPhaseComplete), feedback.text("phase_complete"),
                      R"({"type": "object", "properties": {}})"});
  return declared;
}

ToolSet::ToolSet(const Registry& registry, const Phase& phase, const Feedback& feedback,
                 ToolStyle style, Bodies bodies)
    : phase_(&phase),
      feedback_(&feedback),
      style_(style),
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
  std::string text;
  for (const Manifest& tool : tools_) {
    std::vector<std::string> actions;
    for (const ActionManifest& action : tool.actions) actions.push_back(action.name);
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", tool.name, join(actions, ", "));
  }
  return text;
}

std::string ToolSet::check_call(const ToolCall& call) const {
  const Manifest* tool = find(call.tool);
  if (tool == nullptr) {
    return feedback_->text("no_tools_here", {{"tool", call.tool}, {"tools", names()}});
  }
  return check_args(*tool, call.args);
}

std::string ToolSet::check_finish(const Json& args) const {
  const bool is_blocked = reports_blocked(*phase_, args);
  const auto violation =
      validate(is_blocked ? blocked_output().schema : phase_->output_schema, args);
  return violation ? to_string(*violation) : "";
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
      known += fmt::format("{}{} ({})", known.empty() ? "" : ", ", tool.name, join(named, ", "));
    }
    if (!unknown.actions.empty()) taught += pedro::describe(unknown);
  }
  if (known.empty()) return std::string(trim(taught));
  const std::string before = feedback_->text("described_before", {{"tools", known}});
  return std::string(trim(before + "\n" + taught));
}

}  // namespace pedro
