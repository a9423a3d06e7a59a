#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "gbnf/grammar_builder.h"
#include "json_schema/loose_ends.h"
#include "json_schema/schema.h"
#include "regular/text_set.h"

namespace pedro {

/// The texts without a match of `pattern` (see parse_regex). Errors as for pattern_set().
Result<TextSet> texts_without(std::string_view pattern);

/// Escapes `text` for a pattern that matches it literally.
std::string pattern_of(std::string_view text);

/// Returns an expression for the texts of `set` with `length` characters, written verbatim. Exact
/// if that takes few rules. Otherwise counts portions of one character; near texts outside of the
/// set, portions have more. A text may then be too long. Reports this, and lengths that a server
/// cannot count, at `where`. Uses few rules for any length. Returns nullopt if there is no such
/// text.
std::optional<Expr> add_raw_text(GrammarBuilder& grammar, const TextSet& set,
                                 const LengthRange& length, SchemaId where, LooseEnds& loose);

}  // namespace pedro
