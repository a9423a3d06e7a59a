#include "schema_to_gbnf/schema_shape.h"

#include <algorithm>
#include <deque>
#include <iterator>
#include <map>
#include <type_traits>
#include <variant>

#include "json_schema/schema_goal.h"
#include "json_schema/schema_overlap.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxShapes = 100;
constexpr std::size_t kMaxJoined = 32;       // sets of options of one anyOf
constexpr std::size_t kMaxFacts = 50'000;    // of all ways together, to bound the time
constexpr std::size_t kMaxCopied = 300'000;  // parts of all copied ways, to bound the memory

struct Choice {
  std::vector<Facts> options;
  SchemaId node = 0;
  std::string_view keyword;
};

/// A way with pending facts and choices.
struct Partial {
  Shape shape;
  std::deque<Fact> facts;
  std::deque<Choice> choices;
  std::set<Term> seen;
  std::size_t weight = 0;       ///< facts taken and pending
  bool says_something = false;  ///< the shape constrains values
};

/// Returns the tighter of two bounds.
std::optional<NumberBound> sharper(const std::optional<NumberBound>& a,
                                   const std::optional<NumberBound>& b, bool lower) {
  if (!a) return b;
  if (!b) return a;
  const int order = compare(a->value, b->value);
  if (order == 0) return a->exclusive ? a : b;
  return (order > 0) == lower ? a : b;
}

template <typename Range>
void narrow(Range& range, const Range& with) {
  range.min = std::max(range.min, with.min);
  if (with.max) range.max = std::min(range.max.value_or(*with.max), *with.max);
}

template <typename Range>
bool crossed(const Range& range) {
  return range.max && *range.max < range.min;
}

bool crossed(const NumberRange& range) {
  if (!range.lower || !range.upper) return false;
  const int order = compare(range.lower->value, range.upper->value);
  return order > 0 || (order == 0 && (range.lower->exclusive || range.upper->exclusive));
}

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

class ShapeFinder {
 public:
  ShapeFinder(const Schema& schema, LooseEnds& loose) : schema_(schema), loose_(loose) {}

  Ways find(const Goal& goal) {
    if (!goal.empty()) place_ = goal.front().id;
    Partial first;
    first.facts.assign(goal.begin(), goal.end());
    Ways ways;
    if (!settle(first)) return ways;
    if (!first.says_something && first.choices.size() == 1) {
      ways.goals = goals_of(first.choices.front());
      if (!ways.goals.empty()) return ways;
    }
    std::vector<Partial> partials;
    partials.push_back(std::move(first));
    while (multiply(partials)) {
    }
    for (Partial& partial : partials) {
      settle_rests(partial.shape, partial.shape.properties, partial.shape.other_properties);
      settle_rests(partial.shape, partial.shape.items, partial.shape.other_items);
      std::erase_if(partial.shape.contains, [](auto* one) { return one->min == 0 && !one->max; });
      ways.shapes.push_back(std::move(partial.shape));
    }
    return ways;
  }

 private:
  // Finds the rules within the scope of each rest. Drops a rest if an inner rest covers everything,
  // or if the effect of a part is unknown.
  template <typename Covering, typename Rule>
  void settle_rests(const Shape& shape, const std::vector<const Covering*>& rules,
                    std::vector<Rest<Rule, Covering>>& rests) {
    const std::vector<Rest<Rule, Covering>> all = rests;
    std::erase_if(rests, [&](Rest<Rule, Covering>& rest) {
      const std::set<SchemaId>& scope = scope_of(rest.node);
      const auto holds_inner = [&](const auto& other) {
        return other.node != rest.node && scope.contains(other.node);
      };
      if (std::ranges::any_of(all, holds_inner)) return true;
      bool unknown = false;
      for (const SchemaId part : scope) {
        for (const Assertion& one : schema_[part].assertions) {
          const auto* rule = std::get_if<Covering>(&one);
          if (std::ranges::find(rules, rule) != rules.end()) rest.covering.push_back(rule);
          const auto* missing = std::get_if<Unknown>(&one);
          unknown = unknown || (missing && missing->types == kAllTypes);
          const auto* contains = std::get_if<Contains>(&one);
          if (std::ranges::find(shape.contains, contains) != shape.contains.end()) {
            rest.contained.push_back(contains);
          }
        }
      }
      // Without a rule of its own, the rest has only contained items. Others have no fixed place.
      const bool mixed = rest.contained.size() > (rest.rule->value == Schema::kNothing ? 1 : 0);
      if (std::is_same_v<Covering, Items> && mixed) report_rest(rest);
      return unknown || (std::is_same_v<Covering, Items> && mixed);
    });
  }

