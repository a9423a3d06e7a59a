#include "json_schema/schema_goal.h"

#include <algorithm>

#include "json_schema/validate.h"

namespace pedro {
namespace {

// Follows nodes that only refer to another node. check_circles() excludes cycles.
SchemaId resolved(const Schema& schema, SchemaId id) {
  for (;;) {
    const auto& assertions = schema[id].assertions;
    const auto* all = assertions.size() == 1 ? std::get_if<AllOf>(&assertions.front()) : nullptr;
    if (all == nullptr || all->parts.size() != 1) return id;
    id = all->parts.front();
  }
}

// Returns true if every value may satisfy the schema.
bool allows_all(const SchemaNode& node) {
  return std::all_of(node.assertions.begin(), node.assertions.end(),
                     [](const Assertion& one) { return std::holds_alternative<Unknown>(one); });
}

}  // namespace

Goal goal_of(const Schema& schema, std::vector<Term> terms) {
  for (Term& term : terms) term.id = resolved(schema, term.id);
  std::erase_if(terms,
                [&](const Term& term) { return !term.negated && allows_all(schema[term.id]); });
  std::sort(terms.begin(), terms.end());
  terms.erase(std::unique(terms.begin(), terms.end()), terms.end());
  return terms;
}

bool fits(const Schema& schema, const Goal& goal, const Json& value, SchemaBudget& budget) {
  if (!budget.spend(8)) return false;
  return std::all_of(goal.begin(), goal.end(), [&](const Term& term) {
    return fit(schema, term.id, value, &budget) != (term.negated ? Fit::kYes : Fit::kNo);
  });
}

}  // namespace pedro
