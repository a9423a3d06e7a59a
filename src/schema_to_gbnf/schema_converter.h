#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gbnf/grammar_builder.h"
#include "json_schema/loose_ends.h"
#include "json_schema/schema.h"
#include "regular/text_set.h"
#include "regular/text_set_to_gbnf.h"
#include "schema_to_gbnf/json_rules.h"
#include "schema_to_gbnf/schema_shape.h"
#include "schema_to_gbnf/schema_to_gbnf.h"

namespace pedro {

/// Writes the values of one schema as rules, each goal once. A Value of nullopt is a goal that no
/// value satisfies. Reports constraints that it omits as loosened. Borrows all arguments; one
/// thread; for one schema, once.
class SchemaConverter {
 public:
  using Value = std::optional<Expr>;

  /// `banned` may be null.
  SchemaConverter(GrammarBuilder& grammar, const Schema& schema, const BannedText* banned,
                  std::vector<Loosened>& loosened)
      : grammar_(grammar),
        schema_(schema),
        banned_(banned),
        loose_(schema, loosened, grammar.budget()) {}

  /// Writes the whole schema as JSON. The result matches nothing if no value is valid. It has no
  /// meaning if the budget of the grammar is spent.
  Expr convert_root(std::string_view name);

  // Parts for output that is not all JSON (ParameterRules). Rule names begin with `name`.

  /// Returns the shapes of a goal, including those of the goals that it is a pure choice of.
  std::vector<std::pair<Goal, Shape>> shapes_of(const Goal& goal);
  /// Appends expressions for the values of this shape, if there are any.
  void add_shape(const Shape& shape, const Goal& goal, const std::string& name,
                 std::vector<Expr>& options);
  /// Objects of this shape, except for the members in `without`.
  Value object(const Shape& shape, const std::string& name,
               std::span<const std::string> without = {});
  /// A rule for the texts of a set; nullopt for the empty set.
  Value text_rule(const TextSet& set, TextEncoding form, std::string_view name);
  /// Caches the result by key. Does not cache an inexact result, so that each place reports it.
  template <typename Make>
  Value shared(const std::string& key, Make make) {
    const std::size_t reports = loose_.size();
    Value value = grammar_.shared(key, make);
    if (loose_.size() != reports) grammar_.forget(key);
    return value;
  }
  /// Removes the texts from `set` that are not in `others`. If that cannot be computed, reports it
  /// and keeps all of them.
  void keep(TextSet& set, const TextSet& others, SchemaId where, std::string_view keyword);
  bool can_stand_in_json(std::string_view text) const;
  /// Returns a rule for the texts of Shape::graphs, one per graph. Requires a graph.
  Expr graph_texts(const Shape& shape, TextEncoding form);
  void report_excluded(const Shape& shape, TypeBits type);
  /// Writes the deferred rules; must be called last. convert_root() calls it.
  void finish_put_off();

  GrammarBuilder& grammar() { return grammar_; }
  const Schema& schema() const { return schema_; }
  LooseEnds& loose() { return loose_; }

 private:
  struct Known {
    bool done = false;
    Value value;
    std::string reserved;  ///< the rule's name, if it was referenced before completion
  };

  Value part(const Goal& goal, const std::string& name);
  void finish(Known& known, const Value& value, const std::string& name);
  Value convert(const Goal& goal, const std::string& name);
  std::vector<Goal> leaves_of(const Goal& goal, const Ways& ways);
  bool can_stand_in_json(const LiteralGraph& graph) const;
  void report_beside_raw(const Shape& shape);
  Expr raw_rules(const RawRules& raw, const std::string& name);
  void add_values(const ValueIs& set, const Goal& goal, std::vector<Expr>& options);
  Value constants(const Shape& shape, const std::vector<Json>& values);
  Repeats bounded(std::size_t min, std::optional<std::size_t> max, SchemaId where,
                  std::string_view noun, std::size_t apart);
  Value string(const Shape& shape);
  Value string_without_banned(const Shape& shape);
  Value number(const Shape& shape);
  Goal item_goal(const Shape& shape, std::size_t place) const;
  Value array(const Shape& shape, const std::string& name);
  Value containing(const Shape& shape, const std::string& name);
  void bound_count(MemberCount& count, std::size_t members, SchemaId where);
  Value other_members(const Shape& shape, const std::optional<TextSet>& allowed,
                      const std::string& name);

  GrammarBuilder& grammar_;
  const Schema& schema_;
  const BannedText* banned_;
  LooseEnds loose_;
  std::map<Goal, Known> known_;
  std::vector<std::pair<Goal, std::string>> put_off_;
  int depth_ = 0;
};

}  // namespace pedro
