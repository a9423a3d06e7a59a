#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gbnf/gbnf.h"

namespace pedro {

struct NamedGrammar {
  const char* name;
  Gbnf grammar;
};

/// Grammars over "abc" with every kind of expression and ambiguity, small enough to try all short
/// strings.
std::vector<NamedGrammar> small_grammars();

/// All strings of up to `max_length` letters, shortest first.
std::vector<std::string> all_strings(std::string_view alphabet, std::size_t max_length);

inline Expr many(Expr item) {
  return repetition(std::move(item), 0, std::nullopt);
}

/// A grammar with only the rule "root".
inline Gbnf only(Expr root) {
  return Gbnf{{Rule{"root", std::move(root)}}};
}

}  // namespace pedro
