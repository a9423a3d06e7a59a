#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tools/tool.h"

namespace pedro {

/// A definition found by universal-ctags.
struct Tag {
  std::string path;  ///< relative to the root
  std::size_t line = 0;
  std::string kind;  ///< "class", "function", "method"
  std::string name;
  std::string scope;  ///< "pedro::Glob" or "Outer.Inner"; "" at the top level
};

/// Returns false for a part of a definition, such as a parameter, an enumerator or a member of a
/// struct.
bool is_whole_definition(const Tag& tag);

enum class TagKinds { kDefinitions, kDeclarationsToo };

/// Returns the tags of `paths` (relative to the root), sorted by path and line. Returns nothing if
/// universal-ctags is missing or failed. Ignores option files, which a project could contain.
/// Errors: only kInterrupted.
Result<std::optional<std::vector<Tag>>> find_tags(ToolContext& context,
                                                  const std::vector<std::string>& paths,
                                                  TagKinds kinds);

}  // namespace pedro
