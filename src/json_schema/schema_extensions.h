#pragma once

#include <optional>

#include "base/result.h"
#include "json_schema/schema.h"
#include "json_schema/schema_place.h"

namespace pedro {

/// Parses `x-gbnf`, grammar rules in place of a schema's own (docs/grammar.md). Returns nothing
/// without it. Errors (kConfig, with the pointer): a grammar that llama-server would reject.
Result<std::optional<RawRules>> raw_rules_in(const SchemaPlace& place);

/// Parses `x-names`, the kind of things that a text names ("file"). Returns nothing without it.
/// Errors (kConfig, with the pointer): an unknown kind.
Result<std::optional<Names>> named_kind_in(const SchemaPlace& place);

}  // namespace pedro
