#include "schema_to_gbnf/schema_scope.h"

#include <vector>

namespace pedro {

std::set<SchemaId> find_scope(const Schema& schema, SchemaId node, SchemaBudget& budget) {
  std::set<SchemaId> scope;
  std::vector<SchemaId> todo{node};
  const auto add = [&todo](const std::vector<SchemaId>& parts) {
    todo.insert(todo.end(), parts.begin(), parts.end());
  };
  while (!todo.empty() && budget.spend(8)) {
    const SchemaId at = todo.back();
    todo.pop_back();
    if (!scope.insert(at).second) continue;
    for (const Assertion& one : schema[at].assertions) {
      if (const auto* all = std::get_if<AllOf>(&one)) add(all->parts);
      if (const auto* any = std::get_if<AnyOf>(&one)) add(any->options);
      if (const auto* only = std::get_if<OneOf>(&one)) add(only->options);
      if (const auto* dependent = std::get_if<Dependent>(&one)) add({dependent->then});
      if (const auto* branch = std::get_if<IfThenElse>(&one)) {
        add({branch->condition, branch->then, branch->otherwise});
      }
    }
  }
  return scope;
}

}  // namespace pedro
