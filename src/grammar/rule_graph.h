#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "grammar/gbnf.h"

namespace pedro {

/// The expressions directly inside of `expr`.
std::span<const Expr> children(const Expr& expr);

/// The rules of a grammar by their names, and which refers to which. Borrows the grammar. Requires
/// that no expression nests deeper than kMaxExprDepth.
class RuleGraph {
 public:
  static constexpr std::size_t kNoRule = std::numeric_limits<std::size_t>::max();

  explicit RuleGraph(const Gbnf& grammar);

  const Gbnf& grammar() const { return *grammar_; }
  std::size_t size() const { return references_.size(); }

  /// kNoRule where there is none. Of two rules of a name the first.
  std::size_t find(std::string_view name) const;

  /// The rules that rule number `rule` refers to, as often as it does.
  const std::vector<std::size_t>& references(std::size_t rule) const { return references_[rule]; }

  /// For every rule whether root leads to it; root itself is reachable. Without a root none is.
  std::vector<bool> reachable() const;

 private:
  void collect(const Expr& expr, std::vector<std::size_t>& out) const;

  const Gbnf* grammar_;
  std::unordered_map<std::string_view, std::size_t> index_;
  std::vector<std::vector<std::size_t>> references_;
};

}  // namespace pedro
