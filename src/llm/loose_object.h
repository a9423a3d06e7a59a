#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/text.h"

namespace pedro {

/// An object in a text that deviates from JSON.
struct LooseObject {
  std::string json;                     ///< the part that was read, if the object is broken
  Json value = {};                      ///< null if the object is broken
  std::size_t end = 0;                  ///< in the text, after its last byte
  std::vector<ByteRange> strings = {};  ///< of the text
};

/// Reads the object at `begin`. That is `{…}`, the `(…)` of a function, or the first `name=value`
/// of a line or tag. Accepts these deviations from JSON:
///
/// - comments; missing, double and spare commas; missing brackets at the end
/// - `=` and `=>` for colons, full-width punctuation, blanks that are not ASCII
/// - names without one or both quotes, and then also values, except in arguments
/// - words and strings of Python and JavaScript: raw, long, adjacent, joined by '+'
/// - line ends and unknown escapes in strings, signs and zeros before numbers
/// - an object in quotes without escapes, and one with escaped quotes
///
/// Takes linear time. Does not recurse.
LooseObject read_loose_object(std::string_view text, std::size_t begin);

/// Returns the arguments of a call as an object. They may also be a string with one, or a list like
/// [{"name": "path", "value": "a"}].
std::optional<Json> arguments_in(Json value);

}  // namespace pedro
