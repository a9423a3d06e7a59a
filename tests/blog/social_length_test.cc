#include "blog/social_length.h"

#include <doctest/doctest.h>

namespace pedro {

TEST_CASE("social length: characters are counted as the services count") {
  struct Row {
    const char* name;
    const char* text;
    std::size_t x;
    std::size_t graphemes;
    std::size_t characters;
  };
  for (const Row& row : std::vector<Row>{
           {"nothing", "", 0, 0, 0},
           {"ASCII", "abc", 3, 3, 3},
           {"Latin with marks", "é", 1, 1, 1},
           {"a letter and a mark of its own", "e\u0301", 1, 1, 2},
           {"a letter that NFC takes apart", "\u0958", 2, 1, 1},
           {"Japanese", "蜂蜜", 4, 2, 2},
           {"an emoji", "🐝", 2, 1, 1},
           {"a family of four", "👨‍👩‍👧‍👦!", 3, 2, 8},
           {"a skin tone", "👍🏽", 2, 1, 2},
           {"a flag", "🇩🇪🇫🇷", 4, 2, 4},
           {"a heart in colour", "❤️", 2, 1, 2},
           {"a dash and quotation marks", "–“”", 3, 3, 3},
           {"an address", "https://bees.example/a-rather-long-path/of/many/parts x", 25, 55, 55},
           {"a short address", "http://b.example", 23, 16, 16},
           {"an address ends where another script begins", "https://a.example、蜂", 27, 19, 19},
           {"an address ends before a full stop", "See https://a.example.", 28, 22, 22},
           {"an address that leads nowhere", "http://localhost/a", 18, 18, 18},
           {"a domain of later days", "pedro.tech", 23, 10, 10},
           {"a domain alone", "a.co b.com/x, c.example", 58, 23, 23},
           {"what only looks like a domain", "e.g. v1.0 end.Next @a.co", 24, 24, 24},
           {"a file is a domain where its ending is one", "main.cc", 23, 7, 7},
           {"lines", "a\r\nb", 4, 3, 4},
           {"bytes that are no text", "\xFF\xFE", 2, 2, 2},
       }) {
    CAPTURE(row.name);
    CHECK(x_length(row.text) == row.x);
    CHECK(grapheme_count(row.text) == row.graphemes);
    CHECK(character_count(row.text) == row.characters);
  }
}

TEST_CASE("social length: names the text that is too long") {
  const auto problems = [](const std::string& text) {
    return social_problems({{"x", "x"}, {"bluesky", text}, {"linkedin", "l"}});
  };
  std::string families;
  for (int i = 0; i < 119; ++i) families += "👨‍👩‍👧‍👦";  // 25 bytes each
  CHECK(problems(families).empty());
  families += "👨‍👩‍👧‍👦👨‍👩‍👧‍👦";
  CHECK(problems(families) == std::vector<std::string>{"bluesky: 3025 bytes, 3000 are allowed"});
  CHECK(problems(std::string(301, 'b')) ==
        std::vector<std::string>{"bluesky: 301 characters, 300 are allowed"});
  const auto in_linkedin = [](std::size_t characters) {
    return social_problems(
        {{"x", "x"}, {"bluesky", "b"}, {"linkedin", std::string(characters, 'l')}});
  };
  CHECK(in_linkedin(3000).empty());
  CHECK(in_linkedin(3001) ==
        std::vector<std::string>{"linkedin: 3001 characters, 3000 are allowed"});
}

}  // namespace pedro
