#include "gbnf/random_grammar.h"

#include <iterator>

#include "base/utf8.h"

namespace pedro {
namespace {

std::string name_of(int rule) {
  return rule == 0 ? "root" : "r" + std::to_string(rule);
}

}  // namespace

Gbnf RandomGrammar::small(int rules) {
  wild_ = false;
  return grammar(rules);
}

Gbnf RandomGrammar::wild(int rules) {
  wild_ = true;
  return grammar(rules);
}

Gbnf RandomGrammar::grammar(int rules) {
  rules_ = rules;
  Gbnf out;
  for (int i = 0; i < rules; ++i) out.rules.push_back(Rule{name_of(i), expr(3)});
  return out;
}

Expr RandomGrammar::expr(int depth) {
  if (depth == 0) return leaf();
  switch (pick(5)) {
    case 0:
      return sequence(list(depth - 1));
    case 1:
      return alternation(list(depth - 1));
    case 2:
      return factored_alternation(list(depth - 1));
    case 3:
      return counted(expr(depth - 1));
    default:
      return leaf();
  }
}

std::vector<Expr> RandomGrammar::list(int depth) {
  std::vector<Expr> out;
  for (int i = pick(4); i >= 0; --i) out.push_back(expr(depth));
  return out;
}

Expr RandomGrammar::counted(Expr item) {
  const int min = pick(3);
  switch (pick(4)) {
    case 0:
      return maybe(std::move(item));
    case 1:
      return repetition(std::move(item), min, std::nullopt);
    case 2:
      return repetition(std::move(item), min, min);
    default:
      return repetition(std::move(item), min, min + pick(3));
  }
}

Expr RandomGrammar::leaf() {
  const int kind = pick(wild_ ? 8 : 5);
  if (kind == 0 && rules_ > 1) return rule_ref(name_of(pick(rules_)));
  if (kind == 1) return one_of({{U'a', static_cast<char32_t>(U'a' + pick(3))}});
  if (kind == 2 && pick(4) == 0) return pick(2) == 0 ? Expr{} : none_of({{'b', 'b'}});
  return kind > 4 ? wild_leaf() : literal(word());
}

Expr RandomGrammar::wild_leaf() {
  std::vector<CharRange> ranges;
  switch (pick(4)) {
    case 0:
      return token(static_cast<std::uint32_t>(pick(200000)), pick(2) == 0);
    case 1:
      return token("<tool call>", pick(2) == 0);
    case 2: {
      std::string text;
      for (int i = pick(6); i > 0; --i) append_utf8(text, character());
      return literal(text);
    }
    default:
      for (int i = pick(4); i > 0; --i) ranges.push_back(CharRange{character(), character()});
      return pick(2) == 0 ? one_of(std::move(ranges)) : none_of(std::move(ranges));
  }
}

std::string RandomGrammar::word() {
  std::string out;
  for (int i = pick(3); i >= 0; --i) out += static_cast<char>('a' + pick(3));
  return out;
}

char32_t RandomGrammar::character() {
  constexpr char32_t kChosen[] = {0,    1,    '\t', '\n', '\r',   ' ',     '!',      '"',   '#',
                                  '-',  '[',  '\\', ']',  '^',    '{',     '}',      0x7F,  0x80,
                                  0xFF, 0xE9, 'a',  'z',  0x20AC, 0x1F600, 0x10FFFF, 0xFFFF};
  return kChosen[pick(static_cast<int>(std::size(kChosen)))];
}

}  // namespace pedro
