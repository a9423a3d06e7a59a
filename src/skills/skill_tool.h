#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "skills/skill.h"
#include "tools/manifest.h"
#include "tools/tool.h"

namespace pedro {

/// The limit of names and descriptions in the prompt: about 1,000 tokens.
inline constexpr std::size_t kMaxCatalogueBytes = 3000;

/// Returns a line "- NAME: DESCRIPTION" for each skill. Shortens all descriptions to the same
/// length if they are too long together. Leaves them out if that leaves under 20 bytes for each.
std::string skill_catalogue(std::span<const Skill> skills,
                            std::size_t max_bytes = kMaxCatalogueBytes);

/// Returns the manifest of the tool `skill`, with the names as the only values of `name`. Requires
/// a skill.
Manifest skill_manifest(std::span<const Skill> skills);

/// Returns the tool that reads these skills. Instructions are pinned in the conversation.
std::unique_ptr<Tool> make_skill_tool(std::span<const Skill> skills);

/// Returns the text that a model gets for `skill read`. `body` is that of SKILL.md; `files` has the
/// paths of the other files, relative to the skill's folder.
std::string skill_instructions(const Skill& skill, std::string_view body,
                               const std::vector<std::string>& files);

}  // namespace pedro
