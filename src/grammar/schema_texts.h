#pragma once

#include <string>

#include "grammar/schema_shape.h"
#include "grammar/text_set.h"

namespace pedro {

/// True where a shape says more of strings than how long they are.
bool has_texts(const Shape& shape);

/// The strings of a shape as a set. A part that would make the automaton too large is left out and
/// reported.
TextSet texts_of(const Shape& shape, LooseEnds& loose);

/// What texts_of() depends on, as a key: shapes with the same key have the same strings.
std::string texts_key(const Shape& shape);

/// The numbers of a shape, as they are written. What cannot be said is left out and reported.
TextSet numbers_of(const Shape& shape, LooseEnds& loose);

/// As texts_key().
std::string numbers_key(const Shape& shape);

}  // namespace pedro
