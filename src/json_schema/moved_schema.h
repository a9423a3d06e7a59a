#pragma once

#include <string>

#include "base/json.h"

namespace pedro {

/// Returns a schema for the place `pointer` of another document, for example "/properties/args".
/// Local references are relative to the document's root, so each gets the pointer in front. An
/// anchor has the same name everywhere. Removes annotations of the root.
Json moved_schema(Json schema, const std::string& pointer);

}  // namespace pedro
