#include <doctest/doctest.h>

#include "agent/kept_tests.h"

using namespace pedro;

namespace {

constexpr const char* kMake = "OBJS = a.o\n\ntest: t\n\t./t\n\nt: t.o $(OBJS)\n";
constexpr const char* kCMake =
    "enable_testing()\nadd_library(m a.c)\nadd_executable(t t.c)\nadd_test(NAME a COMMAND t)\n";
constexpr const char* kMeson = "m = library('m', 'a.c')\ntest('a', t)\n";

std::string changed(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != text.npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("source lists: a build file that only lists new sources") {
  struct Row {
    const char* path;
    const char* before;
    const char* from;
    const char* to;
    bool expected;
  };
  for (const Row& row : {
           Row{"Makefile", kMake, "a.o\n", "a.o b.o\n", true},
           Row{"Makefile", kMake, "a.o\n", "a.o src/b.o\nb.o: b.c b.h\n", true},
           Row{"Makefile", kMake, "a.o\n", "a.o \\\n\tb.o\n", true},
           Row{"CMakeLists.txt", kCMake, "a.c)", "a.c b.c)", true},
           Row{"CMakeLists.txt", kCMake, "a.c)", "a.c\n  b.c)", true},
           Row{"CMakeLists.txt", kCMake, "COMMAND t)",
               "COMMAND t)\nadd_executable(u u.c)\nadd_test(NAME b COMMAND u)", true},
           Row{"meson.build", kMeson, "'a.c'", "'a.c', 'b.c'", true},
           Row{"CMakeLists.txt", "# parts (of m\nadd_library(m a.c)\nadd_test(NAME a COMMAND t)\n",
               "a.c)", "a.c b.c)", true},
           Row{"Makefile", kMake, "a.o\n", "a.o x.o\n", false},
           Row{"Makefile", kMake, "\t./t", "\t./t b.c", false},
           Row{"Makefile", kMake, "test: t", "test:\nb.o: t", false},
           Row{"Makefile", kMake, "test: t", "test: t \\", false},
           Row{"Makefile", kMake, "test: t\n", "test: t \\\n b.o \\\n", false},
           Row{"Makefile", kMake, "OBJS", "CC = true\nOBJS", false},
           Row{"Makefile", kMake, "\t./t\n", "", false},
           Row{"CMakeLists.txt", kCMake, "COMMAND t", "COMMAND true", false},
           Row{"CMakeLists.txt", kCMake, "t.c", "b.c", false},
           Row{"CMakeLists.txt", kCMake, "COMMAND t)", "COMMAND t)\nadd_test(NAME a COMMAND true)",
               false},
           Row{"CMakeLists.txt", kCMake, "COMMAND t)",
               "COMMAND t)\nset_tests_properties(a PROPERTIES WILL_FAIL 1)", false},
           Row{"CMakeLists.txt", kCMake, "COMMAND t)",
               "COMMAND t)\nadd_library(b b.c) #(\nset_property(TARGET t)\n#)", false},
           Row{"CMakeLists.txt", kCMake, "COMMAND t)",
               "COMMAND t)\nadd_library(b b.c \"(\"\nset_property(TARGET t \")\")", false},
           Row{"Makefile", kMake, "a.o\n", "a.o @opts/b.c\n", false},
           Row{"Makefile", kMake, "a.o\n", "a.o -includeevil/b.h\n", false},
           Row{"meson.build", kMeson, "t)", "t, should_fail: true)", false},
           Row{"package.json", "{}", "{}", "{\"b.c\"}", false},
       }) {
    CAPTURE(row.to);
    const std::string now = changed(row.before, row.from, row.to);
    CHECK(only_adds_sources(row.path, row.before, now, {"b.c", "b.h"}) == row.expected);
  }
  CHECK(only_adds_sources("Makefile", "A = a.o \\\n\tc.o\n", "A = a.o \\\n\tb.o \\\n\tc.o\n",
                          {"b.c"}));
}
