#pragma once

#include <set>
#include <string>
#include <string_view>

namespace pedro {

/// Returns true if a changed build file only lists further sources, or adds calls for new targets.
/// Knows Makefiles, CMakeLists.txt and meson.build. `sources` are the paths of new source files.
/// Recipes and tests of the base stay as they are.
///
///     only_adds_sources("Makefile", "OBJS = a.o\n", "OBJS = a.o b.o\n", {"b.c"})  // true
bool only_adds_sources(std::string_view path, std::string_view before, std::string_view now,
                       const std::set<std::string>& sources);

}  // namespace pedro
