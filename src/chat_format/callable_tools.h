#pragma once

#include <deque>
#include <span>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "schema_to_gbnf/tool_calls.h"

namespace pedro {

/// Tools and their schemas from a request. Owns the targets of the pointers in its branches.
class CallableTools {
 public:
  /// Reads a list of tools, or the `tools` of a request. Each is {"type": "function", "function":
  /// {"name", "parameters"}}, or only the object in "function". At most 16 MiB and 1000 tools.
  /// Errors (kUsage) name the place: "tools[2]/parameters/type: expected …".
  static Result<CallableTools> read(std::string_view json);

  std::span<const CallBranch> branches() const { return branches_; }

 private:
  // Deques keep their elements at the same address, also when they are moved.
  std::deque<Schema> schemas_;
  std::deque<Json> written_;
  std::vector<CallBranch> branches_;
};

}  // namespace pedro
