#include "skills/skill_tool.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/embedded_file.h"
#include "base/json.h"
#include "base/text.h"
#include "base/utf8.h"
#include "skills/skill_table.h"
#include "tools/action_table.h"

namespace pedro {

extern const EmbeddedFile kSkillTool[];

namespace {

constexpr const char* kToolName = "skill";
constexpr std::size_t kMinDescriptionBytes = 20;

Result<std::string> instructions_of(const Skill& skill) {
  PEDRO_TRY(const SkillText text, read_skill(skill));
  return skill_instructions(skill, text.body, files_of(skill));
}

class SkillTool : public Tool {
 public:
  explicit SkillTool(std::span<const Skill> skills) : skills_(skills.begin(), skills.end()) {}

  std::string_view name() const override { return kToolName; }

  Result<ToolResult> run(const ActionManifest&, const Json& args, ToolContext&) override {
    const auto skill = std::ranges::find(skills_, text_of(args, "name"), &Skill::name);
    if (skill == skills_.end()) return refuse("there is no such skill");
    const std::string file = text_of(args, "file");
    const auto text = file.empty() ? instructions_of(*skill) : read_skill_file(*skill, file);
    if (!text) return refuse(text.error().message);
    ToolResult result{true, *text, {}};
    result.pinned = file.empty();
    return result;
  }

 private:
  std::vector<Skill> skills_;
};

std::string catalogue_line(const Skill& skill, std::size_t max_bytes) {
  std::string text(truncate_utf8(skill.description, max_bytes));
  if (text.size() < skill.description.size()) text += "…";
  return fmt::format("- {}{}{}\n", skill.name, max_bytes == 0 ? "" : ": ",
                     max_bytes == 0 ? "" : text);
}

}  // namespace

std::string skill_catalogue(std::span<const Skill> skills, std::size_t max_bytes) {
  std::size_t names = 0;
  std::vector<std::size_t> lengths;
  for (const Skill& skill : skills) {
    names += skill.name.size() + std::string_view("- : …\n").size();
    lengths.push_back(skill.description.size());
  }
  // Short descriptions leave their rest to the longer ones.
  std::ranges::sort(lengths);
  std::size_t left = max_bytes - std::min(max_bytes, names);
  std::size_t each = lengths.empty() ? 0 : lengths.back();
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    const std::size_t share = left / (lengths.size() - i);
    if (lengths[i] > share) {
      each = share < kMinDescriptionBytes ? 0 : share;
      break;
    }
    left -= lengths[i];
  }
  std::string text;
  for (const Skill& skill : skills) text += catalogue_line(skill, each);
  return text;
}

Manifest skill_manifest(std::span<const Skill> skills) {
  Json json = parse_json(kSkillTool[0].bytes).value();
  Json& action = json["actions"][0];
  Json names = Json::array();
  for (const Skill& skill : skills) names.push_back(skill.name);
  action["examples"] = Json::array({{{"action", "read"}, {"name", names[0]}}});
  action["parameters"]["name"]["enum"] = std::move(names);
  const std::string description = std::string(kSkillTool[1].bytes) + skill_catalogue(skills);
  return parse_manifest("skill_tool.json", to_line(json), description).value();
}

std::unique_ptr<Tool> make_skill_tool(std::span<const Skill> skills) {
  return std::make_unique<SkillTool>(skills);
}

std::string skill_instructions(const Skill& skill, std::string_view body,
                               const std::vector<std::string>& files) {
  std::string out =
      fmt::format("Skill {}, in the folder {}\n\n{}\n", skill.name, skill.folder, body);
  if (!files.empty()) out += fmt::format("\nOther files of this skill: {}\n", join(files, ", "));
  return out;
}

}  // namespace pedro
