#include "schema_to_gbnf/schema_to_gbnf.h"

#include <algorithm>
#include <utility>

#include "json_schema/schema_keywords.h"
#include "schema_to_gbnf/schema_converter.h"
#include "schema_to_gbnf/schema_parameters.h"

namespace pedro {
namespace {

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
