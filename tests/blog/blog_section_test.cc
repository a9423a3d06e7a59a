#include "blog/blog_section.h"

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

TEST_CASE("blog section: a text states its note, or its faults are named") {
  struct Row {
    const char* note;
    const char* text;
    std::vector<std::string> faults;
  };
  for (const Row& row : std::vector<Row>{
           {"Lena sees 480 sessions waiting for one lock",
            "Lena saw 480 sessions waiting for a lock.",
            {}},
           {"Lena sees 480 sessions waiting for one lock",
            "Lena saw sessions waiting for a lock.",
            {"the number 480 is missing"}},
           {"Lena sees 480 sessions waiting for one lock",
            "Lena saw 480 sessions waiting for a lock in 3 minutes.",
            {"the number 3 is not in the material"}},
           {"then Lena sees 480 sessions waiting",
            "She saw 480 sessions waiting.",
            {"the name Lena is missing"}},
           {"without CONCURRENTLY it took a lock that blocks writes",
            "CONCURRENTLY took a lock that blocks writes.",
            {"a negation of the note is missing"}},
           {"it took a lock that blocks writes",
            "It took no lock that blocks writes.",
            {"it has a negation that the note does not have"}},
           {"nobody noticed the lock", "The lock was not noticed.", {}},
           {"the lock was cancelled",
            "The notes say that the lock was cancelled.",
            {"it is about the notes; say what the note says"}},
           {"the lock was cancelled",
            "Robust monitoring prevents customer frustration.",
            {"missing: the lock was cancelled", "most of its words are not in the note"}},
           {"ok", "", {"missing: ok"}},
       }) {
    CAPTURE(row.text);
    Material own;
    own.add({"", row.note});
    CHECK(note_faults(row.text, {row.note}, own, true) == row.faults);
  }
  Material own;
  own.add({"", "Lena sees 480 sessions"});
  CHECK(note_faults("480 Bienen.", {"Lena sees 480 sessions"}, own, false).empty());
  CHECK(note_faults("Run make.", {"```sh\nmake test\n```", "", true}, own, true).empty());
}

TEST_CASE("blog section: a sentence contradicts a note if one of them has no negation") {
  const NoteItem note{"I don't believe in rules like \"every change needs a review\""};
  CHECK(contradicts("The team believes in rules like: each change needs a review.", note));
  CHECK_FALSE(contradicts("Nobody believes in rules such as: every change needs a review.", note));
  CHECK_FALSE(contradicts("A review is a tool.", note));
  CHECK(contradicts("It never took a lock that blocks writes.", {"it took a lock, blocks writes"}));
}

TEST_CASE("blog section: the sound part of a text is used, else the note itself") {
  const NoteItem note{"staging has 40,000 rows, so nobody noticed the lock there"};
  Material own;
  own.add({"", note.text});
  const auto settled = [&](std::string_view text) {
    const NoteText one = settled_note(text, note, own, true);
    return (one.is_own ? "own: " : "note: ") + one.text;
  };
  CHECK(settled("Staging has 40,000 rows. Nobody noticed the lock there. It took 7 minutes.") ==
        "own: Staging has 40,000 rows. Nobody noticed the lock there.");
  CHECK(settled("Staging has 40,000 rows.") ==
        "note: Staging has 40,000 rows, so nobody noticed the lock there.");
  CHECK(settled("") == "note: Staging has 40,000 rows, so nobody noticed the lock there.");
  const NoteItem code{"```sh\nmake\n```", "", true};
  CHECK(settled_note("make it", code, own, true).text == code.text);
}

TEST_CASE("blog section: texts of notes are joined to paragraphs") {
  const std::vector<NoteItem> notes = {{"a", "X"}, {"b", "X"}, {"c", "X"},
                                       {"d", "X"}, {"e", "Y"}, {"```\nf\n```", "Y", true},
                                       {"g", "Y"}};
  std::vector<NoteText> texts;
  for (const NoteItem& note : notes) texts.push_back({as_sentence(note), true});
  CHECK(section_text(texts, notes) == "A. B. C.\n\nD.\n\nE.\n\n```\nf\n```\n\nG.");
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

TEST_CASE("blog section: a note as a sentence") {
  CHECK(as_sentence({""}).empty());
  CHECK(as_sentence({"it works"}) == "It works.");
  CHECK(as_sentence({"it works!"}) == "It works!");
  CHECK(as_sentence({"a <b>b</b>"}).find("\\<b") != std::string::npos);
  CHECK(as_sentence({"```\nx\n```", "", true}) == "```\nx\n```");
}
