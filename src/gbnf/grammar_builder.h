#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "gbnf/gbnf.h"
#include "gbnf/schema_budget.h"

namespace pedro {

/// The blank after ':' and ',' in JSON.
enum class JsonBlanks {
  kOptional,  ///< at the model's choice
  kOne,       ///< always, so the model has no choice to make
};

/// A grammar under construction. The order of calls determines the order of rules, so the same
/// calls give the same bytes. One thread.
class GrammarBuilder {
 public:
  explicit GrammarBuilder(JsonBlanks blanks = JsonBlanks::kOptional) : blanks_(blanks) {}

  JsonBlanks blanks() const { return blanks_; }

  /// The budget of the schema that is being converted. Each rule charges it.
  SchemaBudget& budget() { return budget_; }

  /// Returns the number of rules so far.
  std::size_t size() const { return rules_.size(); }
  /// Removes the rules after the first `size`. Requires that no remaining rule refers to them.
  void roll_back(std::size_t size);

  /// Returns a reference to a rule with this `body`. Reuses an earlier rule with the same body.
  /// Otherwise adds a rule called `name`, made valid and numbered if it is taken.
  Expr add(std::string_view name, Expr body);

  /// Returns the cached expression for `key`; calls `make` on first use. nullopt means that nothing
  /// matches.
  template <typename Make>
  std::optional<Expr> shared(const std::string& key, Make make) {
    if (const auto known = shared_.find(key); known != shared_.end()) return known->second;
    std::optional<Expr> made = make();
    shared_.emplace(key, made);
    return made;
  }

  void forget(const std::string& key) { shared_.erase(key); }

  /// Reserves a name for a rule that refers to itself. The rule takes its position in the grammar
  /// here. Each reserved name must be defined before finish().
  std::string reserve(std::string_view name);
  void define(const std::string& name, Expr body);

  /// Returns the grammar with `root` as its root rule. Afterwards the builder is empty; its blanks
  /// stay.
  Gbnf finish(Expr root);

 private:
  std::string free_name(std::string_view wanted);

  JsonBlanks blanks_;
  SchemaBudget budget_;
  std::vector<Rule> rules_;
  std::unordered_map<std::string, std::size_t> reserved_;  // index in rules_
  std::unordered_set<std::string> names_{"root"};
  std::unordered_map<std::string, int> last_number_;  // of names with numbered variants
  std::unordered_map<std::string, std::string> name_of_body_;
  std::unordered_map<std::string, std::optional<Expr>> shared_;
};

}  // namespace pedro
