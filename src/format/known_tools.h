#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "format/call_part.h"
#include "grammar/tool_calls.h"

namespace pedro {

/// What a call is held against.
enum class CallChecks {
  kAll,      ///< there has to be such a tool, and the arguments have to fit it
  kNothing,  ///< whoever runs it will look; tools are known only for how their arguments are read
};

/// What a reply may call, and what of it a call is held against. Borrows the branches. Without any,
/// every name and all arguments will do.
class KnownTools {
 public:
  /// A tool may have several branches: a call has to fit the one of its "action".
  explicit KnownTools(std::span<const CallBranch> branches, CallChecks checks = CallChecks::kAll)
      : branches_(branches), checks_(checks) {}

  bool empty() const { return branches_.empty(); }
  bool contains(std::string_view tool) const;
  /// Whether one of the tool's schemas declares this property.
  bool declares(std::string_view tool, std::string_view property) const;

  /// The parameters that a call with these arguments may have behind it.
  std::span<const std::string> bodies_of(std::string_view tool, const Json& args) const;

  /// Why there is no such call; nothing where there is.
  std::optional<CallProblem> check(std::string_view tool, const Json& args) const;

  /// Arguments that were written as text without quotes. A text stays one where the schema allows
  /// it, and is read as JSON where it does not ("3", "true", "[1]"); without a schema all are
  /// texts.
  Json typed(std::string_view tool,
             std::span<const std::pair<std::string, std::string>> written) const;

 private:
  const CallBranch* branch_of(std::string_view tool, std::string_view action) const;
  CallProblem unknown(std::string_view tool) const;
  CallProblem unknown_action(std::string_view tool, const Json& args) const;

  std::span<const CallBranch> branches_;
  CallChecks checks_;
};

}  // namespace pedro
