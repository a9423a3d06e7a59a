#pragma once

#include <random>

#include "grammar/gbnf.h"

namespace pedro {

/// Grammars of every shape, made with the functions of gbnf.h. The same seed gives the same ones.
class RandomGrammar {
 public:
  explicit RandomGrammar(unsigned seed) : random_(seed) {}

  /// `rules` rules, root first, whose references have their rules. May be left recursive.
  /// Over "abc", small enough to be tried on all short strings.
  Gbnf small(int rules);

  /// The same with tokens, and literals and classes of every kind of character.
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
