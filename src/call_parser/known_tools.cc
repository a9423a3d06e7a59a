#include "call_parser/known_tools.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "base/utf8.h"
#include "call_parser/json_extent.h"
#include "json_schema/validate.h"

namespace pedro {
namespace {

constexpr std::string_view kPath = "/path";
constexpr std::size_t kMaxNamesBytes = 300;
constexpr std::size_t kMaxFoundBytes = 80;

std::string in_quotes(std::string_view text) {
  return to_line(truncate_utf8(text, kMaxFoundBytes));
}

// Lists names as `"a", "b" or "c"`, as many as fit.
std::string any_of(const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (out.size() > kMaxNamesBytes) return out + fmt::format(" or {} more", names.size() - i);
    if (i > 0) out += i + 1 == names.size() ? " or " : ", ";
    out += in_quotes(names[i]);
  }
  return out;
}

// Finds the schema of a declared property, also through "$ref" or a part of "allOf".
std::optional<SchemaId> property_of(const Schema& schema, std::string_view name) {
  constexpr std::size_t kMaxNodes = 100;
  std::vector<SchemaId> nodes{schema.root};
  for (std::size_t i = 0; i < nodes.size() && i < kMaxNodes; ++i) {
    for (const Assertion& assertion : schema[nodes[i]].assertions) {
      if (const auto* rules = std::get_if<Properties>(&assertion)) {
        if (const SchemaId* found = rules->find(name)) return *found;
      } else if (const auto* all = std::get_if<AllOf>(&assertion)) {
        nodes.insert(nodes.end(), all->parts.begin(), all->parts.end());
      }
    }
  }
  return {};
}

// Reads a JSON value of any kind, also a single number, or a constant of Python.
std::optional<Json> read_value(std::string_view text) {
  const std::string_view value = trim(text);
  if (value == "True" || value == "False") return Json(value == "True");
  if (value == "None") return Json(nullptr);
  if (value.starts_with('{') || value.starts_with('[') || value.starts_with('"')) {
    auto json = read_bounded_json(value);
    if (auto* read = std::get_if<Json>(&json)) return std::move(*read);
    return {};
  }
  Result<Json> json = parse_json(value);
  if (!json) return {};
  return *std::move(json);
}

bool is_null_of(const Schema& schema, SchemaId id, std::string_view text) {
  const TypeBits types = types_at_first_sight(schema, id);
  return trim(text) == "null" && types != kAllTypes && (types & kNullType) != 0;
}

// Returns the value that a model means by this text, for a value of this schema.
Json typed_value(const Schema& schema, SchemaId id, const WrittenArgument& written) {
  const std::string& text = written.text;
  if (is_null_of(schema, id, text)) return nullptr;
  const bool can_be_text = !validate(schema, id, Json(text));
  if (can_be_text && !written.is_json) return text;
  std::optional<Json> value = read_value(text);
  if (!value || value->is_string()) return text;
  const bool text_is_better = (types_at_first_sight(schema, id) & kStringType) != 0 &&
                              validate(schema, id, *value).has_value();
  return text_is_better ? Json(text) : std::move(*value);
}

// Returns the value of an argument without a schema.
Json untyped_value(const WrittenArgument& written) {
  std::optional<Json> value = written.is_json ? read_value(written.text) : std::nullopt;
  return value ? std::move(*value) : Json(written.text);
}

}  // namespace

bool KnownTools::contains(std::string_view tool) const {
  return branch_of(tool, "") != nullptr;
}

bool KnownTools::declares(std::string_view tool, std::string_view property) const {
  return std::any_of(branches_.begin(), branches_.end(), [&](const CallBranch& branch) {
    return branch.tool == tool && property_of(*branch.args, property);
  });
}

CallNames KnownTools::names() const {
  CallNames names;
  for (const CallBranch& branch : branches_) {
    const bool has_action = !branch.action.empty() && declares(branch.tool, "action");
    names.add(branch.tool, has_action ? branch.action : "");
  }
  return names;
}

// Finds the branch of an action, or the first branch of the tool if `action` is "".
const CallBranch* KnownTools::branch_of(std::string_view tool, std::string_view action) const {
  for (const CallBranch& branch : branches_) {
    if (branch.tool == tool && (action.empty() || branch.action == action)) return &branch;
  }
  return nullptr;
}

std::span<const std::string> KnownTools::bodies_of(std::string_view tool, const Json& args) const {
  const CallBranch* branch = branch_of(tool, text_of(args, "action"));
  if (branch == nullptr) return {};
  return branch->bodies;
}

CallProblem KnownTools::unknown(std::string_view tool) const {
  std::vector<std::string> names;
  for (const CallBranch& branch : branches_) add_once(names, branch.tool);
  return {CallProblem::Kind::kUnknownTool, "the tool's name", any_of(names), in_quotes(tool)};
}

CallProblem KnownTools::unknown_action(std::string_view tool, const Json& args) const {
  std::vector<std::string> actions;
  for (const CallBranch& branch : branches_) {
    if (branch.tool == tool) add_once(actions, branch.action);
  }
  const Json& action = member(args, "action");
  std::string found = "nothing";
  if (args.contains("action")) found = truncate_utf8(to_line(action), kMaxFoundBytes);
  return {CallProblem::Kind::kBadArguments, fmt::format("{}: /action", tool), any_of(actions),
          std::move(found)};
}

std::optional<CallProblem> KnownTools::check(std::string_view tool, const Json& args) const {
  if (empty() || checks_ == CallChecks::kNothing) return {};
  const CallBranch* branch = branch_of(tool, "");
  if (branch == nullptr) return unknown(tool);
  // A parameter "action" of a third party's tool has another meaning.
  const bool has_actions =
      !branch->action.empty() && property_of(*branch->args, "action").has_value();
  if (has_actions) {
    const std::string action = text_of(args, "action");
    branch = action.empty() ? nullptr : branch_of(tool, action);
    if (branch == nullptr) return unknown_action(tool, args);
  }
  // A tool may have several branches without actions, and grounded calls one for each file.
  // Reports the violation of the branch with the same file.
  std::optional<Violation> violation;
  for (const CallBranch& one : branches_) {
    const bool is_same = !has_actions || one.action == branch->action;
    if (one.tool != branch->tool || !is_same) continue;
    std::optional<Violation> found = validate(*one.args, args);
    if (!found) return {};
    if (!violation || violation->pointer == kPath) violation = std::move(found);
  }
  const std::string place = violation->pointer.empty()
                                ? std::string(tool)
                                : fmt::format("{}: {}", tool, violation->pointer);
  return CallProblem{CallProblem::Kind::kBadArguments, place, violation->expected,
                     violation->found};
}

Json KnownTools::typed(std::string_view tool, std::span<const WrittenArgument> written) const {
  std::string_view action;
  for (const WrittenArgument& one : written) {
    if (one.name == "action") action = one.text;
  }
  const CallBranch* branch = branch_of(tool, action);
  if (branch == nullptr) branch = branch_of(tool, "");
  Json args = Json::object();
  for (const WrittenArgument& one : written) {
    const auto id = branch == nullptr ? std::nullopt : property_of(*branch->args, one.name);
    args[one.name] = id ? typed_value(*branch->args, *id, one) : untyped_value(one);
  }
  return args;
}

}  // namespace pedro
