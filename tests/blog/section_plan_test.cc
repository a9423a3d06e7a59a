#include <doctest/doctest.h>

#include "blog/post_notes.h"

using namespace pedro;

namespace {

std::vector<NoteItem> items(std::size_t count) {
  std::vector<NoteItem> all;
  for (std::size_t i = 0; i < count; ++i) {
    all.push_back({"five words are in here", i < count / 2 ? "a" : "b", false, true});
  }
  return all;
}

Json section(const char* heading, const std::vector<int>& notes) {
  return {{"heading", heading}, {"notes", notes}};
}

Json outline(const std::vector<Json>& sections) {
  return {{"sections", sections}};
}

// Prints "Heading: 1 2; …", with note numbers from 1.
std::string shown(const std::vector<PlannedSection>& plan) {
  std::string text;
  for (const PlannedSection& one : plan) {
    text += (text.empty() ? "" : "; ") + one.heading + ":";
    for (const std::size_t note : one.notes) text += " " + std::to_string(note + 1);
  }
  return text;
}

}  // namespace

TEST_CASE("section plan: each note is in one section, whatever the model proposes") {
  struct Row {
    const char* name;
    std::size_t notes;
    Json outline;
    const char* expected;
  };
  for (const Row& row : std::vector<Row>{
           {"a sound outline", 4, outline({section("B", {3, 1}), section("A", {2, 4})}),
            "B: 3 1; A: 2 4"},
           {"a note twice", 3, outline({section("A", {1, 2}), section("B", {2, 3})}),
            "A: 1 2; B: 3"},
           {"no such note", 2, outline({section("A", {1, 9, 0, -1}), section("B", {2})}),
            "A: 1; B: 2"},
           {"a section without notes", 2, outline({section("A", {1, 2}), section("B", {1})}),
            "A: 1 2"},
           {"one in ten left out", 10,
            outline({section("A", {1, 2, 3, 4, 5}), section("B", {7, 8, 9, 10})}),
            "A: 1 2 3 4 5 6; B: 7 8 9 10"},
           {"the first left out", 10,
            outline({section("A", {2, 3, 4, 5, 6}), section("B", {7, 8, 9, 10})}),
            "A: 1 2 3 4 5 6; B: 7 8 9 10"},
           {"most left out", 4, outline({section("A", {1}), section("B", {2})}), "a: 1 2; b: 3 4"},
           {"all in one", 8, outline({section("A", {1, 2, 3, 4, 5, 6, 7, 8})}),
            "a: 1 2 3 4; b: 5 6 7 8"},
           {"nothing", 4, Json(), "a: 1 2; b: 3 4"},
           {"no notes", 0, outline({section("A", {1}), section("B", {2})}), "A:; B:"},
           {"nothing at all", 0, Json(), ""},
       }) {
    CAPTURE(row.name);
    CHECK(shown(plan_sections(items(row.notes), row.outline, 2)) == row.expected);
  }
}

TEST_CASE("section plan: runs have six notes at most, and there are as many as the words allow") {
  for (const std::size_t count :
       {std::size_t{1}, std::size_t{7}, std::size_t{40}, std::size_t{72}}) {
    CAPTURE(count);
    std::size_t seen = 0;
    for (const PlannedSection& one : plan_sections(items(count), Json(), 12)) {
      CHECK(one.notes.size() <= kMostSectionNotes);
      for (const std::size_t note : one.notes) CHECK(note == seen++);
    }
    CHECK(seen == count);
  }
  CHECK(section_count(items(20), 900) == 5);
  CHECK(section_count(items(20), 100) == 4);
  CHECK(section_count(items(0), 900) == 2);
  CHECK(section_count(items(72), 20000) == 12);
}
