#pragma once

#include <set>
#include <string>
#include <string_view>

namespace pedro {

/// Returns true for a program whose `main` or other functions compare the results of calls: a test
/// without a runner. Its file may have any name, and may contain the tested functions too. Finds
/// those in C, C++, Java, Go and Rust.
///
///     is_test_program("t.c", "int main(void) { ...  assert(sum(a, 2) == 3); ... }")
bool is_test_program(std::string_view path, std::string_view text);

/// Returns true if a changed test program still has the same tests. These are `main`, each function
/// with assertions, and all lines outside of functions. Adding system headers and prototypes is no
/// change. O(bytes).
bool keeps_test_program(std::string_view path, std::string_view before, std::string_view now);

/// The kinds of tests inside sources that the checks run.
enum class InlineTests { kAll, kWithoutExamples };

/// Returns true if each test inside a source file (see test_blocks()) is still there. False if
/// added names that a test uses, or statements about its class, could change its meaning. Further
/// tests may be added. True for files without tests. The tests cannot be exchanged for those of the
/// base without the source around them.
bool keeps_inline_tests(std::string_view path, std::string_view before, std::string_view now,
                        InlineTests tests = InlineTests::kAll);

/// Returns true if a changed build file only lists further sources, or adds calls for new targets.
/// Knows Makefiles, CMakeLists.txt and meson.build. `sources` are the paths of new source files.
/// Recipes and tests of the base stay as they are.
///
///     only_adds_sources("Makefile", "OBJS = a.o\n", "OBJS = a.o b.o\n", {"b.c"})  // true
bool only_adds_sources(std::string_view path, std::string_view before, std::string_view now,
                       const std::set<std::string>& sources);

}  // namespace pedro
