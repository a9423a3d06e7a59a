#pragma once

#include <compare>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "grammar/schema.h"

namespace pedro {

/// A schema that a value has to fit, or with `negated` must not fit.
struct Term {
  SchemaId id = 0;
  bool negated = false;
  auto operator<=>(const Term&) const = default;  // NOLINT(modernize-use-nullptr)
};

/// What a value has to be: all of these, sorted and each once. None: any value.
using Goal = std::vector<Term>;

/// The goal of all `terms`, in its one form; a schema that only names another one is that one.
Goal goal_of(const Schema& schema, std::vector<Term> terms);

/// A place where a grammar allows more than the schema: validate() has to catch the rest.
struct Loosened {
  std::string pointer;  ///< in the schema document: "/properties/text"
  std::string keyword;  ///< "maxLength"
  std::string instead;  ///< what the grammar allows: "any length"
};

/// A list of these, in which each stands once. One thread.
class LooseEnds {
 public:
  LooseEnds(const Schema& schema, std::vector<Loosened>& out) : schema_(schema), out_(out) {}

  void add(SchemaId where, std::string_view keyword, std::string_view instead);
  std::size_t size() const { return known_.size(); }

 private:
  const Schema& schema_;
  std::vector<Loosened>& out_;
  std::set<std::tuple<SchemaId, std::string, std::string>> known_;
};

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

  std::vector<const RawRules*> raw;  ///< what these say, the rest need not say

  std::vector<std::pair<std::string_view, SchemaId>> sources;  ///< where a keyword stood last

  /// The node that `keyword` came from.
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
