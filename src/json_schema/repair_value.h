#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "json_schema/schema.h"
#include "json_schema/validate.h"

namespace pedro {

/// A value after repairs of its unambiguous deviations from a schema.
struct RepairedValue {
  Json value;
  std::vector<std::string> repairs;  ///< "/start_line: an integer from a string"; without values
};

/// Repairs a value that does not fit its schema. Changes the spelling of a name to that of an enum.
/// Converts a string to the number, the boolean, the list or the object that it contains. Puts a
/// single value into a list, and takes one out of it. Omits null members, empty texts of another
/// type, and undeclared members of objects. Renames an undeclared member to the only
/// absent one of another spelling. Else renames it to the only missing one, or the only one with
/// its words.
/// Keeps undeclared members that resemble a missing name, because the model meant that name. Never
/// changes a value that fits. Visits values at most 32 deep.
RepairedValue repair_value(const Schema& schema, const Json& value);

/// Returns the violations of an object by its own members: undeclared ones, then missing ones. The
/// first violation in each other member follows. At most 8; empty if the value fits.
std::vector<Violation> find_violations(const Schema& schema, const Json& value);

}  // namespace pedro
