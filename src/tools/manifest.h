#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "grammar/schema.h"

namespace pedro {

/// What an action may touch, from harmless to not.
enum class Permission {
  kRead,
  kWrite,
  kExecute,
  kHistory,  ///< commits and branches
  kNetwork,
};
std::string_view to_string(Permission permission);
/// From harmless to not.
std::span<const Permission> all_permissions();

/// One thing a tool can do.
struct ActionManifest {
  std::string name;   ///< "grep"
  std::string about;  ///< one sentence for the prompt
  Permission permission = Permission::kRead;
  /// Of the whole `args` object: `action` first, as a constant, then the declared parameters in
  /// order; additional properties are not allowed.
  Json schema_json;
  Schema schema;
  /// Parameters that are texts of many lines, marked `"body": true`: where a model may write such
  /// outside of JSON, these are.
  std::vector<std::string> bodies;
  std::vector<Json> examples;  ///< `args` that are accepted
  std::vector<Json> rejects;   ///< `args` that are refused
};

/// What a tool says about itself: `tools/NAME.json` and the words for the model in `tools/NAME.md`.
/// The prompt, the grammar, the validator, the documentation and the tests are all made from it.
/// Immutable after parsing.
struct Manifest {
  std::string name;
  std::string description;  ///< the .md: what the model has to know before its first call
  double timeout_s = 120;
  std::size_t max_output_bytes = 16 * 1024;  ///< of one result, before the model sees it
  /// What the tool needs to be of use, and what it brings forth: kinds of things that a model can
  /// know of ("place": where something is, "text": what stands there, "change", "note").
  std::vector<std::string> consumes;
  std::vector<std::string> produces;
  std::vector<ActionManifest> actions;

  const ActionManifest* find(std::string_view action) const;
};

/// Parses a manifest file and its description. `place` names it in errors: unknown keys, a
/// parameter that is not in the schema language, an example that its schema refuses, a reject that
/// it accepts (kConfig).
Result<Manifest> parse_manifest(std::string_view place, std::string_view json,
                                std::string_view description);

/// How an action is called, in short: `grep {"pattern": str, "directory"?: str}`.
std::string signature(const ActionManifest& action);

/// A name that a model made up, as it is quoted back to it: printable and short.
std::string shown_name(std::string_view name);

/// What is wrong with the arguments of a call, for the model: no such action, or what its schema
/// does not allow, and how it is called. "" where nothing is.
std::string check_args(const Manifest& manifest, const Json& args);

/// The part of the prompt that teaches the tool: description, then a line per action with its
/// parameters in declared order.
std::string describe(const Manifest& manifest);

}  // namespace pedro
