#pragma once

#include <cstddef>
#include <string>

#include "tools/tool.h"

namespace pedro {

/// The definition whose uses are wanted.
struct ReferenceSearch {
  std::string name;      ///< as in find_definitions()
  std::string path;      ///< chooses one of several definitions, or a use of it; "": any
  std::size_t line = 0;  ///< in `path`; 0: any
};

/// Returns the definitions and uses of a name, for the model: those in sources before those in
/// tests, at most 100. Asks the finder of the context, which reads at most 64 files with the name.
/// Without an answer, and in files that it has not read, lists the lines that have the name outside
/// of comments and quoted texts. The text says who answered. Errors: kRefused for an invalid name
/// or a place without it; those of search_text().
Result<std::string> find_references(ToolContext& context, const ReferenceSearch& search);

}  // namespace pedro
