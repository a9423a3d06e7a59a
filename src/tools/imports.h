#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "tools/language.h"

namespace pedro {

/// An import statement of a source file.
struct Import {
  std::size_t line = 0;  ///< line where the statement begins, from 1
  std::string text;      ///< the statement, joined to one line
  bool operator==(const Import&) const = default;
};

/// Returns the imports of a source text, found line by line: `#include`, `import`, `from`, `use`,
/// `mod`, `require`. Joins statements of several lines (at most 100); a Go block yields one import
/// per path. For an unknown language, accepts any line that starts like one of these.
std::vector<Import> find_imports(Language language, std::string_view text);

}  // namespace pedro
