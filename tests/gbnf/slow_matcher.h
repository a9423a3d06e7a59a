#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>

#include "base/utf8.h"
#include "gbnf/gbnf.h"

namespace pedro {

/// A simple reference matcher: finds all end positions of a match that begins at `from`, by
/// recursion over the grammar. Only for short texts and grammars without left recursion.
class SlowMatcher {
 public:
  SlowMatcher(const Gbnf& grammar, std::string_view text) : grammar_(grammar), text_(text) {}

  bool matches() const { return ends(rule("root"), 0).contains(text_.size()); }

 private:
  using Ends = std::set<std::size_t>;

  const Expr& rule(const std::string& name) const {
    for (const Rule& rule : grammar_.rules) {
      if (rule.name == name) return rule.expr;
    }
    static const Expr none = one_of({});
    return none;
  }

  Ends ends(const Expr& expr, std::size_t from) const {
    return std::visit([&](const auto& node) { return ends_of(node, from); }, expr.node);
  }

  Ends ends_of(const Literal& node, std::size_t from) const {
    if (text_.substr(from).starts_with(node.bytes)) return {from + node.bytes.size()};
    return {};
  }

  Ends ends_of(const CharClass& node, std::size_t from) const {
    const std::size_t length = utf8_sequence_length(text_.substr(from));
    if (length == 0) return {};
    bool inside = false;
    for (const CharRange& range : node.ranges) {
      for (char32_t c = range.first; c <= range.last; ++c) {
        std::string encoded;
        append_utf8(encoded, c);
        inside = inside || encoded == text_.substr(from, length);
      }
    }
    if (inside == node.negated) return {};
    return {from + length};
  }

  Ends ends_of(const Token& node, std::size_t from) const {
    return ends_of(Literal{node.text}, from);
  }

  Ends ends_of(const RuleRef& node, std::size_t from) const { return ends(rule(node.name), from); }

  Ends ends_of(const Sequence& node, std::size_t from) const {
    Ends at = {from};
    for (const Expr& item : node.items) at = ends_of_all(item, at);
    return at;
  }

  Ends ends_of(const Alternation& node, std::size_t from) const {
    Ends all;
    for (const Expr& option : node.options) all.merge(ends(option, from));
    return all;
  }

  Ends ends_of(const Repetition& node, std::size_t from) const {
    Ends all;
    Ends at = {from};
    const int enough = static_cast<int>(text_.size()) + 1 + node.min;  // more add nothing
    for (int count = 0; count <= node.max.value_or(enough) && count <= enough; ++count) {
      if (count >= node.min) all.insert(at.begin(), at.end());
      at = ends_of_all(node.item.front(), at);
    }
    return all;
  }

  Ends ends_of_all(const Expr& expr, const Ends& starts) const {
    Ends all;
    for (const std::size_t from : starts) all.merge(ends(expr, from));
    return all;
  }

  const Gbnf& grammar_;
  std::string_view text_;
};

}  // namespace pedro
