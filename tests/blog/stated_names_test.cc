#include <doctest/doctest.h>

#include "base/text.h"
#include "blog/stated_facts.h"

using namespace pedro;

TEST_CASE("stated names: names, abbreviations, identifiers and code") {
  struct Row {
    const char* text;
    const char* names;
  };
  for (const Row& row : {
           Row{"Then Maria found it", "Maria"},
           Row{"Maria found it. Then it failed", ""},  // may only begin a sentence
           Row{"Never a plain CREATE INDEX: without CONCURRENTLY it locks",
               "CREATE INDEX CONCURRENTLY"},
           Row{"check with `\\d orders`, look for INVALID", "\\d orders INVALID"},
           Row{"two db.r6g.xlarge and cart-service", "db.r6g.xlarge"},
           Row{"thanks to @lwang (PR #482)", "@lwang PR"},
           Row{"the PRs of Jonas's team are in UTC", "PR Jonas UTC"},
           Row{"drop coupon_code now", "coupon_code"},
           Row{"12 k rows at 09:12", ""},
           Row{"wir haben den Honig und die Waben und das Holz im Garten der Eltern", ""},
           Row{"", ""},
       }) {
    CAPTURE(row.text);
    CHECK(join(stated_names(row.text), " ") == row.names);
  }
}

TEST_CASE("stated names: case and endings do not matter") {
  CHECK(missing_names("told by Maria", "maria's story").empty());
  CHECK(missing_names("without CONCURRENTLY", "without a flag") ==
        std::vector<std::string>{"CONCURRENTLY"});
}

TEST_CASE("stated names: negations are words, not parts of words") {
  CHECK(count_negations("It does not, and never did without it") == 3);
  CHECK(count_negations("Don't. It isn\u2019t. I cannot. Nobody!") == 4);
  CHECK(count_negations("Another note was noted; knots know nothingness") == 0);
  CHECK(count_negations("") == 0);
}
