#include "schema_to_gbnf/schema_to_gbnf.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>
#include <utility>

#include "json_schema/schema_keywords.h"
#include "regular/literal_graph.h"
#include "schema_to_gbnf/json_rules.h"
#include "schema_to_gbnf/raw_text.h"
#include "schema_to_gbnf/schema_converter.h"
#include "schema_to_gbnf/schema_names.h"
#include "schema_to_gbnf/schema_texts.h"

namespace pedro {
namespace {

// Writes the members of an object one after the other instead of as JSON (see ParametersApart).
// Borrows both arguments; one thread.
class ParameterRules {
 public:
  // `values` writes the parts that are JSON; its banned text must be that of `apart`.
  ParameterRules(SchemaConverter& values, const ParametersApart& apart)
      : values_(values),
        grammar_(values.grammar()),
        schema_(values.schema()),
        loose_(values.loose()),
        apart_(apart) {}

  // Writes the whole schema. The result matches nothing if no value is valid.
  Expr convert_root(std::string_view name);

 private:
  using Value = SchemaConverter::Value;

  // A member, and whether it must be present.
  struct Parameter {
    Expr written;
    bool needed = false;
  };

  Expr parameter(std::string_view name, Expr value) const;
  Expr separated(std::vector<Parameter> members, const std::string& name);
  void report_between(const Shape& shape, std::size_t members);
  Value parameters(const Shape& shape, const std::string& name, std::span<const std::string> names);
  Value object_and_parameters(const Shape& shape, const std::string& name);
  void add_constant_parameters(const Shape& shape, const Goal& goal, std::vector<Expr>& options);
  Value constant_text(const Json& value) const;
  Value quoted_value(const Goal& goal, const std::string& name);
  Value text_value(const Goal& goal, const std::string& name);
  Value raw_text(const Shape& shape);
  bool stands_apart(const LiteralGraph& graph) const;

