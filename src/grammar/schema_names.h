#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grammar/schema_shape.h"
#include "grammar/text_set.h"

namespace pedro {

/// The names that an object's shape speaks of one by one: the declared ones, then what is only
/// required or asked about. Each once.
std::vector<std::string> listed_names(const Shape& shape);

/// What the value of the property `name` has to be.
std::vector<Term> member_terms(const Shape& shape, const std::string& name);

/// The names that "propertyNames" allows; nothing where it allows all, or where they cannot be
/// said, which is reported.
std::optional<TextSet> allowed_names(const Schema& schema, const Shape& shape, LooseEnds& loose);

/// Names that are not listed and are all treated alike, and what their values have to be.
struct NameCell {
  TextSet names;
  std::vector<Term> terms;
};

/// All such names, parted by the patterns that they match: none where a shape allows no others.
/// `allowed` is what allowed_names() gives. What would make more than 16 cells, or too large an
/// automaton, is left together and reported.
std::vector<NameCell> other_names(const Shape& shape, const std::optional<TextSet>& allowed,
                                  LooseEnds& loose);

/// What the names of other_names() depend on, as a key: shapes of any schemas with the same key
/// have the same ones, in the same order.
std::string names_key(const Shape& shape, const Schema& schema);

}  // namespace pedro