  template <typename Rule, typename Covering>
  void report_rest(const Rest<Rule, Covering>& rest) {
    if (rest.rule->value == Schema::kAnything) return;
    loose_.add(rest.node, keyword_of(Assertion(Rule())), "anything");
  }

  // Drops the rests around an omitted choice, which might cover more.
  void drop_rests(Shape& shape, SchemaId node) {
    const auto drop = [&](const auto& rest) {
      const bool around = scope_of(rest.node).contains(node);
      if (around) report_rest(rest);
      return around;
    };
    std::erase_if(shape.other_properties, drop);
    std::erase_if(shape.other_items, drop);
  }

  // Replaces the options of an "anyOf" in the scope of a rest by all sets that may hold together.
  // Each option that holds covers more.
  void join_options(Shape& shape, Choice& choice) {
    const auto around = [&](const auto& rest) { return scope_of(rest.node).contains(choice.node); };
    if (std::ranges::none_of(shape.other_properties, around) &&
        std::ranges::none_of(shape.other_items, around)) {
      return;
    }
    std::vector<Facts> sets;
    for (const Facts& option : choice.options) {
      const SchemaId id = std::get<Term>(option.front()).id;
      const std::size_t before = sets.size();
      sets.push_back(option);
      for (std::size_t i = 0; i < before && sets.size() <= kMaxJoined; ++i) {
        const bool apart = std::ranges::any_of(sets[i], [&](const Fact& fact) {
          return surely_apart(schema_, std::get<Term>(fact).id, id, loose_.budget());
        });
        if (apart) continue;
        sets.push_back(sets[i]);
        sets.back().push_back(option.front());
      }
    }
    if (sets.size() > kMaxJoined) return drop_rests(shape, choice.node);
    choice.options = std::move(sets);
  }

  const std::set<SchemaId>& scope_of(SchemaId node) {
    const auto [at, fresh] = scopes_.try_emplace(node);
    if (fresh) at->second = find_scope(schema_, node, loose_.budget());
    return at->second;
  }

  // Returns the options as goals; empty if an option has facts other than terms.
  std::vector<Goal> goals_of(const Choice& choice) const {
    std::vector<Goal> goals;
    for (const Facts& facts : choice.options) {
      std::vector<Term> terms;
      for (const Fact& fact : facts) {
        const Term* term = std::get_if<Term>(&fact);
        if (term == nullptr) return {};
        terms.push_back(*term);
      }
      goals.push_back(goal_of(schema_, std::move(terms)));
    }
    return goals;
  }

  // Expands the next choice of the first partial that has one. Returns false if none has.
  bool multiply(std::vector<Partial>& partials) {
    const auto next = std::find_if(partials.begin(), partials.end(),
                                   [](const Partial& one) { return !one.choices.empty(); });
    if (next == partials.end()) return false;
    Choice choice = std::move(next->choices.front());
    next->choices.pop_front();
    if (choice.keyword == "anyOf") join_options(next->shape, choice);
    copied_ += choice.options.size() * next->weight;
    loose_.budget().spend(choice.options.size() * (8 + next->weight / 2));
    const bool too_many = partials.size() + choice.options.size() > kMaxShapes ||
                          facts_ > kMaxFacts || copied_ > kMaxCopied;
    if (too_many) {
      loose_.add(choice.node, choice.keyword, "anything; there are too many combinations");
      drop_rests(next->shape, choice.node);
      return true;
    }
    std::vector<Partial> ways;
    for (Facts& facts : choice.options) {
      Partial way = *next;
      way.facts.assign(std::make_move_iterator(facts.begin()),
                       std::make_move_iterator(facts.end()));
      if (settle(way)) ways.push_back(std::move(way));
    }
    const auto at = partials.erase(next);
    partials.insert(at, std::make_move_iterator(ways.begin()), std::make_move_iterator(ways.end()));
    return true;
  }

