#pragma once

#include <string>
#include <string_view>

#include "tools/language.h"
#include "tools/text_search.h"
#include "tools/tree_path.h"

namespace pedro {

/// The parts of a name that a search uses: "a::b::c" is `c` in the scope `b`.
struct QualifiedName {
  std::string scope;  ///< "" if there is none
  std::string name;
};
/// Parses "c", "c()", "a::b::c" and "b.c". Error: kRefused for another text.
Result<QualifiedName> parse_name(std::string_view text);

/// Returns the lines below `folder` that define `name`, in files of `language` (kUnknown: any).
/// Searches the files that contain the word with universal-ctags. Without it, or without a result,
/// returns lines that look like a definition. For "Type::member" and "module.name", searches the
/// last part in the scope of the part before it, if there is such a scope. Errors: kRefused for an
/// invalid name; those of search_text().
Result<TextMatches> find_definitions(ToolContext& context, const TreePath& folder,
                                     const std::string& name, Language language);

}  // namespace pedro
