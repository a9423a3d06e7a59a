#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "gbnf/gbnf.h"

namespace pedro {

/// A parsed pattern of ECMA-262, as used by JSON Schema. A value.
struct Regex {
  enum class Kind {
    kSequence,  ///< children in order; the empty text without children
    kChoice,    ///< one of the children
    kClass,     ///< a code point of `ranges`
    kRepeat,    ///< the child `min` to `max` times
    kBegin,     ///< ^
    kEnd,       ///< $
    kAhead,     ///< (?=child), with `negated` (?!child)
  };
  Kind kind = Kind::kSequence;
  std::vector<Regex> children;
  std::vector<CharRange> ranges;  ///< sorted, disjoint, without surrogates
  std::size_t min = 0;
  std::optional<std::size_t> max;
  bool negated = false;
};

/// Parses a pattern of well-formed UTF-8, as with the flag u. Also accepts the common extensions of
/// Annex B (`\-`, a lone `{` or `]`). Lazy quantifiers match the same set of texts as greedy ones.
///
/// Errors (kConfig) report the byte and the problem: invalid syntax, or unsupported syntax (back
/// references, look-behind, \b). They also report more than 4096 bytes, groups nested more than 50
/// deep, and more than 16 look-aheads.
Result<Regex> parse_regex(std::string_view pattern);

/// Returns the code points of a property as in `\p{...}`, sorted and disjoint. A property is a
/// general category ("Lu", "Letter", "gc=Lu") or a script ("Greek", "Script=Greek"). Returns
/// nullopt for any other name. Results are cached; thread-safe.
std::optional<std::vector<CharRange>> unicode_property(std::string_view name);

}  // namespace pedro
