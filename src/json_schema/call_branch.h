#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "json_schema/schema.h"

namespace pedro {

/// A kind of call that a reply may contain.
struct CallBranch {
  std::string tool;
  std::string action;  ///< used in rule names; empty if the tool has only one
  /// The schema of the whole `args` object. Includes the `action` property, if there is one, as a
  /// constant. It comes first, so that the branches of a tool diverge as early as possible.
  const Schema* args = nullptr;  ///< borrowed; never null
  /// Parameters with long texts: if a wrapping has bodies, these follow the call.
  std::vector<std::string> bodies = {};
  /// The source of `args`, for servers that accept schemas; borrowed, may be null.
  const Json* args_json = nullptr;
};

}  // namespace pedro
