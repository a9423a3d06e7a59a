#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "call_parser/call_part.h"
#include "json_schema/call_branch.h"
#include "json_schema/call_names.h"

namespace pedro {

/// The checks of a call.
enum class CallChecks {
  kAll,      ///< the tool must exist and the arguments must fit it
  kNothing,  ///< none, because the caller checks; tools only determine argument types
};

/// An argument that was written as text without quotes.
struct WrittenArgument {
  std::string name;
  std::string text;
  bool is_json = false;  ///< the reply says that it is not a string
};

/// The calls that a reply may contain, and their checks. Borrows the branches. Without any branch,
/// all names and arguments are valid.
class KnownTools {
 public:
  /// A tool may have several branches; a call must fit the branch of its "action".
  explicit KnownTools(std::span<const CallBranch> branches, CallChecks checks = CallChecks::kAll)
      : branches_(branches), checks_(checks) {}

  bool empty() const { return branches_.empty(); }
  bool contains(std::string_view tool) const;
  /// Returns true if one of the tool's schemas declares this property.
  bool declares(std::string_view tool, std::string_view property) const;

  /// The names of the calls.
  CallNames names() const;

  /// The parameters that may follow a call with these arguments as texts.
  std::span<const std::string> bodies_of(std::string_view tool, const Json& args) const;

  /// Returns the problem of a call; nothing if it is valid.
  std::optional<CallProblem> check(std::string_view tool, const Json& args) const;

  /// Converts arguments that were written as text without quotes. A text stays a string if the
  /// schema allows that. Otherwise it is read as JSON ("3", "true", "[1]") or as a word of Python
  /// ("True"). "null" is null if the schema names that type. Without a schema, arguments are
  /// strings unless the reply says otherwise.
  Json typed(std::string_view tool, std::span<const WrittenArgument> written) const;

 private:
  const CallBranch* branch_of(std::string_view tool, std::string_view action) const;
  CallProblem unknown(std::string_view tool) const;
  CallProblem unknown_action(std::string_view tool, const Json& args) const;

  std::span<const CallBranch> branches_;
  CallChecks checks_;
};

}  // namespace pedro
