#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "json_schema/call_names.h"
#include "tools/manifest.h"

namespace pedro {

// The call that a model means by a name or arguments of another form, if only one is possible.

struct MeantArgs {
  Json args;
  std::vector<std::string> repairs = {};  ///< in the words of RepairedValue::repairs
};

/// Returns the arguments of a call that are in an object around them: `{"arguments": {…}}`, as JSON
/// text, or beside the tool's name. `is_declared` finds the tool's own parameters, which stay.
MeantArgs unwrapped_args(std::string_view tool, const Json& args,
                         const std::function<bool(const std::string& name)>& is_declared);

/// Unwraps the arguments and adds a missing action. That is the only one of the tool, the value of
/// an undeclared member, or the only action with these parameters. `allowed` has the actions of the
/// phase, or is null; `known` has all actions. Prefers an allowed action.
MeantArgs meant_args(const Manifest* allowed, const Manifest& known, const Json& args);

/// Returns the tool that a name means, and its action, as CallNames finds them. Returns the name
/// itself if it means no known tool.
CallName meant_tool(std::string_view name, std::span<const Manifest* const> known);

}  // namespace pedro
