#include "tools/manifest.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/text.h"
#include "base/utf8.h"
#include "json_schema/repair_value.h"
#include "json_schema/schema_keywords.h"
#include "json_schema/validate.h"
#include "tools/signature.h"

namespace pedro {
namespace {

constexpr std::size_t kShownNameBytes = 80;

bool is_name(std::string_view name) {
  const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; };
  return !name.empty() && name.size() <= 64 && std::all_of(name.begin(), name.end(), fits);
}

// Returns an error unless `object` has only keys in `known`.
Status check_keys(const Json& object, std::string_view place,
                  const std::vector<std::string>& known) {
  if (!object.is_object()) {
    return config_error(place, fmt::format("expected an object, got {}", object.type_name()));
  }
  for (const auto& [key, value] : object.items()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    return config_error(place, fmt::format("unknown key '{}'{}; known are {}", key,
                                           did_you_mean(key, known), join(known, ", ")));
  }
  return {};
}

Result<Permission> parse_permission(const Json& object, std::string_view place,
                                    std::optional<Permission> inherited) {
  const Json& value = member(object, "permission");
  if (value.is_null() && inherited) return *inherited;
  if (const auto permission = policy::permission_named(text_of(object, "permission")))
    return *permission;
  return config_error(place,
                      fmt::format("permission: expected {}, got {}", policy::permission_names(),
                                  value.is_null() ? "nothing" : to_line(value)));
}

Result<double> parse_positive(const Json& object, std::string_view place, std::string_view key,
                              double fallback) {
  const Json& value = member(object, key);
  if (value.is_null()) return fallback;
  if (value.is_number() && value.get<double>() > 0) return value.get<double>();
  return config_error(place,
                      fmt::format("{}: expected a number above 0, got {}", key, to_line(value)));
}

// Returns the list `key`, empty if it is missing. All elements must satisfy `fits`.
Result<std::vector<Json>> parse_list(const Json& object, std::string_view place,
                                     std::string_view key, bool (*fits)(const Json&),
                                     std::string_view kind) {
  const Json& list = member(object, key);
  if (list.is_null()) return std::vector<Json>{};
  if (!list.is_array() || !std::all_of(list.begin(), list.end(), fits)) {
    return config_error(place, fmt::format("{}: expected a list of {}", key, kind));
  }
  return std::vector<Json>(list.begin(), list.end());
}

bool is_text(const Json& value) {
  return value.is_string();
}

bool is_object(const Json& value) {
  return value.is_object();
}

// Removes the mark for bodies, which is not part of a schema, and appends the marked names to
// `bodies`.
Result<Json> without_body_marks(Json parameters, std::string_view place,
                                std::vector<std::string>& bodies) {
  if (!parameters.is_object()) return parameters;
  for (auto& [name, schema] : parameters.items()) {
    if (!schema.is_object() || !schema.contains("body")) continue;
    if (schema["body"] != true || text_of(schema, "type") != "string") {
      return config_error(
          place, fmt::format("parameters: {}: \"body\" must be true, and only for strings", name));
    }
    schema.erase("body");
    bodies.push_back(name);
  }
  return parameters;
}

// Returns the schema of `args`: the action as a constant, then the parameters.
Result<Json> args_schema(const Json& action, std::string_view place,
                         std::vector<std::string>& bodies) {
  PEDRO_TRY(const Json unmarked, without_body_marks(member(action, "parameters"), place, bodies));
  const Json& parameters = unmarked;
  if (!parameters.is_null() && !parameters.is_object()) {
    return config_error(
        place, fmt::format("parameters: expected an object, got {}", parameters.type_name()));
  }
  if (parameters.contains("action")) {
    return config_error(place, "parameters: 'action' is added automatically");
  }
  PEDRO_TRY(const auto required, parse_list(action, place, "required", is_text, "names"));
  Json properties = {{"action", {{"const", text_of(action, "name")}}}};
  if (parameters.is_object()) properties.update(parameters);
  Json all_required = Json::array({"action"});
  for (const Json& name : required) {
    if (!parameters.contains(name.get<std::string>())) {
      return config_error(place, fmt::format("required: there is no parameter {}", to_line(name)));
    }
    all_required.push_back(name);
  }
  return Json{{"type", "object"},
              {"properties", std::move(properties)},
              {"required", std::move(all_required)},
              {"additionalProperties", false}};
}

Status check_cases(const ActionManifest& action, std::string_view place) {
  for (const Json& example : action.examples) {
    const auto violation = validate(action.schema, example);
    if (!violation) continue;
    return config_error(
        place, fmt::format("example {} is refused: {}", to_line(example), to_string(*violation)));
  }
  for (const Json& reject : action.rejects) {
    if (validate(action.schema, reject)) continue;
    return config_error(place, fmt::format("reject {} is accepted", to_line(reject)));
  }
  return {};
}

Status parse_cases(const Json& json, std::string_view place, ActionManifest& action) {
  PEDRO_TRY(auto examples, parse_list(json, place, "examples", is_object, "objects"));
  PEDRO_TRY(auto rejects, parse_list(json, place, "rejects", is_object, "objects"));
  action.examples = std::move(examples);
  action.rejects = std::move(rejects);
  return check_cases(action, place);
}

Result<ActionManifest> parse_action(const Json& json, std::string_view list_place,
                                    std::optional<Permission> inherited) {
  PEDRO_RETURN_IF_ERROR(
      check_keys(json, list_place,
                 {"name", "about", "permission", "parameters", "required", "examples", "rejects"}));
  ActionManifest action;
  action.name = text_of(json, "name");
  action.about = text_of(json, "about");
  if (!is_name(action.name)) {
    return config_error(list_place, "name: expected 1 to 64 lower-case letters and '_'");
  }
  const std::string place = fmt::format("{} ({})", list_place, action.name);
  if (action.about.empty()) return config_error(place, "about: expected a sentence, got nothing");
  PEDRO_TRY(const auto permission, parse_permission(json, place, inherited));
  action.permission = permission;
  PEDRO_TRY(auto schema_json, args_schema(json, place, action.bodies));
  action.schema_json = std::move(schema_json);
  auto schema = parse_schema(action.schema_json, SchemaDialect::kClosed);
  if (!schema) return schema.error().at(place);
  action.schema = *std::move(schema);
  PEDRO_RETURN_IF_ERROR(parse_cases(json, place, action));
  return action;
}

Status parse_actions(const Json& root, std::string_view place, Manifest& manifest) {
  std::optional<Permission> inherited;
  if (root.contains("permission")) {
    PEDRO_TRY(const auto permission, parse_permission(root, place, std::nullopt));
    inherited = permission;
  }
  PEDRO_TRY(const auto actions, parse_list(root, place, "actions", is_object, "objects"));
  if (actions.empty()) return config_error(place, "actions: expected at least one, got none");
  for (std::size_t i = 0; i < actions.size(); ++i) {
    const std::string action_place = fmt::format("{}: actions[{}]", place, i);
    PEDRO_TRY(auto action, parse_action(actions[i], action_place, inherited));
    if (manifest.find(action.name) != nullptr) {
      return config_error(action_place, fmt::format("there are two actions '{}'", action.name));
    }
    manifest.actions.push_back(std::move(action));
  }
  return {};
}

Result<std::vector<std::string>> parse_kinds(const Json& root, std::string_view place,
                                             std::string_view key) {
  const std::vector<std::string> known = {"place", "text", "change", "note"};
  PEDRO_TRY(const auto list, parse_list(root, place, key, is_text, "kinds"));
  std::vector<std::string> kinds;
  for (const Json& kind : list) {
    kinds.push_back(kind.get<std::string>());
    if (std::find(known.begin(), known.end(), kinds.back()) != known.end()) continue;
    return config_error(
        place, fmt::format("{}: unknown kind '{}'{}; known are {}", key, shown_name(kinds.back()),
                           did_you_mean(kinds.back(), known), join(known, ", ")));
  }
  return kinds;
}

std::vector<std::string> action_names(const Manifest& manifest) {
  std::vector<std::string> names;
  for (const ActionManifest& action : manifest.actions) names.push_back(action.name);
  return names;
}

std::string signature(const ActionManifest& action, const CallTarget& target) {
  const Json& parameters = member(member(target.schema_json, "properties"), "arguments");
  return fmt::format("{} {{\"tool\": \"{}\", \"arguments\": {}}}", action.name, target.tool,
                     schema_signature(parameters));
}

std::string no_such_target(const ActionManifest& action, const Json& args) {
  std::vector<std::string> names;
  for (const CallTarget& target : action.targets) names.push_back(target.tool);
  const std::string name = text_of(args, "tool");
  return fmt::format("there is no tool '{}'{}", shown_name(name), did_you_mean(name, names));
}

std::string no_such_action(const Manifest& manifest, const Json& args) {
  const std::vector<std::string> names = action_names(manifest);
  const std::string action = text_of(args, "action");
  if (action.empty()) {
    return fmt::format("{} needs an \"action\", first in its args: {}", manifest.name,
                       join(names, ", "));
  }
  return fmt::format("{} has no action '{}'{}; it has: {}", manifest.name, shown_name(action),
                     did_you_mean(action, names), join(names, ", "));
}

}  // namespace

