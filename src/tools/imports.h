#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "tools/language.h"

namespace pedro {

/// What a source file takes in from elsewhere.
struct Import {
  std::size_t line = 0;  ///< where the statement begins
  std::string text;      ///< the statement on one line
  bool operator==(const Import&) const = default;
};

/// The imports of a source text, found line by line: `#include`, `import`, `from`, `use`, `mod`,
/// `require`. A statement over several lines becomes one (at most 100 lines), a Go block one per
/// path. Of an unknown language every line is taken that begins like one of these.
std::vector<Import> find_imports(Language language, std::string_view text);

}  // namespace pedro
