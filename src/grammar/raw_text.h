#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "grammar/grammar_builder.h"
#include "grammar/loose_ends.h"
#include "grammar/schema.h"
#include "grammar/text_set.h"

namespace pedro {

/// The texts in which `pattern` (see parse_regex) is nowhere found.
Result<TextSet> texts_without(std::string_view pattern);

/// `text` as a pattern that is found where it stands.
std::string pattern_of(std::string_view text);

/// What matches the texts of `set` that have `length` characters, as they are. Exact where that
/// takes few rules; otherwise a text is counted in portions of one character or, near to what is
/// not in the set, of some more, so that it may be longer than it should. That, and lengths that a
/// server cannot count to, are reported at `where`. Few rules, whatever the length. Nothing where
/// there is no such text.
std::optional<Expr> add_raw_text(GrammarBuilder& grammar, const TextSet& set,
                                 const LengthRange& length, SchemaId where, LooseEnds& loose);

}  // namespace pedro