const ActionManifest* Manifest::find(std::string_view action) const {
  for (const ActionManifest& candidate : actions) {
    if (candidate.name == action || candidate.name.empty()) return &candidate;
  }
  return nullptr;
}

Result<Manifest> parse_manifest(std::string_view place, std::string_view json,
                                std::string_view description) {
  const auto root = parse_json(json, {.max_bytes = 1u << 20, .max_depth = 32});
  if (!root) return Error{ErrorKind::kConfig, fmt::format("{}:{}", place, root.error().message)};
  PEDRO_RETURN_IF_ERROR(check_keys(
      *root, place,
      {"name", "permission", "timeout_s", "max_output_bytes", "consumes", "produces", "actions"}));
  Manifest manifest;
  manifest.name = text_of(*root, "name");
  manifest.description = trim(description);
  PEDRO_TRY(auto consumes, parse_kinds(*root, place, "consumes"));
  PEDRO_TRY(auto produces, parse_kinds(*root, place, "produces"));
  manifest.consumes = std::move(consumes);
  manifest.produces = std::move(produces);
  if (!is_name(manifest.name)) {
    return config_error(place, "name: expected 1 to 64 lower-case letters and '_'");
  }
  if (manifest.description.empty()) {
    return config_error(place, fmt::format("{}.md is missing or empty", manifest.name));
  }
  PEDRO_TRY(const auto timeout_s, parse_positive(*root, place, "timeout_s", manifest.timeout_s));
  manifest.timeout_s = timeout_s;
  PEDRO_TRY(const auto bytes, parse_positive(*root, place, "max_output_bytes",
                                             static_cast<double>(manifest.max_output_bytes)));
  manifest.max_output_bytes = static_cast<std::size_t>(std::min(bytes, 1e9));
  PEDRO_RETURN_IF_ERROR(parse_actions(*root, place, manifest));
  return manifest;
}

