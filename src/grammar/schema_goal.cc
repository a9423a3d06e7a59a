#include "grammar/schema_goal.h"

#include <algorithm>

#include "grammar/validate.h"

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

}  // namespace

Goal goal_of(const Schema& schema, std::vector<Term> terms) {
  for (Term& term : terms) term.id = resolved(schema, term.id);
  std::erase_if(
      terms, [&](const Term& term) { return !term.negated && schema[term.id].assertions.empty(); });
  std::sort(terms.begin(), terms.end());
  terms.erase(std::unique(terms.begin(), terms.end()), terms.end());
  return terms;
}

bool fits(const Schema& schema, const Goal& goal, const Json& value) {
  return std::all_of(goal.begin(), goal.end(), [&](const Term& term) {
    return validate(schema, term.id, value).has_value() == term.negated;
  });
}

}  // namespace pedro
