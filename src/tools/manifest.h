#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "json_schema/schema.h"
#include "policy/permission.h"

namespace pedro {

using policy::Permission;

/// A tool that another tool's action can call. `schema` is for the arguments of that action:
/// {"action": "call", "tool": NAME, "arguments": {…}}, with the tool's own parameters inside.
struct CallTarget {
  std::string tool;
  Json schema_json;
  Schema schema;
};

/// An action of a tool.
struct ActionManifest {
  std::string name;   ///< "grep"; "" for the only action of a third-party tool
  std::string about;  ///< one sentence for the prompt
  Permission permission = Permission::kRead;
  /// The schema of the whole `args` object: `action` first, as a constant, then the declared
  /// parameters in order. Additional properties are not allowed. A third party's schema is its own.
  Json schema_json;
  Schema schema;
  /// Multi-line text parameters, marked `"body": true`. Formats that allow text outside JSON write
  /// them there.
  std::vector<std::string> bodies;
  std::vector<Json> examples;  ///< accepted `args`
  std::vector<Json> rejects;   ///< refused `args`
  /// The tools to which the action forwards its calls. Empty for an action with its own code.
  std::vector<CallTarget> targets;

  /// Returns the target named by the `tool` of a call's arguments, or null.
  const CallTarget* target_of(const Json& args) const;
};

/// Makes a target from a tool's name and the schema of its parameters. Error (kRefused): the schema
/// is invalid inside another schema, for example because of a reference.
Result<CallTarget> target_for(const std::string& tool, const Json& parameters);

/// The declaration of a tool: `tools/NAME.json`, and the text for the model in `tools/NAME.md`. The
/// prompt, the grammar, the validator, the documentation and the tests are derived from it.
/// Immutable after parsing.
struct Manifest {
  std::string name;
  std::string description;  ///< the .md: all that the model needs before its first call
  std::string server_tool;  ///< "SERVER.TOOL" for a tool of an MCP server; "": built in
  double timeout_s = 120;
  std::size_t max_output_bytes = 16 * 1024;  ///< of one result for the model
  /// Kinds of data that the tool needs and provides: "place" (a position), "text" (contents there),
  /// "change", "note".
  std::vector<std::string> consumes;
  std::vector<std::string> produces;
  std::vector<ActionManifest> actions;

  /// A third-party tool has one action, and its parameters may include an `action` of its own.
  const ActionManifest* find(std::string_view action) const;
};

/// Parses a manifest file and its description. `place` names the file in errors. Errors (kConfig):
/// unknown keys; parameters outside the schema language; an example that its schema refuses; a
/// reject that it accepts.
Result<Manifest> parse_manifest(std::string_view place, std::string_view json,
                                std::string_view description);

/// Returns the short form of an action's call: `grep {"pattern": str, "directory"?: str}`, or only
/// the arguments of an action without a name.
std::string signature(const ActionManifest& action);

/// Returns a name invented by a model for messages: printable, at most 80 bytes.
std::string shown_name(std::string_view name);

/// The arguments of a call after repair_value().
struct CheckedArgs {
  Json args;
  std::vector<std::string> repairs;
  std::string problem;  ///< for the model; "" if `args` are valid
};

/// Repairs and checks the arguments of a call. The problem is an unknown action, or all violations
/// of the schema and the correct form.
CheckedArgs check_args(const Manifest& manifest, const Json& args);

/// Repairs and checks arguments against a schema. The problem lists all violations.
CheckedArgs check_args(const Schema& schema, const Json& args);

/// Returns the tool's part of the prompt: the description, then one line per action with its
/// parameters in declared order.
std::string describe(const Manifest& manifest);

}  // namespace pedro
