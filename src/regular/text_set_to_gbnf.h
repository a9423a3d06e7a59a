#pragma once

#include <string_view>

#include "gbnf/grammar_builder.h"
#include "regular/text_set.h"

namespace pedro {

/// The written form of a set's texts.
enum class TextEncoding {
  kPlain,  ///< verbatim: numbers
  /// A JSON string with its quotes. Escapes only '"', '\' and control characters, in the usual way,
  /// so that each text has (nearly) one form.
  kJsonString,
};

/// Returns an expression for exactly the texts of `set`. States with several entries become rules
/// whose names begin with `name`.
///
/// The result is deterministic: at most one position of the grammar continues, even if the set's
/// pattern was ambiguous. The empty set matches nothing. The same set gives the same bytes.
Expr add_text_set(GrammarBuilder& grammar, const TextSet& set, TextEncoding form,
                  std::string_view name);

}  // namespace pedro
