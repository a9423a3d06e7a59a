#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace pedro {

/// An Agent Skill (https://agentskills.io/specification): a folder with a file SKILL.md, which has
/// instructions for a kind of task. A model sees name and description, and reads the rest if a task
/// fits.
///
///     PEDRO_TRY(const SkillText text, parse_skill(folder, bytes));
///     use(text.skill.name, text.body);
struct Skill {
  std::string name;         ///< of the front matter, else of the folder; one printable line
  std::string description;  ///< one printable line, not empty
  std::string folder;       ///< absolute
  bool hidden = false;      ///< only users may choose it: `disable-model-invocation`
  std::vector<std::string> deviations;  ///< from the specification, for its author
};

/// The name of the file of each skill.
inline constexpr const char* kSkillFile = "SKILL.md";
inline constexpr std::uint64_t kMaxSkillFileBytes = 256u << 10;

/// A skill with its instructions.
struct SkillText {
  Skill skill;
  std::string body;  ///< Markdown, without blank lines at its ends
};

/// Parses the bytes of a SKILL.md in `folder`. Deviations that leave it usable do not fail: another
/// name than the folder's, lengths, unknown keys, unquoted colons in values. Errors (kConfig), with
/// the line: no front matter, no YAML, no description, not UTF-8.
Result<SkillText> parse_skill(const std::string& folder, std::string_view bytes);

}  // namespace pedro
