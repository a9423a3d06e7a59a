#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <vector>

#include "agent_setup.h"
#include "base/text.h"
#include "base/utf8.h"
#include "command.h"
#include "llm/model.h"
#include "skill_setup.h"
#include "skills/skill_tool.h"
#include "tools/count_of.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxShownDescription = 80;

Result<SkillTable> open_skills(CommandContext& context) {
  PEDRO_TRY(const LoadedConfig config, open_agent_project(context, ""));
  PEDRO_TRY(const std::string root, overrides_root(context, config));
  return skills_of(context, config, root);
}

Result<int> list_skills(CommandContext& context) {
  PEDRO_TRY(const SkillTable table, open_skills(context));
  for (const Skill& skill : table.skills) {
    if (context.global.json) {
      print_json({{"name", skill.name},
                  {"description", skill.description},
                  {"folder", skill.folder},
                  {"for_models", !skill.hidden}});
    } else {
      print(make_printable(fmt::format("{:<24} {}  ({})\n", skill.name,
                                       truncate_utf8(skill.description, kMaxShownDescription),
                                       skill.folder)));
    }
  }
  for (const std::string& problem : table.problems) print_note(context.global, problem);
  for (const std::string& hidden : table.hidden) print_note(context.global, hidden);
  if (table.skills.empty()) {
    print_note(context.global,
               "no skills; put folders with a SKILL.md into .agents/skills of the project or "
               "~/.agents/skills, see docs/guide/skills.md");
  }
  return kExitDone;
}

Result<Skill> find_skill(CommandContext& context, const std::string& name) {
  PEDRO_TRY(const SkillTable table, open_skills(context));
  if (const Skill* skill = table.find(name)) return *skill;
  return usage_error(fmt::format("there is no skill '{}'{}; there are: {}",
                                 one_line(truncate_utf8(name, kMaxShownDescription)),
                                 did_you_mean(name, table.names()),
                                 table.skills.empty() ? "none" : join(table.names(), ", ")));
}

Result<int> show_skill(CommandContext& context, const std::string& name, const std::string& file) {
  PEDRO_TRY(const Skill skill, find_skill(context, name));
  if (!file.empty()) {
    PEDRO_TRY(const std::string text, read_skill_file(skill, file));
    print(make_printable(text));
    return kExitDone;
  }
  PEDRO_TRY(const SkillText parts, read_skill(skill));
  const std::vector<std::string> files = files_of(skill);
  const std::string text = skill_instructions(skill, parts.body, files);
  const long long tokens = static_cast<long long>(text.size()) / kBytesPerToken + 1;
  if (context.global.json) {
    print_json({{"name", skill.name},
                {"description", skill.description},
                {"folder", skill.folder},
                {"body", parts.body},
                {"files", files},
                {"tokens_about", tokens}});
    return kExitDone;
  }
  print(make_printable(text));
  print_note(context.global, fmt::format("{}{} tokens", kAbout, tokens));
  return kExitDone;
}

// Reports the deviations of a skill. Returns true if there are none.
bool check_skill(const Skill& skill) {
  for (const std::string& one : skill.deviations) {
    print(make_printable(fmt::format("{}: {}\n", join_path(skill.folder, kSkillFile), one)));
  }
  return skill.deviations.empty();
}

Result<SkillTable> skills_to_check(CommandContext& context,
                                   const std::vector<std::string>& folders) {
  if (folders.empty()) return open_skills(context);
  SkillTable all;
  for (const std::string& given : folders) {
    PEDRO_TRY(const std::string folder, context.files.canonical(given));
    const SkillTable found = find_skills(context.files, {{folder}});
    all.skills.insert(all.skills.end(), found.skills.begin(), found.skills.end());
    all.problems.insert(all.problems.end(), found.problems.begin(), found.problems.end());
  }
  return all;
}

Result<int> check_skills(CommandContext& context, const std::vector<std::string>& folders) {
  PEDRO_TRY(const SkillTable table, skills_to_check(context, folders));
  std::size_t good = 0;
  for (const Skill& skill : table.skills) good += check_skill(skill) ? 1 : 0;
  for (const std::string& problem : table.problems) print(make_printable(problem) + "\n");
  const std::size_t all = table.skills.size() + table.problems.size();
  print_note(context.global, fmt::format("{} of {} as specified", good, count_of(all, "skill")));
  return good == all ? static_cast<int>(kExitDone) : static_cast<int>(kExitNo);
}

CommandFunction add_skills_list(CLI::App&) {
  return running(list_skills);
}

CommandFunction add_skills_show(CLI::App& command) {
  auto name = std::make_shared<std::string>();
  auto file = std::make_shared<std::string>();
  command.add_option("name", *name, "The skill")->required();
  command.add_option("file", *file, "Another file of it");
  return [name, file](CommandContext& context) {
    return exit_code(show_skill(context, *name, *file), context.cancel);
  };
}

CommandFunction add_skills_check(CLI::App& command) {
  auto folders = std::make_shared<std::vector<std::string>>();
  command.add_option("folder", *folders, "Skills, or folders of skills; without it, all");
  return running(check_skills, folders);
}

}  // namespace

CommandFunction add_skills_command(CLI::App& command) {
  static constexpr CommandEntry kCommands[] = {
      {"list", "List the skills that agents may read", add_skills_list},
      {"show", "Print a skill as a model gets it", add_skills_show},
      {"check", "Check skills against the specification", add_skills_check},
  };
  return add_commands_below(command, kCommands);
}

}  // namespace pedro
