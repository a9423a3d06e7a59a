#include "json_schema/schema_circles.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <variant>
#include <vector>

#include "json_schema/schema_keywords.h"

namespace pedro {
namespace {

template <typename Take>
void for_each_part(const SchemaNode& node, Take take) {
  for (const Assertion& one : node.assertions) {
    const auto* all = std::get_if<AllOf>(&one);
    if (all == nullptr) continue;
    for (const SchemaId part : all->parts) take(part);
  }
}

}  // namespace

// Kahn's algorithm: removes nodes that are part of no remaining node; the rest contains cycles.
Status check_circles(const Schema& schema) {
  std::vector<std::size_t> holders(schema.nodes.size());
  for (const SchemaNode& node : schema.nodes) {
    for_each_part(node, [&](SchemaId part) { ++holders[part]; });
  }
  std::vector<SchemaId> free;
  for (SchemaId id = 0; id < holders.size(); ++id) {
    if (holders[id] == 0) free.push_back(id);
  }
  for (std::size_t done = 0; done < free.size(); ++done) {
    for_each_part(schema[free[done]], [&](SchemaId part) {
      if (--holders[part] == 0) free.push_back(part);
    });
  }
  const auto left = std::find_if(holders.begin(), holders.end(), [](auto n) { return n > 0; });
  if (left == holders.end()) return {};
  return schema_error(schema.nodes[static_cast<std::size_t>(left - holders.begin())].pointer,
                      "refers to itself endlessly");
}

void shorten_references(Schema& schema) {
  const auto next = [&](SchemaId id) {
    auto& assertions = schema.nodes[id].assertions;
    auto* all = assertions.size() == 1 ? std::get_if<AllOf>(&assertions.front()) : nullptr;
    return all != nullptr && all->parts.size() == 1 ? &all->parts.front() : nullptr;
  };
  std::vector<SchemaId*> chain;
  for (SchemaId id = 0; id < schema.nodes.size(); ++id) {
    SchemaId end = id;
    for (SchemaId* part = next(id); part != nullptr; part = next(end)) {
      chain.push_back(part);
      end = *part;
    }
    for (SchemaId* part : std::exchange(chain, {})) *part = end;
  }
}

}  // namespace pedro
