#pragma once

#include <string_view>

#include "grammar/grammar_builder.h"
#include "grammar/text_set.h"

namespace pedro {

/// How the texts of a set are written.
enum class TextEncoding {
  kPlain,       ///< as they are: numbers
  kJsonString,  ///< as a JSON string, quotes included: '"', '\' and control characters escaped in
                ///< the usual way, nothing else, so that each text has (nearly) one form
};

/// What matches exactly the texts of `set`, as one expression and, where states are reached on
/// several ways, rules whose names begin with `name`. Deterministic: at each place one position of
/// the grammar at most goes on, however ambiguous the pattern was that the set came from. The empty
/// set matches nothing. Same set, same bytes.
Expr add_text_set(GrammarBuilder& grammar, const TextSet& set, TextEncoding form,
                  std::string_view name);

}  // namespace pedro
