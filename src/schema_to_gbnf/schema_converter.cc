#include "schema_to_gbnf/schema_converter.h"

#include <fmt/format.h>

#include <algorithm>
#include <bitset>
#include <set>

#include "gbnf/match.h"
#include "regular/literal_graph.h"
#include "regular/text_set_to_gbnf.h"
#include "schema_to_gbnf/json_rules.h"
#include "schema_to_gbnf/schema_names.h"
#include "schema_to_gbnf/schema_texts.h"

namespace pedro {
namespace {

constexpr int kMaxDepth = 60;              // nested goals before one is deferred
constexpr std::size_t kMaxLeaves = 5000;   // options of nested choices
constexpr std::size_t kMaxCounted = 5000;  // members times the upper bound of their count
constexpr std::size_t kMaxContained = 100;

// Returns true if every text begins like a value of one of the types.
bool begins_with_type(const Matcher& start, TypeBits types) {
  std::string_view first[] = {(types & kNullType) != 0 ? "n" : "",
                              (types & kBooleanType) != 0 ? "tf" : "",
                              (types & kStringType) != 0 ? "\"" : "",
                              (types & kArrayType) != 0 ? "[" : "",
                              (types & kObjectType) != 0 ? "{" : "",
                              (types & kNumberTypes) == kNumberTypes ? "-0123456789" : ""};
  std::bitset<256> rest = start.next_bytes();
  for (const std::string_view bytes : first) {
    for (const char byte : bytes) rest.reset(static_cast<unsigned char>(byte));
  }
  return rest.none();
}

// Returns true if the array has one `contains`, which alone counts its items.
bool is_plainly_contained(const Shape& shape, std::size_t held) {
  if (shape.contains.size() != 1 || held > 0 || shape.item_count.max) return false;
  const Contains& contains = *shape.contains.front();
  const std::size_t max = contains.max.value_or(std::max<std::size_t>(contains.min, 1));
  return shape.item_count.min <= contains.min && contains.min <= max && max <= kMaxContained;
}

}  // namespace

Expr SchemaConverter::convert_root(std::string_view name) {
  const Goal goal = goal_of(schema_, {Term{schema_.root, false}});
  Known& known = known_[goal];
  Value body = convert(goal, std::string(name));
  if (!known.reserved.empty()) {
    grammar_.define(known.reserved, body.value_or(one_of({})));
    body = rule_ref(known.reserved);
  }
  known.value = body;
  known.done = true;
  finish_put_off();
  return body.value_or(one_of({}));
}

void SchemaConverter::finish_put_off() {
  while (!put_off_.empty()) {
    const auto [late, late_name] = std::move(put_off_.back());
    put_off_.pop_back();
    const Value value = convert(late, late_name);
    finish(known_[late], value, late_name);
  }
}

// Converts a part of a larger expression. Puts non-trivial parts into separate rules, so that no
// expression nests as deep as the schema.
SchemaConverter::Value SchemaConverter::part(const Goal& goal, const std::string& name) {
  const auto [at, fresh] = known_.try_emplace(goal);
  Known& known = at->second;  // a stable reference
  if (!loose_.budget().spend(16 + goal.size())) return std::nullopt;
  if (!fresh) {
    if (known.done) return known.value;
    if (known.reserved.empty()) known.reserved = grammar_.reserve(goal.empty() ? "value" : name);
    return rule_ref(known.reserved);
  }
  if (depth_ >= kMaxDepth) {
    known.reserved = grammar_.reserve(name);
    put_off_.emplace_back(goal, name);
    return rule_ref(known.reserved);
  }
  ++depth_;
  const Value value = convert(goal, goal.empty() ? "value" : name);
  --depth_;
  finish(known, value, name);
  return known.value;
}

void SchemaConverter::finish(Known& known, const Value& value, const std::string& name) {
  known.done = true;
  if (!known.reserved.empty()) {
    grammar_.define(known.reserved, value.value_or(one_of({})));
    known.value = rule_ref(known.reserved);
    return;
  }
  const bool trivial = !value || std::holds_alternative<Literal>(value->node) ||
                       std::holds_alternative<RuleRef>(value->node);
  known.value = trivial ? value : grammar_.add(name, *value);
}

SchemaConverter::Value SchemaConverter::convert(const Goal& goal, const std::string& name) {
  if (!goal.empty()) loose_.budget().enter(goal.front().id);
  loose_.budget().spend(64, 128 + 8 * goal.size() + name.size());
  const Ways ways = find_ways(schema_, goal, loose_);
  std::vector<Expr> options;
  if (!ways.goals.empty()) {
    int number = 0;
    for (const Goal& leaf : leaves_of(goal, ways)) {
      const Value option = part(leaf, fmt::format("{}-{}", name, ++number));
      if (option) options.push_back(*option);
    }
  }
  for (std::size_t i = 0; i < ways.shapes.size() && !loose_.budget().is_spent(); ++i) {
    const std::string shape_name = i == 0 ? name : fmt::format("{}-{}", name, i + 1);
    add_shape(ways.shapes[i], goal, shape_name, options);
  }
  if (options.empty()) return std::nullopt;
  return factored_alternation(std::move(options));
}

// Returns the options of a pure choice, including those of nested choices. A choice may refer to
// itself, but a rule must not begin with itself.
std::vector<Goal> SchemaConverter::leaves_of(const Goal& goal, const Ways& ways) {
  std::vector<Goal> leaves;
  std::set<Goal> seen{goal};
  std::vector<Goal> todo(ways.goals.rbegin(), ways.goals.rend());
  while (!todo.empty()) {
    const Goal at = std::move(todo.back());
    todo.pop_back();
    if (!loose_.budget().spend(16 + at.size())) break;
    if (!seen.insert(at).second) continue;
    const auto known = known_.find(at);
    const bool is_leaf = known != known_.end() && known->second.done;
    const Ways inner = is_leaf ? Ways() : find_ways(schema_, at, loose_);
    if (is_leaf || inner.goals.empty() || seen.size() > kMaxLeaves) {
      leaves.push_back(at);
    } else {
      todo.insert(todo.end(), inner.goals.rbegin(), inner.goals.rend());
    }
  }
  return leaves;
}

void SchemaConverter::add_shape(const Shape& shape, const Goal& goal, const std::string& name,
                                std::vector<Expr>& options) {
  if (!shape.raw.empty()) {
    report_beside_raw(shape);
    return options.push_back(raw_rules(*shape.raw.front(), name));
  }
  if (!shape.graphs.empty() && can_stand_in_json(*shape.graphs.front()->graph)) {
    return options.push_back(graph_texts(shape, TextEncoding::kJsonString));
  }
  if (!shape.values.empty()) return add_values(*shape.values.front(), goal, options);
  const auto add = [&options](Value value) {
    if (value) options.push_back(*std::move(value));
  };
  if ((shape.types & kObjectType) != 0) add(object(shape, name));
  if ((shape.types & kArrayType) != 0) add(array(shape, name));
  if ((shape.types & kStringType) != 0) add(string(shape));
  if ((shape.types & kNumberTypes) != 0) add(number(shape));
  if ((shape.types & kBooleanType) != 0) add(constants(shape, {Json(true), Json(false)}));
  if ((shape.types & kNullType) != 0) add(constants(shape, {Json(nullptr)}));
}

// Reports the assertions that x-gbnf replaces. The type still holds if every text begins like a
// value of it.
void SchemaConverter::report_beside_raw(const Shape& shape) {
  constexpr std::string_view kInstead = "any text that x-gbnf allows";
  bool first = true;
  for (const auto& [keyword, node] : shape.sources) {
    const bool followed = first && keyword == "x-gbnf";
    if (followed) first = false;
    if (!followed) loose_.add(node, keyword, kInstead);
  }
  const auto start = Matcher::compile(shape.raw.front()->rules);
  if (!start || !begins_with_type(*start, shape.types)) {
    loose_.add(shape.source("x-gbnf"), "type", kInstead);
  }
}

// Checks each literal separately, because no banned text spans two literals.
bool SchemaConverter::can_stand_in_json(const LiteralGraph& graph) const {
  return banned_ == nullptr ||
         std::all_of(graph.nodes.begin(), graph.nodes.end(), [&](const LiteralGraph::Node& node) {
           return can_stand_in_json(std::string_view(node.text));
         });
}

Expr SchemaConverter::graph_texts(const Shape& shape, TextEncoding form) {
  const LiteralGraph& graph = *shape.graphs.front()->graph;
  const std::string key =
      fmt::format("graph {:x} {}", graph.fingerprint, form == TextEncoding::kPlain ? "plain" : "");
  return *grammar_.shared(
      key, [&]() -> Value { return add_literal_graph(grammar_, graph, form, "name"); });
}

// Copies the rules verbatim, under names that are free here.
Expr SchemaConverter::raw_rules(const RawRules& raw, const std::string& name) {
  std::map<std::string, std::string> names;
  for (const Rule& rule : raw.rules.rules) {
    names[rule.name] = grammar_.reserve(rule.name == "root" ? name : name + "-" + rule.name);
  }
  for (const Rule& rule : raw.rules.rules) {
    grammar_.define(names.at(rule.name), renamed(rule.expr, names));
  }
  return rule_ref(names.at("root"));
}

void SchemaConverter::add_values(const ValueIs& set, const Goal& goal, std::vector<Expr>& options) {
  std::vector<Expr> values;
  for (const Json& value : set.values) {
    if (!fits(schema_, goal, value, loose_.budget())) continue;
    const std::string text = to_line(value);
    if (!loose_.budget().spend(8 + text.size(), 8 * text.size())) break;
    if (can_stand_in_json(text)) values.push_back(json_constant(grammar_, value));
  }
  if (!values.empty()) options.push_back(factored_alternation(std::move(values)));
}

SchemaConverter::Value SchemaConverter::constants(const Shape& shape,
                                                  const std::vector<Json>& values) {
  std::vector<Expr> options;
  for (const Json& value : values) {
    const bool excluded =
        std::any_of(shape.excluded.begin(), shape.excluded.end(), [&](const ValueIs* set) {
          return std::find(set->values.begin(), set->values.end(), value) != set->values.end();
        });
    if (!excluded) options.push_back(literal(to_line(value)));
  }
  if (options.empty()) return std::nullopt;
  const bool both = options.size() == 2;
  Expr all = alternation(std::move(options));
  return both ? grammar_.add("boolean", std::move(all)) : all;
}

void SchemaConverter::report_excluded(const Shape& shape, TypeBits type) {
  for (const ValueIs* set : shape.excluded) {
    for (const Json& value : set->values) {
      if (type_of(value) == type) loose_.add(shape.source("not"), "not", "these values as well");
    }
  }
}

// `apart` is the number of items outside of the repetition.
Repeats SchemaConverter::bounded(std::size_t min, std::optional<std::size_t> max, SchemaId where,
                                 std::string_view noun, std::size_t apart) {
  const std::size_t most = kMaxRepeats + apart;
  if (min > most) loose_.add(where, fmt::format("min{}", noun), fmt::format("{} or more", most));
  if (max && *max > most) loose_.add(where, fmt::format("max{}", noun), "any number");
  Repeats count{static_cast<int>(std::min(min, most)), std::nullopt};
  if (max && *max <= most) count.max = static_cast<int>(*max);
  return count;
}

SchemaConverter::Value SchemaConverter::text_rule(const TextSet& set, TextEncoding form,
                                                  std::string_view name) {
  if (set.is_empty() || !loose_.budget().spend(32 * set.size())) return std::nullopt;
  Expr expr = add_text_set(grammar_, set, form, fmt::format("{}-part", name));
  return std::holds_alternative<Literal>(expr.node) ? expr : grammar_.add(name, std::move(expr));
}

SchemaConverter::Value SchemaConverter::string(const Shape& shape) {
  if (banned_ != nullptr) return string_without_banned(shape);
  if (!has_texts(shape)) {
    return json_string(grammar_, bounded(shape.length.min, shape.length.max,
                                         shape.source("maxLength"), "Length", 0));
  }
  return shared("string " + texts_key(shape), [&] {
    const bool format = !shape.texts.empty() && shape.texts.front()->keyword == "format";
    return text_rule(texts_of(shape, loose_), TextEncoding::kJsonString,
                     format ? shape.texts.front()->text : "text");
  });
}

SchemaConverter::Value SchemaConverter::number(const Shape& shape) {
  const std::string key = numbers_key(shape);
  return shared(key,
                [&] { return text_rule(numbers_of(shape, loose_), TextEncoding::kPlain, key); });
}

Goal SchemaConverter::item_goal(const Shape& shape, std::size_t place) const {
  std::vector<Term> terms;
  for (const Items* items : shape.items) {
    terms.push_back(Term{place < items->prefix.size() ? items->prefix[place] : items->rest, false});
  }
  for (const auto& rest : shape.other_items) {
    const bool covered = std::ranges::any_of(rest.covering, [place](const Items* items) {
      return items->rest_declared || place < items->prefix.size();
    });
    if (covered) continue;
    const bool contained = !rest.contained.empty();
    terms.push_back(Term{contained ? rest.contained.front()->item : rest.rule->value, false});
  }
  return goal_of(schema_, std::move(terms));
}

SchemaConverter::Value SchemaConverter::array(const Shape& shape, const std::string& name) {
  report_excluded(shape, kArrayType);
  std::size_t held = 0;
  for (const Items* items : shape.items) held = std::max(held, items->prefix.size());
  const std::size_t most = shape.item_count.max.value_or(kMaxRepeats + held);
  std::vector<Expr> first;
  loose_.budget().spend(held * held / 16);
  for (std::size_t i = 0; i < std::min(held, most); ++i) {
    const Value item = part(item_goal(shape, i), fmt::format("{}-item-{}", name, i + 1));
    if (!item) break;
    first.push_back(*item);
  }
  const bool open = first.size() == held && most > held;
  const Value rest = open ? part(item_goal(shape, held), name + "-item") : std::nullopt;
  if (!rest && first.size() < shape.item_count.min) return std::nullopt;
  if (shape.unique && (rest || first.size() > 1) && most > 1) {
    loose_.add(shape.source("uniqueItems"), "uniqueItems", "duplicate items");
  }
  Repeats count = bounded(shape.item_count.min, shape.item_count.max, shape.source("maxItems"),
                          "Items", std::max<std::size_t>(held, 1));
  for (const Contains* contains : shape.contains) {
    count.min = std::max(count.min, static_cast<int>(std::min<std::size_t>(
                                        contains->min, static_cast<std::size_t>(kMaxRepeats))));
  }
  if (!rest && first.size() < static_cast<std::size_t>(count.min)) return std::nullopt;
  if (count.max && count.min > *count.max) return std::nullopt;
  if (is_plainly_contained(shape, held)) return containing(shape, name);
  if (!shape.contains.empty()) {
    loose_.add(shape.source("contains"), "contains", "any items");
  }
  return json_array(grammar_, first, rest, count, name);
}

// Converts an array whose contained items are counted: each has any number of other items before
// and after it. Without a maximum, `contains` may accept the other items too.
SchemaConverter::Value SchemaConverter::containing(const Shape& shape, const std::string& name) {
  const Contains& contains = *shape.contains.front();
  const auto item = [&](bool negated, const char* suffix) {
    std::vector<Term> terms = item_goal(shape, 0);
    terms.push_back(Term{contains.item, negated});
    return part(goal_of(schema_, std::move(terms)), name + suffix);
  };
  const Value other =
      contains.max ? item(true, "-other") : part(item_goal(shape, 0), name + "-item");
  const Value wanted = item(false, "-wanted");
  Expr before;  // empty if all items are contained
  Expr after;
  if (other) {
    const Expr comma = json_comma(grammar_);
    before = repetition(grammar_.add(name + "-before", sequence({*other, comma})), 0, std::nullopt);
    after = repetition(grammar_.add(name + "-next", sequence({comma, *other})), 0, std::nullopt);
  }
  std::vector<Expr> options;
  if (contains.min == 0) {
    options.push_back(literal("[]"));
    if (other) options.push_back(sequence({literal("["), *other, after, literal("]")}));
  }
  const std::size_t min = std::max<std::size_t>(contains.min, 1);
  const std::size_t max = contains.max.value_or(min);
  if (wanted && max > 0) {
    Expr more;
    if (max > 1) {
      more = grammar_.add(name + "-more", sequence({json_comma(grammar_), *wanted, after}));
      more = repetition(more, static_cast<int>(min - 1), static_cast<int>(max - 1));
    }
    options.push_back(sequence({literal("["), before, *wanted, after, more, literal("]")}));
  }
  if (options.empty()) return std::nullopt;
  return alternation(std::move(options));
}

SchemaConverter::Value SchemaConverter::object(const Shape& shape, const std::string& name,
                                               std::span<const std::string> without) {
  report_excluded(shape, kObjectType);
  const std::optional<TextSet> allowed = allowed_names(schema_, shape, loose_);
  const std::vector<std::string> names = listed_names(shape);
  const std::set<std::string> required(shape.required.begin(), shape.required.end());
  std::vector<JsonMember> members;
  for (const std::string& member : names) {
    if (std::ranges::find(without, member) != without.end()) continue;
    const bool possible = !shape.absent.contains(member) && (!allowed || allowed->contains(member));
    Value value;
    if (possible) {
      value = part(goal_of(schema_, member_terms(shape, member, loose_)),
                   fmt::format("{}-{}", name, rule_name(member)));
    }
    const bool needed = required.contains(member);
    if (!value && needed) return std::nullopt;
    if (!value) continue;
    if (!loose_.budget().spend(8, 4 * member.size())) return std::nullopt;
    members.push_back(JsonMember{member, sequence({json_key(grammar_, member), *value}), needed});
  }
  const Value others = other_members(shape, allowed, name);
  MemberCount count{shape.property_count.min, shape.property_count.max};
  if (!others && members.size() < count.min) return std::nullopt;
  const auto needed = std::ranges::count_if(members, &JsonMember::required);
  if (count.min <= static_cast<std::size_t>(needed)) count.min = 0;
  if (count.max && !others && *count.max >= members.size()) count.max.reset();
  bound_count(count, members.size(), shape.source("maxProperties"));
  if (others && count.min > 1 && count.min > members.size()) {
    loose_.add(shape.source("maxProperties"), "minProperties", "a duplicate name");
  }
  const bool one_order = schema_.keeps_order || !without.empty() || count.min > 0 || count.max;
  if (one_order || members.size() + (others ? 1 : 0) < 2) {
    return json_object(grammar_, members, others, count, name);
  }
  return json_object_in_any_order(grammar_, members, others, shape.required, name);
}

void SchemaConverter::bound_count(MemberCount& count, std::size_t members, SchemaId where) {
  const std::size_t columns = members + 1;
  if (count.max && *count.max * columns > kMaxCounted) {
    count.max.reset();
    loose_.add(where, "maxProperties", "any number");
  }
  if (count.min * columns > kMaxCounted) {
    count.min = 1;
    loose_.add(where, "minProperties", "one or more");
  }
}

SchemaConverter::Value SchemaConverter::other_members(const Shape& shape,
                                                      const std::optional<TextSet>& allowed,
                                                      const std::string& name) {
  std::vector<Expr> options;
  int number = 0;
  for (NameCell& cell : other_names(shape, allowed, loose_)) {
    const std::string key = fmt::format("names {} {}", ++number, names_key(shape, schema_));
    const Value value = part(goal_of(schema_, std::move(cell.terms)), name + "-other");
    if (!value) continue;
    if (banned_ != nullptr) keep(cell.names, banned_->without, schema_.root, "propertyNames");
    const Value text = cell.names.is_any() ? json_string(grammar_, Repeats()) : shared(key, [&] {
      return text_rule(cell.names, TextEncoding::kJsonString, name + "-name");
    });
    if (text) options.push_back(sequence({json_key(grammar_, *text), *value}));
  }
  if (options.empty()) return std::nullopt;
  return alternation(std::move(options));
}

std::vector<std::pair<Goal, Shape>> SchemaConverter::shapes_of(const Goal& goal) {
  std::vector<std::pair<Goal, Shape>> shapes;
  Ways ways = find_ways(schema_, goal, loose_);
  for (Shape& shape : ways.shapes) shapes.emplace_back(goal, std::move(shape));
  if (ways.goals.empty()) return shapes;
  for (const Goal& leaf : leaves_of(goal, ways)) {
    for (Shape& shape : find_ways(schema_, leaf, loose_).shapes) {
      shapes.emplace_back(leaf, std::move(shape));
    }
  }
  return shapes;
}

void SchemaConverter::keep(TextSet& set, const TextSet& others, SchemaId where,
                           std::string_view keyword) {
  Result<TextSet> both = intersection(set, others, &loose_.budget());
  if (both) {
    set = *std::move(both);
  } else {
    loose_.add(where, keyword, "more; " + both.error().message);
  }
}

bool SchemaConverter::can_stand_in_json(std::string_view text) const {
  return banned_ == nullptr || text.find(banned_->text) == std::string_view::npos;
}

SchemaConverter::Value SchemaConverter::string_without_banned(const Shape& shape) {
  return shared("string in a parameter " + texts_key(shape), [&] {
    TextSet set = banned_->without;
    const bool plain = !has_texts(shape) && shape.length.min == 0 && !shape.length.max;
    if (!plain) keep(set, texts_of(shape, loose_), shape.source("pattern"), "pattern");
    return text_rule(set, TextEncoding::kJsonString, "string");
  });
}

}  // namespace pedro
