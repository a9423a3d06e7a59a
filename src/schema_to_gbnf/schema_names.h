#pragma once

#include <optional>
#include <string>
#include <vector>

#include "regular/text_set.h"
#include "schema_to_gbnf/schema_shape.h"

namespace pedro {

/// The names in an object's shape: the declared ones, then names that are only required or have a
/// separate term. No duplicates.
std::vector<std::string> listed_names(const Shape& shape);

/// The terms for the value of the property `name`.
std::vector<Term> member_terms(const Shape& shape, const std::string& name, LooseEnds& loose);

/// The names that "propertyNames" allows. Returns nullopt if it allows all. Also does so if it
/// cannot be expressed, which is reported.
std::optional<TextSet> allowed_names(const Schema& schema, const Shape& shape, LooseEnds& loose);

/// A set of unlisted names that are all treated alike, with the terms for their values.
struct NameCell {
  TextSet names;
  std::vector<Term> terms;
};

/// All unlisted names, partitioned by the patterns that they match; none if a shape allows no
/// others. `allowed` is the result of allowed_names(). Does not split further, and reports it, if
/// there would be more than 16 cells or too large an automaton.
std::vector<NameCell> other_names(const Shape& shape, const std::optional<TextSet>& allowed,
                                  LooseEnds& loose);

/// A key for the result of other_names(). Shapes of any schemas with the same key have the same
/// names in the same order.
std::string names_key(const Shape& shape, const Schema& schema);

}  // namespace pedro
