#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "grammar/gbnf.h"

namespace pedro {

/// A pattern of ECMA-262, as JSON Schema uses it, parsed. A value.
struct Regex {
  enum class Kind {
    kSequence,  ///< children one after the other; none is the empty text
    kChoice,    ///< one of the children
    kClass,     ///< a code point of `ranges`
    kRepeat,    ///< the child `min` to `max` times
    kBegin,     ///< ^
    kEnd,       ///< $
    kAhead,     ///< (?=child), with `negated` (?!child)
  };
  Kind kind = Kind::kSequence;
  std::vector<Regex> children;
  std::vector<CharRange> ranges;  ///< sorted, apart, without surrogates
  std::size_t min = 0;
  std::optional<std::size_t> max;
  bool negated = false;
};

/// Reads a pattern of well-formed UTF-8, as with the flag u but with the leniency of Annex B that
/// is common in the wild (`\-`, a lone `{` or `]`). Lazy quantifiers mean the same set of texts as
/// greedy ones. Errors (kConfig) name the byte and what is wrong: not a pattern, or not supported
/// (back references, look-behind, \b, \p, named groups), more than 4096 bytes, groups nested
/// more than 50 deep, more than 16 look-aheads.
Result<Regex> parse_regex(std::string_view pattern);

}  // namespace pedro