  // Applies the pending facts. Returns false if no value can satisfy them all.
  bool settle(Partial& way) {
    while (!way.facts.empty() && ++facts_ <= 2 * kMaxFacts && loose_.budget().spend(4)) {
      ++way.weight;
      const Fact fact = std::move(way.facts.front());
      way.facts.pop_front();
      std::visit([&](const auto& one) { take(way, one); }, fact);
      if (way.shape.types == 0) return false;
    }
    if (!way.facts.empty()) {
      loose_.add(place_, "allOf", "anything; there are too many parts");
      way.shape.other_properties.clear();
      way.shape.other_items.clear();
    }
    return is_possible(way.shape);
  }

  static bool is_possible(Shape& shape) {
    if (crossed(shape.length)) shape.types &= ~kStringType;
    if (crossed(shape.range)) shape.types &= ~kNumberTypes;
    if (crossed(shape.item_count)) shape.types &= ~kArrayType;
    const bool no_object =
        crossed(shape.property_count) ||
        shape.required.size() > shape.property_count.max.value_or(~0u) ||
        std::any_of(shape.required.begin(), shape.required.end(),
                    [&](const auto& name) { return shape.absent.contains(name); });
    if (no_object) shape.types &= ~kObjectType;
    return shape.types != 0;
  }

  void take(Partial& way, const Term& term) {
    if (!way.seen.insert(term).second) return;
    const SchemaNode& node = schema_[term.id];
    if (!term.negated) {
      Facts parts;  // taken next, so that an object's members keep the order of the document
      Facts own;    // about members
      bool led = false;
      for (const Assertion& one : node.assertions) {
        if (const auto* all = std::get_if<AllOf>(&one)) {
          led = led || all->leads;
          for (const SchemaId part : all->parts) parts.emplace_back(Term{part, false});
        } else if (std::get_if<Properties>(&one) || std::get_if<Required>(&one)) {
          own.emplace_back(Assumed{term.id, &one});
        } else {
          std::visit([&](const auto& it) { assume(way, term.id, it); }, one);
        }
      }
      parts.insert(led ? parts.end() : parts.begin(), own.begin(), own.end());
      way.facts.insert(way.facts.begin(), parts.begin(), parts.end());
      return;
    }
    Choice choice{{}, term.id, "not"};
    for (const Assertion& one : node.assertions) choice.options.push_back({Denied{term.id, &one}});
    choose(way, std::move(choice));
  }

  void take(Partial& way, const Denied& denied) {
    Negation negation = negation_of(schema_, *denied.assertion, loose_.budget());
    way.shape.sources.emplace_back("not", denied.node);
    way.facts.insert(way.facts.end(), std::make_move_iterator(negation.facts.begin()),
                     std::make_move_iterator(negation.facts.end()));
    if (negation.choice) choose(way, Choice{*std::move(negation.choice), denied.node, "not"});
    if (negation.exact) return;
    loose_.add(denied.node, keyword_of(*denied.assertion), "values that an outer \"not\" excludes");
  }

  void take(Partial& way, const Assumed& assumed) {
    std::visit([&](const auto& it) { assume(way, assumed.node, it); }, *assumed.assertion);
  }

