#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "grammar/schema.h"

namespace pedro {

/// A place where a grammar allows more than the schema; validate() must check the difference.
struct Loosened {
  std::string pointer;  ///< in the schema document: "/properties/text"
  std::string keyword;  ///< "maxLength"
  std::string instead;  ///< what the grammar allows: "any length"
};

/// Collects these into a list without duplicates. Borrows the schema and the list. One thread.
class LooseEnds {
 public:
  LooseEnds(const Schema& schema, std::vector<Loosened>& out) : schema_(schema), out_(out) {}

  void add(SchemaId where, std::string_view keyword, std::string_view instead);

  /// Returns the number of added entries.
  std::size_t size() const { return known_.size(); }

 private:
  const Schema& schema_;
  std::vector<Loosened>& out_;
  std::set<std::tuple<SchemaId, std::string, std::string>> known_;
};

}  // namespace pedro
