#include "agent/tool_set.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "grammar/validate.h"
#include "tools/signature.h"

namespace pedro {
namespace {

// With only the actions that the phase allows.
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

}  // namespace

std::vector<CallBranch> call_branches(const Registry& registry, const Phase& phase) {
  std::vector<CallBranch> branches;
  for (const Manifest& tool : tools_of(registry, phase)) {
    const Manifest& known = *registry.find(tool.name);
    for (const ActionManifest& action : tool.actions) {
      branches.push_back({tool.name, action.name, &known.find(action.name)->schema});
    }
  }
  branches.push_back({std::string(kPhaseComplete), "", &phase.output_schema});
  return branches;
}

ToolSet::ToolSet(const Registry& registry, const Phase& phase, const Feedback& feedback,
                 CallGrammars& grammars)
    : phase_(&phase),
      feedback_(&feedback),
      tools_(tools_of(registry, phase)),
      grammar_(grammars.text(call_branches(registry, phase))) {}

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

std::string ToolSet::check_call(const ToolCall& call) const {
  const Manifest* tool = find(call.tool);
  if (tool == nullptr) {
    return feedback_->text("no_tools_here", {{"tool", call.tool}, {"tools", names()}});
  }
  return check_args(*tool, call.args);
}

std::string ToolSet::check_finish(const Json& args) const {
  const auto violation = validate(phase_->output_schema, args);
  return violation ? to_string(*violation) : "";
}

std::string ToolSet::describe_finish() const {
  return fmt::format(R"({{"tool": "{}", "args": {}}})", kPhaseComplete,
                     schema_signature(phase_->output_schema_json));
}

std::string ToolSet::describe(std::set<std::string>& described) const {
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
  return std::string(trim(fmt::format("As before: {}.\n{}", known, taught)));
}

}  // namespace pedro
