#include <doctest/doctest.h>

#include "agent/word_index.h"
#include "blog/post_notes.h"

using namespace pedro;

namespace {

using Texts = std::vector<std::string>;

// Prints each item as "TOPIC: TEXT".
Texts items_in(const std::string& notes) {
  Texts texts;
  for (const NoteItem& item : note_items(notes)) {
    texts.push_back((item.topic.empty() ? "" : item.topic + ": ") + item.text);
  }
  return texts;
}

}  // namespace

TEST_CASE("note items: bullets, sentences and code are items, headings are their topics") {
  struct Row {
    const char* name;
    const char* notes;
    Texts expected;
  };
  for (const Row& row : std::vector<Row>{
           {"nothing", "", {}},
           {"one word", "bees", {"bees"}},
           {"bullets", "- one\n- two\n", {"one", "two"}},
           {"a heading",
            "# Title\n\nx\n\n# Roof\n\nIt leaks.\n\n## Lift\n- late",
            {"x", "Roof: It leaks.", "Lift: late"}},
           {"a line above a list",
            "Roof\n- leaks\n- late\n\nThe end.",
            {"Roof: leaks", "Roof: late", "The end."}},
           {"a bullet above bullets",
            "* Roof:\n  - leaks\n  - late\n* Lift is fine\n",
            {"Roof: leaks", "Roof: late", "Lift is fine"}},
           {"short sentences join",
            "It rained. We stayed in the house and played cards. Fun.",
            {"It rained. We stayed in the house and played cards. Fun."}},
           {"long sentences do not",
            "We took the slow train to the coast. It was late because of the rain.",
            {"We took the slow train to the coast.", "It was late because of the rain."}},
           {"code stays as it is",
            "Run:\n```sh\nmake\n  test\n```",
            {"Run: ```sh\nmake\n  test\n```"}},
       }) {
    CAPTURE(row.name);
    CHECK(items_in(row.notes) == row.expected);
  }
}

TEST_CASE("note items: a dictation is cut at the start of a thought") {
  std::string speech;
  for (int i = 0; i < 12; ++i) speech += "we went up the long hill in the rain and then ";
  const std::vector<NoteItem> items = note_items(speech);
  REQUIRE(items.size() > 2);
  for (std::size_t i = 0; i < items.size(); ++i) {
    CAPTURE(items[i].text);
    CHECK(word_count(items[i].text) <= 45);
    if (i > 0) CHECK(items[i].text.find_first_of("at") == 0);  // "and" or "then"
    CHECK(items[i].begins_block == (i == 0));
  }
}

TEST_CASE("note items: nothing of hostile notes is lost, and no item is endless") {
  for (const char* piece : {"x", "x ", "- x\n", "\xFF", "蜂", "```\n", "# x\n\n", "x. ", "|x|\n"}) {
    CAPTURE(piece);
    std::string notes;
    while (notes.size() < 300'000) notes += piece;
    std::size_t bytes = 0;
    for (const NoteItem& item : note_items(notes)) {
      REQUIRE(item.text.size() <= 2000);
      bytes += item.text.size();
    }
    if (std::string(piece) == "x") CHECK(bytes == notes.size());
  }
}

TEST_CASE("note items: a list shows topics once, and numbers on request") {
  const std::vector<NoteItem> items = note_items("a day of rain\n\nRoof\n- leaks\n- late\n");
  CHECK(list_items(items, true) == "[1] a day of rain\n\nRoof:\n[2] leaks\n[3] late");
  CHECK(list_items(items, false) == "- a day of rain\n\nRoof:\n- leaks\n- late");
  CHECK(list_items({}, true).empty());
}

TEST_CASE("word index: words are compared by their stems, without common ones") {
  WordIndex notes;
  notes.add("The migration locked a table, and tests were running.");
  CHECK(notes.share_of("Migrations lock tables; a test runs") == 1);
  CHECK(notes.share_of("the of and 12") == 1);
  CHECK(notes.share_of("Children play football") == 0);
  CHECK(notes.share_of("A migration plays") == 0.5);
}

TEST_CASE("word index: a translation has other short words") {
  WordIndex notes;
  notes.add("We put it on the table at ten, and he is in the garden to see if it can do.");
  CHECK(notes.shares_language("It is on the table, and he is in it to see the end of it."));
  CHECK_FALSE(notes.shares_language("Es ist auf dem Tisch, und er ist im Hof, um zu es zu tun."));
  CHECK_FALSE(notes.shares_language("It is on it."));  // too short to detect the language
}
