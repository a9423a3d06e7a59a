#pragma once

#include <set>

#include "gbnf/schema_budget.h"
#include "json_schema/schema.h"

namespace pedro {

/// Returns the node and all parts that constrain the same value, without those below "not":
/// "unevaluatedProperties" of the node sees their properties. Charges the budget; incomplete once
/// it is spent.
std::set<SchemaId> find_scope(const Schema& schema, SchemaId node, SchemaBudget& budget);

}  // namespace pedro
