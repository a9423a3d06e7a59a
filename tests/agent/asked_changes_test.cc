#include "agent/asked_changes.h"

#include <doctest/doctest.h>

using namespace pedro;

TEST_CASE("asked changes: moves that the task asks for") {
  const std::string task = "Move the sources from src to lib, and utils.py to core/utils.py.";
  const Moves moves(task, {"src/sum.js", "utils.py", "a/b.js"},
                    {"lib/sum.js", "core/utils.py", "c/b.js"});
  CHECK(moves.other_path("src/sum.js") == "lib/sum.js");
  CHECK(moves.other_path("lib/sum.js") == "src/sum.js");
  CHECK(moves.other_path("core/utils.py") == "utils.py");
  CHECK(moves.other_path("a/b.js").empty());
  CHECK(moves.unified("require('../src/sum')") == moves.unified("require('../lib/sum')"));
  CHECK(moves.unified("from utils import a") == moves.unified("from core.utils import a"));
  CHECK(moves.unified("sum(1, 2), 3") != moves.unified("sum(1, 2), 4"));
  CHECK(moves.unified("library") == "library");
  CHECK(Moves("Fix sum.", {"src/sum.js"}, {"lib/sum.js"}).empty());
  const Moves back("Move core/utils.py to utils.py", {"core/utils.py"}, {"utils.py"});
  CHECK(back.unified("import core.utils") == back.unified("import utils"));
  const Moves package("Rename the package util to text.", {"util/up.go", "util/up_test.go"},
                      {"text/up.go", "text/up_test.go"});
  CHECK(package.other_path("util/up_test.go") == "text/up_test.go");
  CHECK(package.unified("package util") == package.unified("package text"));
}

TEST_CASE("asked changes: new sources of a Makefile") {
  const std::string make =
      "test: t\n\t./t\nt: test.c shape.c\n\t$(CC) -o t test.c shape.c\n"
      "shape.o: shape.c shape.h\n\t$(CC) -c shape.c\n";
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string text = make;
    const std::size_t at = text.find(from);
    REQUIRE(at != text.npos);
    return text.replace(at, from.size(), to);
  };
  const auto is_made_equal = [&](const std::string& now) {
    return without_new_sources(make, now, {"volume.c"}) == make;
  };
  CHECK(is_made_equal(changed("test.c shape.c\n\t$(CC) -o t test.c shape.c",
                              "test.c shape.c volume.c\n\t$(CC) -o t test.c shape.c volume.c")));
  CHECK(is_made_equal(changed("shape.o: shape.c shape.h\n",
                              "volume.o: volume.c volume.h\n\t$(CC) -c volume.c\n"
                              "shape.o: shape.c shape.h\n")));
  CHECK_FALSE(is_made_equal(changed("t: test.c", "t: volume.c test.c")));
  CHECK_FALSE(is_made_equal(changed("-o t test.c", "-o volume.c test.c")));
  CHECK_FALSE(is_made_equal(changed("\t./t\n", "\t./t volume.c\n")));
  CHECK_FALSE(is_made_equal(changed("test.c shape.c\n\t", "test.c shape.c other.c\n\t")));
  // The new rule would take the command of the test.
  CHECK_FALSE(is_made_equal(changed("\t./t\n", "volume.o: volume.c volume.h\n\t./t\n")));
}

TEST_CASE("asked changes: versions and new local dependencies of build files") {
  const std::string cargo = "[package]\nname = \"ex\"\nversion = \"0.1.0\"\n[dependencies]\n";
  const std::set<std::string> folders = {"case", "case/src"};
  const char* const crate = "Put it into a new local crate 'case'.";
  struct Row {
    const char* path;
    std::string before;
    std::string now;
    const char* task;
    bool expected;
  };
  for (const Row& row : {
           Row{"go.mod", "module ex\n\ngo 1.20\n", "module ex\n\ngo 1.22\n",
               "Raising the language version is fine.", true},
           Row{"go.mod", "go 1.20\n", "go 1.22\n", "Use Go 1.22.", true},
           Row{"go.mod", "go 1.20\n", "go 1.22\n", "Largest(1, 2) returns 1.", false},
           Row{"go.mod", "go 1.22\n", "go 1.20\n", "Raise the version.", false},
           Row{"Cargo.toml", cargo, cargo + "case = { path = \"case\" }\n", crate, true},
           Row{"Cargo.toml", cargo, cargo + "case = { path = \"case\" }\n", "Return A.", false},
           Row{"Cargo.toml", cargo, cargo + "proptest = { path = \"case\" }\n", crate, false},
           Row{"Cargo.toml", cargo, cargo + "[patch.crates-io]\ncase = { path = \"case\" }\n",
               crate, false},
           Row{"Cargo.toml", cargo, cargo + "[lib]\ntest = false\n", crate, false},
           Row{"Cargo.toml", "members = [\"a\"]\n", "members = [\"a\", \"case\"]\n", crate, true},
           Row{"Cargo.toml", "members = [\"a\"]\n", "members = [\"case\"]\n", crate, false},
           Row{"go.mod", "module ex\n",
               "module ex\nrequire ex/case v0.0.0\n"
               "replace ex/case => ./case\n",
               crate, true},
           Row{"case/Cargo.toml", "", "[package]\nname = \"case\"\n", crate, true},
           Row{"other/Cargo.toml", "", "[package]\nname = \"case\"\n", crate, false},
           Row{"Makefile", "include a\n", "include a case\n", crate, false},
           Row{"pyproject.toml", "fail_under = 90\n", "fail_under = 95\n", "version 95", false},
       }) {
    CAPTURE(row.now);
    CHECK(only_asked_lines(row.path, row.before, row.now, row.task, folders) == row.expected);
  }
}
