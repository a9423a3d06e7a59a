#pragma once

#include "base/result.h"
#include "grammar/schema.h"

namespace pedro {

/// Refuses (kConfig) a schema that is its own part, by "$ref" or "allOf", through any number of
/// others: it says nothing, and looking at it never comes to an end. Choices may lead back to
/// themselves.
Status check_circles(const Schema& schema);

}  // namespace pedro
