#include "skills/skill_tool.h"

#include "skills/skill_table.h"
#include "tools/command_bench.h"

namespace pedro {
namespace {

std::vector<Skill> skills_with(const std::vector<std::size_t>& lengths) {
  std::vector<Skill> skills;
  for (const std::size_t length : lengths) {
    Skill skill;
    skill.name = "s" + std::to_string(skills.size());
    skill.description = std::string(length, 'd');
    skills.push_back(std::move(skill));
  }
  return skills;
}

}  // namespace

TEST_CASE("skill tool: the catalogue has a line for each skill and keeps its limit") {
  CHECK(skill_catalogue(skills_with({3, 4}), 100) == "- s0: ddd\n- s1: dddd\n");
  // The short one leaves its rest to the long ones.
  const std::string shared = skill_catalogue(skills_with({5, 500, 500}), 200);
  CHECK(shared.size() <= 200);
  CHECK(shared.size() > 190);
  CHECK(shared.starts_with("- s0: ddddd\n- s1: dddd"));
  CHECK(shared.find("…\n- s2: ddd") != std::string::npos);
  // Names only, if too little is left for each.
  const std::string names = skill_catalogue(skills_with(std::vector<std::size_t>(20, 500)), 500);
  CHECK(names.starts_with("- s0\n- s1\n"));
  CHECK(skill_catalogue(skills_with(std::vector<std::size_t>(64, 1024))).size() <=
        kMaxCatalogueBytes);
}

TEST_CASE("skill tool: the manifest takes the names of skills only") {
  const Manifest manifest = skill_manifest(skills_with({3, 4}));
  CHECK(manifest.name == "skill");
  CHECK(manifest.description.ends_with("The skills:\n- s0: ddd\n- s1: dddd"));
  CHECK(check_args(manifest, {{"action", "read"}, {"name", "s1"}}).problem.empty());
  CHECK(
      check_args(manifest, {{"action", "read"}, {"name", "s0"}, {"file", "a.md"}}).problem.empty());
  CHECK_FALSE(check_args(manifest, {{"action", "read"}, {"name", "s2"}}).problem.empty());
  CHECK_FALSE(check_args(manifest, {{"action", "read"}}).problem.empty());
}

TEST_CASE("skill tool: instructions are pinned, with the folder and the other files") {
  TempFolder folder;
  folder.write("s/x/SKILL.md", "---\nname: x\ndescription: d\n---\n# Steps\n\nDo it.\n");
  folder.write("s/x/references/notes.md", "# Notes\n");
  const SkillTable table = find_skills(RealFileSystem(), {{folder.at("s")}});
  REQUIRE(table.skills.size() == 1);
  CommandBench bench(make_skill_tool(table.skills));
  const ToolResult read = bench.run("read", R"({"name": "x"})");
  CHECK(read.ok);
  CHECK(read.pinned);
  CHECK(read.text == "Skill x, in the folder " + table.skills[0].folder +
                         "\n\n# Steps\n\nDo it.\n\nOther files of this skill: "
                         "references/notes.md\n");
  const ToolResult file = bench.run("read", R"({"name": "x", "file": "references/notes.md"})");
  CHECK(file.ok);
  CHECK_FALSE(file.pinned);
  CHECK(file.text == "# Notes\n");
  const ToolResult outside = bench.run("read", R"({"name": "x", "file": "../../secret"})");
  CHECK_FALSE(outside.ok);
  CHECK_FALSE(outside.pinned);
}

}  // namespace pedro
