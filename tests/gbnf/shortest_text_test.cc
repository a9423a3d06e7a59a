#include "gbnf/shortest_text.h"

#include <doctest/doctest.h>

#include "gbnf/parse_gbnf.h"

namespace pedro {

TEST_CASE("shortest text: the shortest of all, through rules that lead back to themselves") {
  struct Row {
    const char* grammar;
    std::optional<std::string> expected;
  };
  for (const Row& row : {
           Row{R"(root ::= "ab" | "c")", "c"},
           Row{R"(root ::= "[" (root ("," root)*)? "]")", "[]"},
           Row{"root ::= x{2,5} y?\nx ::= \"0\" | \"1\" x\ny ::= \"z\"", "00"},
           Row{"root ::= [^a-z] [0-9]+", std::string("\x01") + "0"},
           Row{"root ::= \"a\" root", std::nullopt},
           Row{"root ::= \"a\" x | \"bcd\"\nx ::= x2 \"x\"\nx2 ::= \"x\" x", "bcd"},
           Row{"root ::= \"\"", ""},
       }) {
    CAPTURE(row.grammar);
    const auto grammar = parse_gbnf(row.grammar, "g");
    REQUIRE(grammar.ok());
    CHECK(shortest_text(grammar->grammar) == row.expected);
  }
}

}  // namespace pedro
