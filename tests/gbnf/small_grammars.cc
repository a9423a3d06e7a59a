#include "gbnf/small_grammars.h"

namespace pedro {

std::vector<NamedGrammar> small_grammars() {
  const Expr a = literal("a");
  const Expr b = literal("b");
  const Expr c = literal("c");
  const Expr x = rule_ref("x");
  const Expr y = rule_ref("y");
  const Expr root = rule_ref("root");
  const Expr ab = alternation({a, sequence({a, b})});
  return {
      {"a literal", only(literal("abc"))},
      {"the empty text", only(Expr{})},
      {"nothing", only(one_of({}))},
      {"alternation with a common beginning",
       only(alternation({a, literal("ab"), literal("abc")}))},
      {"class", only(sequence({one_of({{'a', 'b'}}), many(none_of({{'b', 'b'}}))}))},
      {"any code point", only(sequence({none_of({}), c}))},
      {"star of an alternation", only(many(alternation({literal("ab"), literal("ba"), c})))},
      {"plus", only(repetition(literal("ab"), 1, std::nullopt))},
      {"counted", only(repetition(a, 2, 4))},
      {"counted item of two lengths", only(sequence({repetition(ab, 1, 3), c}))},
      {"counted item that may be empty", only(sequence({repetition(maybe(a), 2, 3), b}))},
      {"at least", only(sequence({repetition(ab, 2, std::nullopt), maybe(c)}))},
      {"counted in counted", only(repetition(sequence({repetition(a, 0, 2), b}), 1, 2))},
      {"nothing, exactly five times", only(repetition(maybe(a), 5, 5))},
      {"optional chain", only(sequence({maybe(a), maybe(a), maybe(b), maybe(a)}))},
      {"balanced", Gbnf{{Rule{"root", alternation({sequence({a, root, b}), c, Expr{}})}}}},
      {"balanced, many", Gbnf{{Rule{"root", many(x)}, Rule{"x", sequence({a, root, b})}}}},
      {"right recursion", Gbnf{{Rule{"root", alternation({sequence({a, root}), b})}}}},
      {"palindromes",
       Gbnf{{Rule{"root", alternation({sequence({a, root, a}), sequence({b, root, b}), c})}}}},
      {"ambiguous two ways",
       Gbnf{{Rule{"root", sequence({x, y})}, Rule{"x", many(alternation({a, literal("aa")}))},
             Rule{"y", many(alternation({a, b}))}}}},
      {"calls within calls",
       Gbnf{{Rule{"root", sequence({x, x})}, Rule{"x", sequence({y, maybe(y)})},
             Rule{"y", alternation({a, literal("bc")})}}}},
      {"an item that recurses", Gbnf{{Rule{"root", repetition(x, 1, 3)},
                                      Rule{"x", alternation({sequence({a, maybe(root), b}), c})}}}},
      {"a rule that cannot end", Gbnf{{Rule{"root", sequence({a, root})}}}},
  };
}

std::vector<std::string> all_strings(std::string_view alphabet, std::size_t max_length) {
  std::vector<std::string> out{""};
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (out[i].size() == max_length) continue;
    for (const char letter : alphabet) out.push_back(out[i] + letter);
  }
  return out;
}

}  // namespace pedro
