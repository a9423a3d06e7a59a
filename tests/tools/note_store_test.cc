#include "tools/note_store.h"

#include <doctest/doctest.h>

namespace pedro {

using Ids = std::vector<std::string>;

TEST_CASE("note store: keeps outputs and notes, in the order they came") {
  FakeFileSystem files;
  NoteStore notes(files, "/job/notes");
  CHECK(notes.ids().empty());
  CHECK(!files.folders.contains("/job/notes"));
  CHECK(notes.spill("first").value() == "out-1");
  CHECK(notes.note("plan", "1. look").ok());
  CHECK(notes.spill("second").value() == "out-2");
  CHECK(notes.note("plan", "2. fix").ok());
  CHECK(notes.ids() == Ids{"out-1", "plan", "out-2"});
  CHECK(notes.recall("out-1").value() == "first");
  CHECK(notes.recall("plan").value() == "2. fix");
}

TEST_CASE("note store: an unknown name lists the known ones") {
  FakeFileSystem files;
  NoteStore notes(files, "/job/notes");
  CHECK(notes.recall("plan").error().message == "there is no 'plan': nothing was kept yet");
  REQUIRE(notes.note("plan", "x").ok());
  REQUIRE(notes.spill("x").ok());
  CHECK(notes.recall("plam").error().message ==
        "there is no 'plam' (did you mean 'plan'?); there is: plan, out-1");
  CHECK(notes.recall("../../secret").error().message ==
        "there is no '../../secret'; there is: plan, out-1");
  CHECK(notes.recall("x").error().kind == ErrorKind::kRefused);
}

TEST_CASE("note store: a name is a plain word") {
  FakeFileSystem files;
  NoteStore notes(files, "/job/notes");
  for (const char* name : {"", "a b", "../x", "a.b", "ü", "a\n"}) {
    CAPTURE(name);
    const Status kept = notes.note(name, "x");
    REQUIRE(!kept.ok());
    CHECK(kept.error().kind == ErrorKind::kRefused);
    CHECK(kept.error().message ==
          "'" + std::string(name) + "' is not a note's name: 1 to 64 letters, digits, '_' or '-'");
  }
  CHECK(notes.note(std::string(64, 'a'), "x").ok());
  CHECK(!notes.note(std::string(65, 'a'), "x").ok());
  CHECK(notes.note("out-7", "x").error().message ==
        "'out-7': names that begin with 'out-' are reserved for outputs");
  CHECK(files.files.size() == 1);
}

TEST_CASE("note store: an output that could not be written has no id") {
  FakeFileSystem files;
  NoteStore notes(files, "/job/notes");
  files.fail_writes_with = "No space left on device";
  CHECK(!notes.spill("x").ok());
  CHECK(notes.ids().empty());
  files.fail_writes_with = "";
  CHECK(notes.spill("x").value() == "out-1");
}

TEST_CASE("note store: an earlier process's notes are restored unchanged") {
  FakeFileSystem files;
  NoteStore before(files, "/job/notes");
  REQUIRE(before.note("plan", "first").ok());
  REQUIRE(before.spill("long").ok());
  const std::vector<NoteStore::Kept> kept = before.take_new();
  CHECK(before.take_new().empty());
  REQUIRE(before.note("plan", "later").ok());
  REQUIRE(before.spill("never to be seen").ok());

  NoteStore after(files, "/job/notes");
  for (const NoteStore::Kept& one : kept) REQUIRE(after.restore(one).ok());
  CHECK(after.ids() == std::vector<std::string>{"plan", "out-1"});
  CHECK(after.recall("plan").value() == "first");
  CHECK(after.recall("out-1").value() == "long");
  CHECK(after.spill("next").value() == "out-2");
  CHECK_FALSE(after.restore({"out-x", ""}).ok());
}

}  // namespace pedro
