#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tools/tool.h"

namespace pedro {

/// A definition that universal-ctags found.
struct Tag {
  std::string path;  ///< as the model sees it
  std::size_t line = 0;
  std::string kind;  ///< "class", "function", "method"
  std::string name;
  std::string scope;  ///< "pedro::Glob" or "Outer.Inner"; "" at the top
};

enum class TagKinds { kDefinitions, kDeclarationsToo };

/// The tags of `paths` (files, as the model sees them), by path and line; none at all where
/// universal-ctags is not installed or did not end well. No options are read from files: a project
/// could bring some. Error: kInterrupted.
Result<std::optional<std::vector<Tag>>> find_tags(ToolContext& context,
                                                  const std::vector<std::string>& paths,
                                                  TagKinds kinds);

}  // namespace pedro
