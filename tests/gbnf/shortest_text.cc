#include "gbnf/shortest_text.h"

#include <map>

#include "base/utf8.h"

namespace pedro {
namespace {

using Text = std::optional<std::string>;

// The shortest text found so far for each rule.
using Known = std::map<std::string, std::string>;

Text shortest(const Expr& expr, const Known& known);

bool shorter(const Text& a, const Text& b) {
  return a && (!b || a->size() < b->size());
}

bool holds(const CharClass& one, char32_t c) {
  bool inside = false;
  for (const CharRange& range : one.ranges)
    inside = inside || (range.first <= c && c <= range.last);
  return inside != one.negated;
}

Text shortest(const CharClass& one) {
  for (char32_t c = 'a'; c <= 'z'; ++c) {
    if (holds(one, c)) return std::string(1, static_cast<char>(c));
  }
  for (char32_t c = 1; c < 0x110000; ++c) {
    const bool surrogate = 0xD800 <= c && c <= 0xDFFF;
    if (surrogate || !holds(one, c)) continue;
    std::string text;
    append_utf8(text, c);
    return text;
  }
  return std::nullopt;
}

// Recursion is bounded: expressions are nested at most kMaxExprDepth levels.
Text shortest(const Sequence& sequence, const Known& known) {
  std::string text;
  for (const Expr& item : sequence.items) {
    const Text one = shortest(item, known);
    if (!one) return std::nullopt;
    text += *one;
  }
  return text;
}

Text shortest(const Alternation& alternation, const Known& known) {
  Text best;
  for (const Expr& option : alternation.options) {
    Text one = shortest(option, known);
    if (shorter(one, best)) best = std::move(one);
  }
  return best;
}

Text shortest(const Repetition& repetition, const Known& known) {
  if (repetition.min == 0) return "";
  const Text one = shortest(repetition.item.front(), known);
  if (!one) return std::nullopt;
  std::string text;
  for (int i = 0; i < repetition.min; ++i) text += *one;
  return text;
}

Text shortest(const Token& token) {
  return token.negated || token.text.empty() ? Text() : token.text;
}

Text shortest(const Expr& expr, const Known& known) {
  if (const auto* literal = std::get_if<Literal>(&expr.node)) return literal->bytes;
  if (const auto* one = std::get_if<CharClass>(&expr.node)) return shortest(*one);
  if (const auto* token = std::get_if<Token>(&expr.node)) return shortest(*token);
  if (const auto* items = std::get_if<Sequence>(&expr.node)) return shortest(*items, known);
  if (const auto* options = std::get_if<Alternation>(&expr.node)) return shortest(*options, known);
  if (const auto* times = std::get_if<Repetition>(&expr.node)) return shortest(*times, known);
  const auto found = known.find(std::get<RuleRef>(expr.node).name);
  return found == known.end() ? Text() : found->second;
}

}  // namespace

std::optional<std::string> shortest_text(const Gbnf& grammar) {
  Known known;
  for (bool better = true; better;) {
    better = false;
    for (const Rule& rule : grammar.rules) {
      const auto found = known.find(rule.name);
      const Text one = shortest(rule.expr, known);
      if (!shorter(one, found == known.end() ? Text() : found->second)) continue;
      known[rule.name] = *one;
      better = true;
    }
  }
  const auto root = known.find("root");
  return root == known.end() ? Text() : root->second;
}

}  // namespace pedro
