#include "prompts/front_matter.h"

#include <doctest/doctest.h>

namespace pedro {

TEST_CASE("front matter: keys, comments and body") {
  const auto front =
      parse_front_matter("p.md", "---\n# why\ntools: search file\n\noutput: \"a b\"\n---\nBody\n");
  REQUIRE(front.ok());
  REQUIRE(front->entries.size() == 2);
  CHECK(front->entries[0].key == "tools");
  CHECK(front->entries[0].value == "search file");
  CHECK(front->entries[0].line == 3);
  CHECK(front->entries[1].value == "a b");
  CHECK(front->body == "Body\n");
  CHECK(front->body_line == 7);
}

TEST_CASE("front matter: a file without one is all body") {
  CHECK(parse_front_matter("p.md", "Hello\n---\n")->body == "Hello\n---\n");
}

TEST_CASE("front matter: errors name the place") {
  struct Row {
    const char* text;
    const char* message;
  };
  for (const Row& row : {
           Row{"---\ntools: a\n", "p.md:3: expected '---' after the keys, got the end"},
           Row{"---\ntools\n---\n", "p.md:2: expected 'key: value', got 'tools'"},
           Row{"---\na: 1\na: 2\n---\n", "p.md:3: duplicate key 'a'"},
       }) {
    CHECK(parse_front_matter("p.md", row.text).error().message == row.message);
  }
}

}  // namespace pedro
