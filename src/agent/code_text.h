#pragma once

#include <string>
#include <string_view>

namespace pedro {

/// Returns a source text in which blanks replace the comments, and docstrings of Python unless the
/// text reads docstrings. All offsets and line ends stay. The extension of `path` selects the form
/// of comments; unknown ones begin with "#".
std::string without_comments(std::string_view path, std::string_view text);

/// The same, with "_" for each byte of a quoted text. An expression inside a text stays, as an
/// argument: f"a{b}" becomes f"_(b)". Keeps texts of shell scripts in double quotes.
std::string without_texts(std::string_view path, std::string_view text);

}  // namespace pedro
