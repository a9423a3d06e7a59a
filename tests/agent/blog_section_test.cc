#include "agent/blog_section.h"

#include <doctest/doctest.h>

using namespace pedro;

namespace {

const char* const kNotes =
    "- Lena sees 480 sessions waiting for one lock\n"
    "- the migration is cancelled at 9:52\n"
    "- staging has 40,000 rows, so nobody noticed the lock there\n";

Material material() {
  Material notes;
  notes.add({"notes", kNotes});
  return notes;
}

}  // namespace

TEST_CASE("blog section: a note is said by its numbers and its words") {
  struct Row {
    const char* note;
    const char* text;
    bool by_words;
    bool expected;
  };
  for (const Row& row : std::vector<Row>{
           {"Lena sees 480 sessions waiting for one lock", "Lena saw 480 waiting sessions.", true,
            true},
           {"Lena sees 480 sessions waiting for one lock", "Lena saw waiting sessions.", true,
            false},
           {"Lena sees 480 sessions waiting for one lock", "480 bees.", true, false},
           {"Lena sees 480 sessions waiting for one lock", "480 Bienen.", false, true},
           {"ok", "Anything.", true, true},
           {"ok", "", true, false},
       }) {
    CAPTURE(row.text);
    CHECK(says_note(row.text, {row.note}, row.by_words) == row.expected);
  }
  const NoteItem code{"```sh\n\nmake test\n```", "", true};
  CHECK(says_note("Run\n```\nmake test\n```", code, true));
  CHECK_FALSE(says_note("Run make, then test.", code, true));
}

TEST_CASE("blog section: sentences that the material does not support are left out") {
  struct Row {
    const char* name;
    const char* text;
    const char* expected;
  };
  for (const Row& row : std::vector<Row>{
           {"sound", "Lena sees 480 sessions.", "Lena sees 480 sessions."},
           {"another number", "Lena sees 480 sessions. It took 7 minutes.",
            "Lena sees 480 sessions."},
           {"an invention without numbers",
            "Lena sees 480 sessions. Robust monitoring prevents future customer frustration.",
            "Lena sees 480 sessions."},
           {"a few words", "Lena sees 480 sessions. That was it.",
            "Lena sees 480 sessions. That was it."},
           {"a quotation", "Lena sees 480 sessions. She said \"that is not so good\".",
            "Lena sees 480 sessions."},
           {"said twice", "The migration is cancelled. The migration is cancelled.",
            "The migration is cancelled."},
           {"no full stop", "Lena sees it. Staging has", "Lena sees it. Staging has"},
           {"nothing sound", "It took 7 minutes.", ""},
           {"about the notes",
            "The notes say that Lena sees 480 sessions. Staging has 40,000 rows.",
            "Staging has 40,000 rows."},
           {"about the section", "In this section Lena sees 480 sessions.", ""},
       }) {
    CAPTURE(row.name);
    CHECK(supported_part(row.text, material(), true) == row.expected);
  }
  std::string endless = "Lena sees";
  while (endless.size() < 1000) endless += " 480 sessions, the lock";
  CHECK(supported_part(endless + ". Staging has", material(), true) == endless + ".");
  CHECK(supported_part("Robust monitoring prevents customer frustration.", material(), false) ==
        "Robust monitoring prevents customer frustration.");
}

TEST_CASE("blog section: a text about notes may speak of them") {
  Material notes;
  notes.add({"", "The notes of the choir are lost"});
  CHECK(supported_part("The notes of the choir are lost.", notes, true) != "");
}

TEST_CASE("blog section: a line that a bound has cut loses its last sentence") {
  const std::string whole = "Lena sees " + std::string(200, 'x') + ".";
  CHECK(without_cut_end(whole + " Then the") == whole);
  CHECK(without_cut_end(whole) == whole);
  CHECK(without_cut_end(std::string(300, 'x')).empty());
  CHECK(without_cut_end("A short line") == "A short line");
  CHECK(without_cut_end("").empty());
}

TEST_CASE("blog section: a text of which nothing is sound is none, and a note is a sentence") {
  const std::vector<NoteItem> notes = note_items(kNotes);
  CHECK(settled_text("It took 7 minutes.", notes, material(), true).empty());
  CHECK(settled_text("Lena sees <b>480</b> sessions.", notes, material(), true).empty());
  CHECK(settled_text("Lena sees 480 sessions.", notes, material(), true) ==
        "Lena sees 480 sessions.");
  CHECK(settled_text("It took 7 minutes.", {}, material(), true) == "It took 7 minutes.");
  CHECK(as_sentence({""}).empty());
  CHECK(as_sentence({"it works"}) == "It works.");
  CHECK(as_sentence({"it works!"}) == "It works!");
  CHECK(as_sentence({"a <b>b</b>"}).find("\\<b") != std::string::npos);
  CHECK(as_sentence({"```\nx\n```", "", true}) == "```\nx\n```");
}

TEST_CASE("blog section: a note takes the place of what was said of it, or follows its neighbour") {
  const std::vector<NoteItem> notes = note_items(kNotes);
  struct Row {
    const char* name;
    const char* text;
    std::size_t at;
    const char* expected;
  };
  for (const Row& row : std::vector<Row>{
           {"no text", "", 1, "NEW."},
           {"in place", "Lena sees sessions. The migration is cancelled at 9:52.", 0,
            "NEW. The migration is cancelled at 9:52."},
           {"after its neighbour",
            "Lena sees 480 sessions waiting for a lock. Staging has 40,000 rows.", 1,
            "Lena sees 480 sessions waiting for a lock. NEW. Staging has 40,000 rows."},
           {"first", "The migration is cancelled at 9:52.", 0,
            "NEW. The migration is cancelled at 9:52."},
       }) {
    CAPTURE(row.name);
    CHECK(with_note(row.text, "NEW.", notes, row.at, true) == row.expected);
  }
  const std::vector<NoteItem> code = {{"Run this"}, {"```sh\nmake\n```", "", true}};
  CHECK(with_note("Run this. Then wait.", code[1].text, code, 1, true) ==
        "Run this.\n\n```sh\nmake\n```\n\nThen wait.");
}
