#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace pedro {

/// One `key: value` line of front matter. The value is the trimmed rest of the line, without
/// surrounding double quotes.
struct FrontMatterEntry {
  std::string key;
  std::string value;
  int line = 0;  ///< line number in the file, from 1
};

/// A data file for the model: `key: value` lines between two `---` lines, followed by text.
struct FrontMatter {
  std::vector<FrontMatterEntry> entries;
  std::string_view body;  ///< a part of the parsed text
  int body_line = 1;      ///< first line of the body in the file, from 1
};

/// Splits `text`. A file that does not begin with a `---` line is all body. Skips blank lines and
/// lines that begin with '#'. Errors (kConfig), as "PLACE:LINE: …": a missing closing `---`, a line
/// without ':', a repeated key. The result borrows from `text`.
Result<FrontMatter> parse_front_matter(std::string_view place, std::string_view text);

}  // namespace pedro
