#pragma once

#include <string>

#include "regular/text_set.h"
#include "schema_to_gbnf/schema_shape.h"

namespace pedro {

/// Returns true if a shape constrains strings by more than their length.
bool has_texts(const Shape& shape);

/// The strings of a shape as a set. Omits and reports constraints that would make the automaton too
/// large.
TextSet texts_of(const Shape& shape, LooseEnds& loose);

/// A key for the result of texts_of(): shapes with the same key have the same strings.
std::string texts_key(const Shape& shape);

/// The numbers of a shape in their written forms. Omits and reports inexpressible constraints.
TextSet numbers_of(const Shape& shape, LooseEnds& loose);

/// A key for the result of numbers_of().
std::string numbers_key(const Shape& shape);

}  // namespace pedro
