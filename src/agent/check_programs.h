#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

namespace pedro {

/// The names by which programs load others: file names, names without extension, and folders.
using SourceNames = std::set<std::string, std::less<>>;

/// Returns the names of the programs among `paths`, and of the crate in the text of a Cargo.toml.
///
///     source_names({"lib/slug.js", "a.txt"}, "")  // {"lib", "slug", "slug.js"}
SourceNames source_names(const std::set<std::string>& paths, std::string_view cargo);

/// Returns true if a program loads or starts some of `sources`, and has assertions about their
/// results. With `decides`, its exit code is the result of a check. Then expected values and an
/// exit with a failure suffice, unless it reads arguments or input.
///
///     tests_sources("audit.py", "from slug import slug\nassert slug('A b') == 'a-b'\n",
///                   {"slug"}, false)  // true
bool tests_sources(std::string_view path, std::string_view text, const SourceNames& sources,
                   bool decides);

/// Returns true if an import of a program names `name` as a whole word.
bool imports_name(std::string_view path, std::string_view text, std::string_view name);

/// Returns true if a program has the words of tests: assertions, or functions that a runner calls.
bool has_test_words(std::string_view text);

}  // namespace pedro
