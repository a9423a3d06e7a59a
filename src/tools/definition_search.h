#pragma once

#include <string>

#include "tools/language.h"
#include "tools/text_search.h"
#include "tools/tree_path.h"

namespace pedro {

/// The lines below `folder` that define `name`, in files of `language` (kUnknown: any). Files that
/// contain the word are looked through by universal-ctags; where that is not installed, or finds
/// nothing, lines that look like a definition count. "Type::member" and "module.name" look for the
/// last part, within the one before it where there is such a scope. Error: as search_text.
Result<TextMatches> find_definitions(ToolContext& context, const TreePath& folder,
                                     const std::string& name, Language language);

}  // namespace pedro