  SchemaConverter& values_;
  GrammarBuilder& grammar_;
  const Schema& schema_;
  LooseEnds& loose_;
  const ParametersApart& apart_;
};

bool is_any_text(const Shape& shape) {
  return !has_texts(shape) && shape.length.min == 0 && !shape.length.max;
}

// Writes each shape of an object as parameters. Nested references to the root are written as JSON.
Expr ParameterRules::convert_root(std::string_view name) {
  std::vector<Expr> options;
  int number = 0;
  for (const auto& [goal, shape] :
       values_.shapes_of(goal_of(schema_, {Term{schema_.root, false}}))) {
    const std::string shape_name =
        ++number == 1 ? std::string(name) : fmt::format("{}-{}", name, number);
    if (!shape.values.empty()) {
      add_constant_parameters(shape, goal, options);
    } else if ((shape.types & kObjectType) != 0) {
      Value object = apart_.names ? object_and_parameters(shape, shape_name)
                                  : parameters(shape, shape_name, listed_names(shape));
      if (object) options.push_back(*std::move(object));
    }
  }
  values_.finish_put_off();
  return factored_alternation(std::move(options));
}

Expr ParameterRules::parameter(std::string_view name, Expr value) const {
  return sequence({apart_.open, literal(name), apart_.middle, std::move(value), apart_.end});
}

void ParameterRules::report_between(const Shape& shape, std::size_t members) {
  values_.report_excluded(shape, kObjectType);
  if (!shape.raw.empty()) loose_.add(shape.source("x-gbnf"), "x-gbnf", "any parameters");
  const SchemaId where = shape.source("maxProperties");
  if (shape.property_count.min > shape.required.size()) {
    loose_.add(where, "minProperties", "fewer");
  }
  if (shape.property_count.max.value_or(members) < members) {
    loose_.add(where, "maxProperties", "more");
  }
}

// Writes the members in `names` that may be present, in this order. Cannot express other members.
ParameterRules::Value ParameterRules::parameters(const Shape& shape, const std::string& name,
                                                 std::span<const std::string> names) {
  report_between(shape, names.size());
  const std::optional<TextSet> allowed = allowed_names(schema_, shape, loose_);
  const std::set<std::string> required(shape.required.begin(), shape.required.end());
  std::vector<Parameter> written;
  for (const std::string& member : names) {
    Value value;
    if (!shape.absent.contains(member) && (!allowed || allowed->contains(member))) {
      value = text_value(goal_of(schema_, member_terms(shape, member, loose_)),
                         fmt::format("{}-{}", name, rule_name(member)));
    }
    const bool needed = required.contains(member);
    if (!value && needed) return std::nullopt;
    if (!value) continue;
    written.push_back({parameter(member, *std::move(value)), needed});
  }
  return separated(std::move(written), name);
}

// Joins members. A rule for the members after each one keeps the grammar small.
Expr ParameterRules::separated(std::vector<Parameter> members, const std::string& name) {
  const bool has_separator = !apart_.between.is_empty();
  if (!has_separator) {
    std::vector<Expr> items;
    for (Parameter& one : members) {
      items.push_back(one.needed ? std::move(one.written) : maybe(std::move(one.written)));
    }
    return sequence(std::move(items));
  }
  std::vector<Expr> first;  // alternatives that begin with each member
  Expr rest;                // after the member
  bool may_be_empty = true;
  for (std::size_t i = members.size(); i-- > 0;) {
    const Expr member = grammar_.add(name + "-member", std::move(members[i].written));
    if (members[i].needed) first.clear();
    may_be_empty = may_be_empty && !members[i].needed;
    first.push_back(sequence({member, rest}));
    if (i == 0) break;
    Expr next = sequence({apart_.between, member});
    next = members[i].needed ? std::move(next) : maybe(std::move(next));
    rest = grammar_.add(name + "-rest", sequence({std::move(next), rest}));
  }
  if (first.empty()) return Expr();
  Expr all = alternation(std::move(first));
  return may_be_empty ? maybe(std::move(all)) : all;
}

// An object, followed by its members that are written apart.
ParameterRules::Value ParameterRules::object_and_parameters(const Shape& shape,
                                                            const std::string& name) {
  std::vector<std::string> apart;
  bool needed = false;
  for (const std::string& member : listed_names(shape)) {
    if (std::ranges::find(*apart_.names, member) == apart_.names->end()) continue;
    apart.push_back(member);
    needed = needed || std::ranges::find(shape.required, member) != shape.required.end();
  }
  Value first = values_.object(shape, name, apart);
  if (apart.empty() || !first) return first;
  const Value behind = parameters(shape, name, apart);
  if (!behind) return std::nullopt;
  Expr rest = sequence({apart_.before, *behind});
  return sequence({*std::move(first), needed ? std::move(rest) : maybe(std::move(rest))});
}

void ParameterRules::add_constant_parameters(const Shape& shape, const Goal& goal,
                                             std::vector<Expr>& options) {
  for (const Json& value : shape.values.front()->values) {
    if (!value.is_object() || !fits(schema_, goal, value, loose_.budget())) continue;
    std::vector<Expr> written;
    for (const auto& [name, part] : value.items()) {
      const Value text = constant_text(part);
      if (text) written.push_back(parameter(name, *text));
    }
    if (written.size() == value.size()) options.push_back(sequence(std::move(written)));
  }
}

ParameterRules::Value ParameterRules::constant_text(const Json& value) const {
  if (!value.is_string() || apart_.in_quotes) {
    if (!values_.can_stand_in_json(to_line(value))) return std::nullopt;
    return sequence({apart_.before_json, json_constant(grammar_, value)});
  }
  const auto& text = value.get_ref<const std::string&>();
  if (!apart_.texts.contains(text)) return std::nullopt;
  return sequence({apart_.before_text, literal(text), apart_.after_text});
}

// Writes a parameter's value as JSON, strings too.
ParameterRules::Value ParameterRules::quoted_value(const Goal& goal, const std::string& name) {
  std::vector<Expr> options;
  for (auto& [leaf, shape] : values_.shapes_of(goal)) {
    if (shape.values.empty()) {
      values_.add_shape(shape, leaf, name, options);
      continue;
    }
    for (const Json& value : shape.values.front()->values) {
      const Value text =
          fits(schema_, leaf, value, loose_.budget()) ? constant_text(value) : std::nullopt;
      if (text) options.push_back(*text);
    }
  }
  if (options.empty()) return std::nullopt;
  return grammar_.add(name, factored_alternation(std::move(options)));
}

// Writes a parameter's value: strings verbatim, other values as JSON. If any text is allowed, it is
// the only option, because it includes all JSON.
ParameterRules::Value ParameterRules::text_value(const Goal& goal, const std::string& name) {
  if (apart_.in_quotes) return quoted_value(goal, name);
  std::vector<Expr> options;
  for (auto& [leaf, shape] : values_.shapes_of(goal)) {
    if (!shape.values.empty()) {
      for (const Json& value : shape.values.front()->values) {
        const Value text =
            fits(schema_, leaf, value, loose_.budget()) ? constant_text(value) : std::nullopt;
        if (text) options.push_back(*text);
      }
      continue;
    }
    if (!shape.graphs.empty() && stands_apart(*shape.graphs.front()->graph)) {
      options.push_back(
          sequence({apart_.before_text, values_.graph_texts(shape, TextEncoding::kPlain),
                    apart_.after_text}));
      continue;
    }
    if ((shape.types & kStringType) != 0) {
      if (!shape.raw.empty()) loose_.add(shape.source("x-gbnf"), "x-gbnf", "any text");
      const Value raw = raw_text(shape);
      const Value text = raw ? Value(sequence({apart_.before_text, *raw, apart_.after_text})) : raw;
      if (text && is_any_text(shape) && apart_.before_text.is_empty()) return text;
      if (text) options.push_back(*text);
    }
    if ((shape.types & ~kStringType) == 0) continue;
    Shape rest = shape;
    rest.types &= static_cast<TypeBits>(~kStringType);
    if (!rest.raw.empty()) loose_.add(rest.source("x-gbnf"), "x-gbnf", "the end of a parameter");
    std::vector<Expr> others;
    values_.add_shape(rest, leaf, name, others);
    for (Expr& other : others) {
      options.push_back(sequence({apart_.before_json, std::move(other)}));
    }
  }
  if (options.empty()) return std::nullopt;
  Expr all = factored_alternation(std::move(options));
  const bool trivial =
      std::holds_alternative<Literal>(all.node) || std::holds_alternative<RuleRef>(all.node);
  return trivial ? all : grammar_.add(name, std::move(all));
}

// Returns true if no literal of the graph contains the end of a parameter.
bool ParameterRules::stands_apart(const LiteralGraph& graph) const {
  return std::all_of(graph.nodes.begin(), graph.nodes.end(), [&](const LiteralGraph::Node& node) {
    return apart_.texts.contains(node.text);
  });
}

ParameterRules::Value ParameterRules::raw_text(const Shape& shape) {
  const std::string key = fmt::format("raw text {}", texts_key(shape));
  return values_.shared(key, [&]() -> Value {
    if (!has_texts(shape)) {
      const TextSet& set = shape.length.max ? apart_.texts : apart_.long_texts;
      return add_raw_text(grammar_, set, shape.length, shape.source("maxLength"), loose_);
    }
    TextSet set = apart_.texts;
    values_.keep(set, texts_of(shape, loose_), shape.source("pattern"), "pattern");
    return values_.text_rule(set, TextEncoding::kPlain, "raw-text");
  });
}

constexpr std::size_t kMaxNames = 500;  // of a schema that replaces another one

// Runs `convert` with a fresh budget. If the budget is spent, removes the rules and the reports.
template <typename Convert>
Result<Expr> within_budget(GrammarBuilder& grammar, const Schema& schema,
                           std::vector<Loosened>& loosened, Convert convert) {
  const std::size_t rules = grammar.size();
  const std::size_t reports = loosened.size();
  grammar.budget() = SchemaBudget();
  Expr value = convert();
  const SchemaBudget spent = std::exchange(grammar.budget(), SchemaBudget());
  if (!spent.is_spent()) return value;
  grammar.roll_back(rules);
  loosened.resize(reports);
  return Error{ErrorKind::kLimit, schema_error(schema[spent.place()].pointer,
                                               std::string("its grammar ") + spent.why())
                                      .message};
}

// Any object with the names that the root declares, or any value.
Schema simplified(const Schema& schema) {
  Schema out;
  SchemaNode& root = out.nodes[out.root];
  root.assertions.clear();
  if ((types_at_first_sight(schema, schema.root) & kObjectType) == 0) return out;
  Properties rules;
  for (const Assertion& one : schema[schema.root].assertions) {
    const auto* declared = std::get_if<Properties>(&one);
    if (declared == nullptr) continue;
    for (const auto& [name, value] : declared->declared) {
      if (rules.declared.size() < kMaxNames) rules.declared.emplace_back(name, Schema::kAnything);
    }
  }
  root.assertions = {TypeIs{kObjectType}, std::move(rules)};
  return out;
}

void report(const Error& error, std::vector<Loosened>& loosened) {
  loosened.push_back({"", "the schema", "other values; " + error.message});
}

}  // namespace

Result<Expr> convert_schema(GrammarBuilder& grammar, const Schema& schema, std::string_view name,
                            std::vector<Loosened>& loosened) {
  return within_budget(grammar, schema, loosened, [&] {
    return SchemaConverter(grammar, schema, nullptr, loosened).convert_root(name);
  });
}

Expr add_schema(GrammarBuilder& grammar, const Schema& schema, std::string_view name,
                std::vector<Loosened>& loosened) {
  Result<Expr> value = convert_schema(grammar, schema, name, loosened);
  if (value) return *std::move(value);
  report(value.error(), loosened);
  return SchemaConverter(grammar, simplified(schema), nullptr, loosened).convert_root(name);
}

Expr add_parameters(GrammarBuilder& grammar, const Schema& schema, const ParametersApart& apart,
                    std::string_view name, std::vector<Loosened>& loosened) {
  const auto convert = [&](const Schema& of) {
    SchemaConverter values(grammar, of, apart.banned ? &*apart.banned : nullptr, loosened);
    return ParameterRules(values, apart).convert_root(name);
  };
  Result<Expr> value = within_budget(grammar, schema, loosened, [&] { return convert(schema); });
  if (value) return *std::move(value);
  report(value.error(), loosened);
  return convert(simplified(schema));
}

}  // namespace pedro
