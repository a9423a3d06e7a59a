#pragma once

#include "grammar/schema.h"

namespace pedro {

/// True where surely no value fits both: other types, other constants, a property that both
/// require with values that are apart, one that one requires and the other does not know. Looks
/// a few schemas deep. False where that is not to be seen so.
bool surely_apart(const Schema& schema, SchemaId a, SchemaId b);

}  // namespace pedro
