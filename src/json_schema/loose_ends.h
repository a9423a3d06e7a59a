#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "gbnf/schema_budget.h"
#include "json_schema/schema.h"

namespace pedro {

/// A place where a grammar allows more than the schema; validate() must check the difference.
struct Loosened {
  std::string pointer;  ///< in the schema document: "/properties/text"
  std::string keyword;  ///< "maxLength"
  std::string instead;  ///< what the grammar allows: "any length"
};

/// Collects these into a list without duplicates, and holds the budget of the conversion. Borrows
/// its arguments. One thread.
class LooseEnds {
 public:
  LooseEnds(const Schema& schema, std::vector<Loosened>& out, SchemaBudget& budget)
      : schema_(schema), out_(out), budget_(budget) {}

  void add(SchemaId where, std::string_view keyword, std::string_view instead) {
    if (!budget_.spend(8)) return;
    if (!known_.emplace(where, keyword, instead).second) return;
    out_.push_back(Loosened{schema_[where].pointer, std::string(keyword), std::string(instead)});
  }

  SchemaBudget& budget() { return budget_; }

  /// Returns the number of added entries.
  std::size_t size() const { return known_.size(); }

 private:
  const Schema& schema_;
  std::vector<Loosened>& out_;
  SchemaBudget& budget_;
  std::set<std::tuple<SchemaId, std::string, std::string>> known_;
};

}  // namespace pedro
