#include "llm/grammar_watch.h"

#include <doctest/doctest.h>

namespace pedro {

TEST_CASE("grammar watch: whole texts, beginnings, and what cannot be said") {
  const std::string word = "root ::= \"ab\" [0-9]{1,2}\n";
  struct Row {
    const char* name;
    std::string grammar;
    const char* text;
    bool cut;
    bool obeys;
  };
  GrammarWatch watch;
  for (const Row& row : {
           Row{"a whole text", word, "ab1", false, true},
           Row{"a longer one", word, "ab12", false, true},
           Row{"a beginning is no whole text", word, "ab", false, false},
           Row{"but where it was cut it may be one", word, "ab", true, true},
           Row{"nothing, cut", word, "", true, true},
           Row{"another text", word, "hello", false, false},
           Row{"another text, cut", word, "hello", true, false},
           Row{"one with something behind it", word, "ab1x", false, false},
           Row{"another grammar", "root ::= \"x\"\n", "x", false, true},
           Row{"and the first once more", word, "x", false, false},
           Row{"a token by its id", "root ::= <[7]>\n", "x", false, true},
           Row{"no grammar at all", "root", "x", false, true},
       }) {
    CAPTURE(row.name);
    CHECK(watch.obeys(row.grammar, row.text, row.cut) == row.obeys);
  }
}

}  // namespace pedro