std::string signature(const ActionManifest& action) {
  const std::string args = schema_signature(action.schema_json);
  return action.name.empty() ? args : action.name + " " + args;
}

std::string shown_name(std::string_view name) {
  return make_printable(truncate_utf8(name, kShownNameBytes));
}

const CallTarget* ActionManifest::target_of(const Json& args) const {
  const auto target = std::ranges::find(targets, text_of(args, "tool"), &CallTarget::tool);
  return target == targets.end() ? nullptr : &*target;
}

Result<CallTarget> target_for(const std::string& tool, const Json& parameters) {
  CallTarget target;
  target.tool = tool;
  target.schema_json = {{"type", "object"},
                        {"properties",
                         {{"action", {{"const", "call"}}},
                          {"tool", {{"const", tool}}},
                          {"arguments", moved_schema(parameters, "/properties/arguments")}}},
                        {"required", {"action", "tool", "arguments"}},
                        {"additionalProperties", false}};
  auto schema = parse_schema(target.schema_json, SchemaDialect::kStandard);
  if (!schema) return refusal(schema.error().message);
  target.schema = *std::move(schema);
  return target;
}

CheckedArgs check_args(const Schema& schema, const Json& args) {
  RepairedValue repaired = repair_value(schema, args);
  std::vector<std::string> problems;
  for (const Violation& violation : find_violations(schema, repaired.value)) {
    problems.push_back(to_string(violation));
  }
  return {std::move(repaired.value), std::move(repaired.repairs), join(problems, "; ")};
}

CheckedArgs check_args(const Manifest& manifest, const Json& args) {
  const ActionManifest* action = manifest.find(text_of(args, "action"));
  if (action == nullptr) return {args, {}, no_such_action(manifest, args)};
  const CallTarget* target = action->target_of(args);
  CheckedArgs checked = check_args(target == nullptr ? action->schema : target->schema, args);
  if (checked.problem.empty() && target == nullptr && !action->targets.empty()) {
    checked.problem = no_such_target(*action, checked.args);
  }
  if (checked.problem.empty()) return checked;
  checked.problem =
      fmt::format("{}{}{}: {}\nIt is called as {}", manifest.name, action->name.empty() ? "" : " ",
                  action->name, checked.problem,
                  target == nullptr ? signature(*action) : signature(*action, *target));
  return checked;
}

std::string describe(const Manifest& manifest) {
  std::string out = fmt::format("## {}\n{}\n", manifest.name, manifest.description);
  for (const ActionManifest& action : manifest.actions) {
    out += fmt::format("- {}{}{}\n", signature(action), action.about.empty() ? "" : ": ",
                       action.about);
  }
  return out;
}

}  // namespace pedro
