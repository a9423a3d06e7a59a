#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "skills/skill.h"
#include "sys/file_system.h"

namespace pedro {

/// A folder of skills.
struct SkillPlace {
  std::string folder;  ///< for example "/project/.agents/skills"; may be missing
  std::string confined =
      {};  ///< its skills must be below this folder, links resolved; "": anywhere
};

/// The skills of some places. A skill of an earlier place hides one of the same name.
///
///     const SkillTable table = find_skills(files, {{root + "/.agents/skills", root}});
///     for (const Skill& skill : table.skills) show(skill.name, skill.description);
struct SkillTable {
  std::vector<Skill> skills;          ///< sorted by name
  std::vector<std::string> problems;  ///< "PATH: REASON" of those that are left out
  std::vector<std::string> hidden;    ///< the same of those that one of the same name hides

  const Skill* find(std::string_view name) const;
  std::vector<std::string> names() const;
};

/// Finds folders with a SKILL.md: each place itself, or folders at most 3 levels below it. Reads at
/// most 500 folders and 64 skills.
SkillTable find_skills(const FileSystem& files, const std::vector<SkillPlace>& places);

/// Returns the text of a skill. Errors: those of the disk; kConfig, see parse_skill().
Result<SkillText> read_skill(const Skill& skill);

/// Returns a file in the folder of a skill. `path` is relative to it. Error (kRefused): the path
/// leads outside, or is no text file of at most 256 KiB.
Result<std::string> read_skill_file(const Skill& skill, const std::string& path);

/// Returns the paths of a skill's other files, at most 50, sorted.
std::vector<std::string> files_of(const Skill& skill);

}  // namespace pedro
