#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "json_schema/loose_ends.h"
#include "json_schema/schema_goal.h"

namespace pedro {

/// "unevaluatedProperties" or "unevaluatedItems", and the rules of its own scope: those that cover
/// properties or items for it.
template <typename Rule, typename Covering>
struct Rest {
  const Rule* rule = nullptr;
  SchemaId node = 0;
  std::vector<const Covering*> covering;
  std::vector<const Contains*> contained;  ///< covers the items that it contains; at most one
};

/// One way to satisfy a goal: all constraints on a value, without remaining choices, grouped by
/// type. Constraints on types that are not in `types` have no effect. Points into the Schema.
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
  std::vector<Rest<UnevaluatedItems, Items>> other_items;
  std::vector<const Contains*> contains;
  bool unique = false;

  PropertyCount property_count;
  std::vector<const Properties*> properties;
  std::vector<Rest<Unevaluated, Properties>> other_properties;
  std::vector<Term> names;
  std::vector<std::string> required;
  std::set<std::string> absent;
  std::vector<std::pair<std::string, Term>> members;  ///< additional terms for single properties

  std::vector<const RawRules*> raw;
  std::vector<const TextOfGraph*> graphs;

  std::vector<std::pair<std::string_view, SchemaId>>
      sources;  ///< keyword and node of each constraint, in order

  /// Returns the node of the last constraint from `keyword`, or kAnything.
  SchemaId source(std::string_view keyword) const;
};

/// The ways to satisfy a goal. A value has one of `shapes`; a pure choice has `goals` instead. No
/// value is valid if both are empty.
struct Ways {
  std::vector<Shape> shapes;
  std::vector<Goal> goals;
};

/// Finds all ways to satisfy `goal`. Multiplies out choices (anyOf, oneOf, if, dependencies,
/// negations) to up to 100 shapes. Omits and reports further choices and inexpressible constraints.
///
/// Distinguishes the options of a oneOf by types, constants or required properties. Otherwise
/// negates the other options if these are simple.
Ways find_ways(const Schema& schema, const Goal& goal, LooseEnds& loose);

}  // namespace pedro
