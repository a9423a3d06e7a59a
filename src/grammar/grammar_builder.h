#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "grammar/gbnf.h"

namespace pedro {

/// The blank behind ':' and ',' in JSON.
enum class JsonBlanks {
  kOptional,  ///< as the model likes it
  kOne,       ///< always: nothing has to be chosen
};

/// A grammar under construction. The order of the calls decides the order of the rules, so the
/// same calls give the same bytes. One thread.
class GrammarBuilder {
 public:
  explicit GrammarBuilder(JsonBlanks blanks = JsonBlanks::kOptional) : blanks_(blanks) {}

  JsonBlanks blanks() const { return blanks_; }

  /// A reference to a rule that is `body`: a new one called `name` (made fit for a name, and
  /// numbered where it is taken), or the one that was added with the same body before.
  Expr add(std::string_view name, Expr body);

  /// What stands for `key`: made by `make` when it is asked for first. Nothing matches nothing.
  template <typename Make>
  std::optional<Expr> shared(const std::string& key, Make make) {
    if (const auto known = shared_.find(key); known != shared_.end()) return known->second;
    std::optional<Expr> made = make();
    shared_.emplace(key, made);
    return made;
  }

  void forget(const std::string& key) { shared_.erase(key); }

  /// A name for a rule that is not known yet, because it refers to itself; its place in the order
  /// of the rules is here. Each must be defined before finish().
  std::string reserve(std::string_view name);
  void define(const std::string& name, Expr body);

  /// The grammar with `root` as its root; the builder is empty afterwards.
  Gbnf finish(Expr root);

 private:
  std::string free_name(std::string_view wanted);

  JsonBlanks blanks_;
  std::vector<Rule> rules_;
  std::unordered_map<std::string, std::size_t> reserved_;  // where in rules_
  std::unordered_set<std::string> names_{"root"};
  std::unordered_map<std::string, int> last_number_;  // of names that were taken
  std::unordered_map<std::string, std::string> name_of_body_;
  std::unordered_map<std::string, std::optional<Expr>> shared_;
};

}  // namespace pedro
