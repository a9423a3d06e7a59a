#pragma once

#include "base/result.h"
#include "json_schema/schema.h"

namespace pedro {

/// Rejects (kConfig) a schema that contains itself through "$ref" or "allOf", directly or
/// indirectly. Such a schema has no meaning, and evaluating it would not terminate. Choices may be
/// recursive.
Status check_circles(const Schema& schema);

/// Lets every node that is only a reference refer to the end of its chain. Requires that
/// check_circles() has succeeded.
void shorten_references(Schema& schema);

}  // namespace pedro