  void take(Partial& way, const TypeIs& type) {
    way.shape.types &= type.types;
    way.says_something = true;
  }
  void take(Partial& way, const NoneOf& none) {
    way.shape.excluded.push_back(none.values);
    way.says_something = true;
  }
  void take(Partial& way, const TextNotIn& texts) {
    way.shape.excluded_texts.push_back(texts.texts);
    way.says_something = true;
  }
  void take(Partial& way, const LengthRange& range) {
    narrow(way.shape.length, range);
    way.says_something = true;
  }
  void take(Partial& way, const NumberRange& range) {
    way.shape.range.lower = sharper(way.shape.range.lower, range.lower, true);
    way.shape.range.upper = sharper(way.shape.range.upper, range.upper, false);
    way.says_something = true;
  }
  void take(Partial& way, const ItemCount& range) {
    narrow(way.shape.item_count, range);
    way.says_something = true;
  }
  void take(Partial& way, const PropertyCount& range) {
    narrow(way.shape.property_count, range);
    way.says_something = true;
  }
  void take(Partial& way, const Required& required) {
    for (const std::string& name : required.names) {
      if (!loose_.budget().spend(1 + way.shape.required.size() / 16)) return;
      if (!holds(way.shape.required, name)) way.shape.required.push_back(name);
    }
    way.weight += required.names.size();
    way.says_something = true;
  }
  void take(Partial& way, const Absent& absent) {
    way.shape.absent.insert(absent.name);
    way.says_something = true;
  }
  void take(Partial& way, const MemberIs& member) {
    way.shape.members.emplace_back(member.name, member.term);
    way.says_something = true;
  }

  // Adds a choice. Adds the facts of a single option directly; no option rules out all types.
  static void choose(Partial& way, Choice choice) {
    if (choice.options.empty()) {
      way.shape.types = 0;
    } else if (choice.options.size() == 1) {
      Facts& facts = choice.options.front();
      way.facts.insert(way.facts.end(), facts.begin(), facts.end());
    } else {
      for (const Facts& facts : choice.options) way.weight += 1 + facts.size();
      way.choices.push_back(std::move(choice));
    }
  }

  // Keeps an assertion unchanged until rules are written.
  template <typename T>
  void keep(Partial& way, SchemaId node, const T& assertion, std::vector<const T*>& list) {
    list.push_back(&assertion);
    way.shape.sources.emplace_back(keyword_of(Assertion(T())), node);
    way.says_something = true;
  }

  template <typename Rule, typename Covering>
  void add_rest(Partial& way, SchemaId node, const Rule& rule,
                std::vector<Rest<Rule, Covering>>& list) {
    list.push_back({&rule, node, {}, {}});
    way.shape.sources.emplace_back(keyword_of(Assertion(Rule())), node);
    way.says_something = true;
  }

