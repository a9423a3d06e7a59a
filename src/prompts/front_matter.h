#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace pedro {

/// One `key: value` line of a front matter. The value is the rest of the line, trimmed, without
/// surrounding double quotes.
struct FrontMatterEntry {
  std::string key;
  std::string value;
  int line = 0;  ///< 1-based, in the whole file
};

/// A data file for the model: `key: value` lines between two `---` lines, then text.
struct FrontMatter {
  std::vector<FrontMatterEntry> entries;
  std::string_view body;  ///< of the text that was parsed
  int body_line = 1;      ///< where the body begins in the file
};

/// Splits `text`. A file that does not begin with a `---` line is all body. Errors (kConfig) are
/// "PLACE:LINE: …": a missing closing `---`, a line without ':', a key twice. Blank lines and
/// lines that begin with '#' are skipped. The result borrows from `text`.
Result<FrontMatter> parse_front_matter(std::string_view place, std::string_view text);

}  // namespace pedro
