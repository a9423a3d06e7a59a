#include "skill_setup.h"

#include <fmt/format.h>

#include <algorithm>

#include "skills/skill_tool.h"

namespace pedro {
namespace {

constexpr const char* kProjectPlaces[] = {".agents/skills", ".claude/skills"};
constexpr const char* kUserPlace = ".agents/skills";

}  // namespace

SkillTable skills_of(const CommandContext& context, const LoadedConfig& config,
                     const std::string& root) {
  std::vector<SkillPlace> places;
  for (const char* name : kProjectPlaces) {
    const std::string folder = join_path(root, name);
    if (context.files.info(folder).kind == FileKind::kFolder) places.push_back({folder, root});
  }
  if (!places.empty() && !is_trusted(config, context.environment, root)) {
    print_note(context.global,
               fmt::format("pedrocli: the skills of this project are not used; if you trust them, "
                           "add '{}' to model.trusted_projects in your own configuration",
                           root));
    places.clear();
  }
  const std::string home = context.environment.get("HOME");
  if (!home.empty()) places.push_back({join_path(home, kUserPlace)});
  return find_skills(context.files, places);
}

std::vector<std::string> add_skills(const CommandContext& context, const LoadedConfig& config,
                                    const std::string& root, Registry& registry,
                                    Workflow& workflow) {
  std::vector<std::string> folders;
  SkillTable table = skills_of(context, config, root);
  for (const std::string& problem : table.problems) {
    print_note(context.global, "pedrocli: warning: skill left out: " + problem);
  }
  std::erase_if(table.skills, [](const Skill& skill) { return skill.hidden; });
  if (table.skills.empty()) return folders;
  Manifest manifest = skill_manifest(table.skills);
  const std::string name = manifest.name;
  if (!registry.add(std::move(manifest), make_skill_tool(table.skills))) {
    print_note(
        context.global,
        fmt::format("pedrocli: warning: skills are left out: there is another tool '{}'", name));
    return folders;
  }
  for (Phase& phase : workflow.phases) {
    if (!phase.tools.empty()) phase.tools.push_back(name);
  }
  for (const Skill& skill : table.skills) folders.push_back(skill.folder);
  return folders;
}

}  // namespace pedro
