#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "gbnf/gbnf.h"

namespace pedro {

/// Returns the direct parts of `expr`.
std::span<const Expr> children(const Expr& expr);

/// The rules of a grammar by name, with the references between them. Borrows the grammar. Requires
/// that no expression nests deeper than kMaxExprDepth.
class RuleGraph {
 public:
  static constexpr std::size_t kNoRule = std::numeric_limits<std::size_t>::max();

  explicit RuleGraph(const Gbnf& grammar);

  const Gbnf& grammar() const { return *grammar_; }
  std::size_t size() const { return references_.size(); }

  /// Returns the index of the first rule of this name, or kNoRule.
  std::size_t find(std::string_view name) const;

  /// Returns the rules that rule number `rule` refers to, with repetitions.
  const std::vector<std::size_t>& references(std::size_t rule) const { return references_[rule]; }

  /// Flags the rules that are reachable from root, including root. All false without a root.
  std::vector<bool> reachable() const;

 private:
  void collect(const Expr& expr, std::vector<std::size_t>& out) const;

  const Gbnf* grammar_;
  std::unordered_map<std::string_view, std::size_t> index_;
  std::vector<std::vector<std::size_t>> references_;
};

}  // namespace pedro