  // The overloads of assume() apply an assertion that must hold.
  void assume(Partial& way, SchemaId, const TypeIs& it) { take(way, it); }
  void assume(Partial& way, SchemaId node, const ValueIs& it) {
    keep(way, node, it, way.shape.values);
  }
  void assume(Partial& way, SchemaId node, const LengthRange& it) {
    way.shape.sources.emplace_back("maxLength", node);
    take(way, it);
  }
  void assume(Partial& way, SchemaId node, const TextIn& it) {
    way.shape.texts.push_back(&it);
    way.shape.sources.emplace_back("pattern", node);
    way.says_something = true;
  }
  void assume(Partial& way, SchemaId node, const NumberRange& it) {
    way.shape.sources.emplace_back("minimum", node);
    take(way, it);
  }
  void assume(Partial& way, SchemaId node, const MultipleOf& it) {
    keep(way, node, it, way.shape.multiples);
  }
  void assume(Partial& way, SchemaId node, const ItemCount& it) {
    way.shape.sources.emplace_back("maxItems", node);
    take(way, it);
  }
  void assume(Partial& way, SchemaId node, const Items& it) {
    keep(way, node, it, way.shape.items);
  }
  void assume(Partial& way, SchemaId node, const Contains& it) {
    keep(way, node, it, way.shape.contains);
  }
  void assume(Partial& way, SchemaId node, const UniqueItems&) {
    way.shape.unique = true;
    way.shape.sources.emplace_back("uniqueItems", node);
    way.says_something = true;
  }
  void assume(Partial& way, SchemaId node, const PropertyCount& it) {
    way.shape.sources.emplace_back("maxProperties", node);
    take(way, it);
  }
  void assume(Partial& way, SchemaId node, const Required& it) {
    way.shape.sources.emplace_back("required", node);
    take(way, it);
  }
  void assume(Partial& way, SchemaId node, const Properties& it) {
    keep(way, node, it, way.shape.properties);
  }
  void assume(Partial& way, SchemaId node, const Unevaluated& it) {
    add_rest(way, node, it, way.shape.other_properties);
  }
  void assume(Partial& way, SchemaId node, const UnevaluatedItems& it) {
    add_rest(way, node, it, way.shape.other_items);
  }
  void assume(Partial& way, SchemaId node, const PropertyNames& it) {
    way.shape.names.push_back(Term{it.name, false});
    way.shape.sources.emplace_back("propertyNames", node);
    way.says_something = true;
  }
  void assume(Partial& way, SchemaId node, const Dependent& it) {
    way.shape.sources.emplace_back("dependencies", node);
    choose(way, Choice{{{Absent{it.name}},
                        {TypeIs{kObjectType}, Required{{it.name}}, Term{it.then, false}}},
                       node,
                       "dependencies"});
  }
  void assume(Partial&, SchemaId, const AllOf&) {}  // taken with its schema
  void assume(Partial& way, SchemaId node, const AnyOf& it) {
    Choice choice{{}, node, "anyOf"};
    for (const SchemaId option : it.options) choice.options.push_back({Term{option, false}});
    choose(way, std::move(choice));
  }
  void assume(Partial& way, SchemaId node, const OneOf& it) {
    Choice choice{{}, node, "oneOf"};
    for (const SchemaId option : it.options) choice.options.push_back({Term{option, false}});
    const bool few = it.options.size() <= kMaxCompared;
    if (!few && !is_exclusive(schema_, it, loose_.budget())) {
      loose_.add(node, "oneOf", "values that match several of them");
    }
    for (std::size_t i = 0; few && i < it.options.size(); ++i) {
      for (const SchemaId other : overlapping(schema_, it, i, loose_.budget())) {
        if (is_easily_negated(schema_, other)) {
          choice.options[i].emplace_back(Term{other, true});
        } else {
          loose_.add(node, "oneOf", "values that match several of them");
        }
      }
    }
    choose(way, std::move(choice));
  }
  void assume(Partial& way, SchemaId, const Not& it) {
    way.facts.emplace_back(Term{it.schema, true});
  }
  void assume(Partial& way, SchemaId node, const IfThenElse& it) {
    choose(way, Choice{{{Term{it.condition, false}, Term{it.then, false}},
                        {Term{it.condition, true}, Term{it.otherwise, false}}},
                       node,
                       "if"});
  }

  void assume(Partial& way, SchemaId node, const RawRules& it) {
    keep(way, node, it, way.shape.raw);
  }
  void assume(Partial&, SchemaId, const Names&) {}
  void assume(Partial&, SchemaId, const Unknown&) {}
  void assume(Partial& way, SchemaId node, const TextOfGraph& it) {
    keep(way, node, it, way.shape.graphs);
  }

  const Schema& schema_;
  LooseEnds& loose_;
  std::map<SchemaId, std::set<SchemaId>> scopes_;
  SchemaId place_ = Schema::kAnything;  // for reports about the whole goal
  std::size_t facts_ = 0;
  std::size_t copied_ = 0;
};

}  // namespace

SchemaId Shape::source(std::string_view keyword) const {
  for (auto at = sources.rbegin(); at != sources.rend(); ++at) {
    if (at->first == keyword) return at->second;
  }
  return Schema::kAnything;
}

Ways find_ways(const Schema& schema, const Goal& goal, LooseEnds& loose) {
  return ShapeFinder(schema, loose).find(goal);
}

}  // namespace pedro
