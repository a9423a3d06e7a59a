#pragma once

#include <random>

#include "gbnf/gbnf.h"

namespace pedro {

/// Random grammars of every shape, built with the functions of gbnf.h. Equal seeds give equal
/// grammars.
class RandomGrammar {
 public:
  explicit RandomGrammar(unsigned seed) : random_(seed) {}

  /// `rules` rules, root first, without undefined references. May be left recursive. Uses the
  /// letters "abc", and is small enough to try all short strings.
  Gbnf small(int rules);

  /// Like small(), with tokens, and with literals and classes of every kind of character.
  Gbnf wild(int rules);

 private:
  Gbnf grammar(int rules);
  Expr expr(int depth);
  Expr leaf();
  Expr wild_leaf();
  std::vector<Expr> list(int depth);
  Expr counted(Expr item);
  char32_t character();
  std::string word();
  int pick(int count) { return static_cast<int>(random_() % static_cast<unsigned>(count)); }

  std::minstd_rand random_;
  int rules_ = 1;
  bool wild_ = false;
};

}  // namespace pedro
