#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grammar/loose_ends.h"
#include "grammar/schema_goal.h"

namespace pedro {

/// One way to fit a goal: everything that is said about a value, without a choice left, sorted by
/// what it is about. What concerns a type that is not in `types` means nothing. Points into the
/// Schema.
struct Shape {
  TypeBits types = kAllTypes;
  std::vector<const ValueIs*> values;
  std::vector<const ValueIs*> excluded;

  LengthRange length;
  std::vector<const TextIn*> texts;
  std::vector<const TextIn*> excluded_texts;

  NumberRange range;
  std::vector<const MultipleOf*> multiples;

  ItemCount item_count;
  std::vector<const Items*> items;
  std::vector<const Contains*> contains;
  bool unique = false;

  PropertyCount property_count;
  std::vector<const Properties*> properties;
  std::vector<const Unevaluated*> unevaluated;
  std::vector<Term> names;
  std::vector<std::string> required;
  std::set<std::string> absent;
  std::vector<std::pair<std::string, Term>> members;  ///< of single properties, beside the rest

  std::vector<const RawRules*> raw;
  std::vector<const TextOfGraph*> graphs;

  std::vector<std::pair<std::string_view, SchemaId>>
      sources;  ///< what was said where, in this order

  /// The node that `keyword` came from last.
  SchemaId source(std::string_view keyword) const;
};

/// What a goal comes down to: shapes of which a value has one, or, where the goal is a mere choice
/// between others, these. Neither: nothing fits.
struct Ways {
  std::vector<Shape> shapes;
  std::vector<Goal> goals;
};

/// All ways to fit `goal`: choices (anyOf, oneOf, if, dependencies, what "not" turns into choices)
/// are multiplied out, up to 100 shapes; what would be more, and what a shape cannot hold, is left
/// out and reported. Options of a oneOf are told apart where types, constants or required
/// properties do it, or where what the others say is simple enough to be negated.
Ways find_ways(const Schema& schema, const Goal& goal, LooseEnds& loose);

}  // namespace pedro
