#include "tools/meant_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/text.h"
#include "tools/word_list.h"

namespace pedro {
namespace {

constexpr std::string_view kWrappers[] = {"arguments", "args", "parameters", "input", "kwargs"};
constexpr std::string_view kNameMembers[] = {"name", "tool", "function", "tool_name"};

// Returns the object in a value: itself, JSON text, or the only element of a list.
std::optional<Json> object_in(const Json& value) {
  if (value.is_object()) return value;
  if (value.is_array() && value.size() == 1 && value[0].is_object()) return value[0];
  if (!value.is_string()) return std::nullopt;
  Result<Json> inner = parse_json(trim(value.get_ref<const std::string&>()));
  return inner && inner->is_object() ? std::optional(*std::move(inner)) : std::nullopt;
}

bool declares(const ActionManifest& action, const std::string& name) {
  return member(action.schema_json, "properties").contains(name);
}

bool declares(const Manifest& tool, const std::string& name) {
  return std::any_of(tool.actions.begin(), tool.actions.end(),
                     [&](const ActionManifest& action) { return declares(action, name); });
}

// Returns true if an action declares all arguments, and these contain all required ones.
bool takes(const ActionManifest& action, const Json& args) {
  for (const auto& [name, value] : args.items()) {
    if (!declares(action, name)) return false;
  }
  const Json& required = member(action.schema_json, "required");
  return std::all_of(required.begin(), required.end(), [&](const Json& name) {
    return name == "action" || args.contains(name.get_ref<const std::string&>());
  });
}

// Returns the only action that takes the arguments; "" if none or several do.
std::string only_action_for(const Manifest& tool, const Json& args) {
  std::string only;
  for (const ActionManifest& action : tool.actions) {
    if (!takes(action, args)) continue;
    if (!only.empty()) return "";
    only = action.name;
  }
  return only;
}

// Returns the undeclared members whose value is the name of an action.
std::vector<std::string> members_with_action(const Manifest& known, const Json& args) {
  std::vector<std::string> names;
  for (const auto& [name, value] : args.items()) {
    const bool is_own = name == "action" || declares(known, name);
    if (!is_own && value.is_string() && known.find(text_of(args, name))) names.push_back(name);
  }
  return names;
}

// Returns the action with another spelling of its name; "" if there is none.
std::string action_alike(const Manifest& known, const std::string& name) {
  if (name.empty() || known.find(name) != nullptr) return "";
  for (const ActionManifest& action : known.actions) {
    if (name_key(action.name) == name_key(name)) return action.name;
  }
  return "";
}

Json with_action(const std::string& action, const Json& args) {
  Json all = {{"action", action}};
  for (const auto& [name, value] : args.items()) {
    if (name != "action") all[name] = value;
  }
  return all;
}

}  // namespace

MeantArgs unwrapped_args(std::string_view tool, const Json& args,
                         const std::function<bool(const std::string& name)>& is_declared) {
  MeantArgs same{args};
  if (!args.is_object() || args.empty()) return same;
  std::string wrapper;
  Json outer = Json::object();
  for (const auto& [name, value] : args.items()) {
    const bool can_wrap = is_one_of(name, kWrappers) || name == tool;
    if (can_wrap && !is_declared(name) && wrapper.empty() && object_in(value)) {
      wrapper = name;
    } else if (name == "action") {
      outer[name] = value;
    } else if (is_declared(name) || !is_one_of(name, kNameMembers) || value != Json(tool)) {
      return same;
    }
  }
  if (wrapper.empty()) return same;
  Json inner = *object_in(args[wrapper]);
  for (const auto& [name, value] : outer.items()) {
    if (!inner.contains(name)) inner[name] = value;
  }
  return {std::move(inner), {fmt::format("taken out of '{}'", wrapper)}};
}

MeantArgs meant_args(const Manifest* allowed, const Manifest& known, const Json& args) {
  MeantArgs meant = unwrapped_args(known.name, args,
                                   [&](const std::string& name) { return declares(known, name); });
  if (const std::string action = action_alike(known, text_of(meant.args, "action"));
      !action.empty()) {
    meant.args["action"] = action;
    meant.repairs.push_back(fmt::format("'action' is {}", action));
  }
  const bool has_actions = known.find("") == nullptr;
  const bool names_action = !text_of(meant.args, "action").empty();
  if (!has_actions || names_action || !meant.args.is_object()) return meant;
  const std::vector<std::string> members = members_with_action(known, meant.args);
  if (members.size() == 1) {
    const std::string action = text_of(meant.args, members.front());
    meant.args.erase(members.front());
    meant.args = with_action(action, meant.args);
    meant.repairs.push_back(fmt::format("'action' from '{}'", shown_name(members.front())));
    return meant;
  }
  Json bare = meant.args;
  bare.erase("action");  // null or another type
  std::string action = allowed == nullptr ? "" : only_action_for(*allowed, bare);
  if (action.empty()) action = only_action_for(known, bare);
  if (action.empty() && known.actions.size() == 1) action = known.actions.front().name;
  if (action.empty()) return meant;
  meant.args = with_action(action, bare);
  meant.repairs.push_back(fmt::format("'action' is added: {}", action));
  return meant;
}

CallName meant_tool(std::string_view name, std::span<const Manifest* const> known) {
  CallNames names;
  for (const Manifest* tool : known) {
    names.add(tool->name);
    if (!tool->server_tool.empty()) continue;
    for (const ActionManifest& action : tool->actions) names.add(tool->name, action.name);
  }
  return names.find(name).value_or(CallName{std::string(name)});
}

}  // namespace pedro
