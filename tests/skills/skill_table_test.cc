#include "skills/skill_table.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "support/temp_folder.h"

namespace pedro {
namespace {

using Texts = std::vector<std::string>;

struct Skills {
  TempFolder folder;
  RealFileSystem files;

  void add(const std::string& place, const std::string& name, const std::string& about = "about") {
    folder.write(place + "/" + name + "/SKILL.md",
                 "---\nname: " + name + "\ndescription: " + about + "\n---\nDo it.\n");
  }
  std::string root() const { return *files.canonical(folder.path()); }
  SkillPlace place(const std::string& name) const { return {root() + "/" + name}; }
};

}  // namespace

TEST_CASE("skill table: skills of several places, the first of a name counts") {
  Skills world;
  world.add("p/.agents/skills", "b", "of the project");
  world.add("p/.agents/skills/group/deep", "c");
  world.add("p/.agents/skills/group/deep/deeper", "too-deep");
  world.add("p/.agents/skills/node_modules", "not-this");
  world.add("p/.agents/skills/.git", "nor-this");
  world.add("home", "a");
  world.add("home", "b", "of the user");
  world.folder.write("home/README.md", "no skill");
  world.folder.write("home/broken/SKILL.md", "no front matter");
  const SkillTable table = find_skills(
      world.files, {world.place("p/.agents/skills"), world.place("missing"), world.place("home")});
  CHECK(table.names() == Texts{"a", "b", "c"});
  CHECK(table.find("b")->description == "of the project");
  CHECK(table.find("B") == nullptr);
  CHECK(table.hidden == Texts{world.root() + "/home/b/SKILL.md: is hidden by the skill 'b' in " +
                              world.root() + "/p/.agents/skills/b"});
  REQUIRE(table.problems.size() == 1);
  CHECK(table.problems[0] == world.root() +
                                 "/home/broken/SKILL.md: 1: expected front matter between two "
                                 "lines '---'");
}

TEST_CASE("skill table: links inside of a project count, links that leave it do not") {
  Skills world;
  world.add("p/.agents/skills", "inside");
  world.add("elsewhere", "outside");
  std::filesystem::create_directories(world.folder.at("p/.claude/skills"));
  std::filesystem::create_directory_symlink("../../.agents/skills/inside",
                                            world.folder.at("p/.claude/skills/inside"));
  std::filesystem::create_directory_symlink(world.folder.at("elsewhere/outside"),
                                            world.folder.at("p/.claude/skills/outside"));
  std::filesystem::create_directories(world.folder.at("p/.claude/skills/file"));
  std::filesystem::create_symlink(world.folder.at("elsewhere/outside/SKILL.md"),
                                  world.folder.at("p/.claude/skills/file/SKILL.md"));
  SkillPlace agents = world.place("p/.agents/skills");
  SkillPlace claude = world.place("p/.claude/skills");
  agents.confined = claude.confined = world.root() + "/p";
  const SkillTable table = find_skills(world.files, {agents, claude});
  CHECK(table.names() == Texts{"inside"});
  REQUIRE(table.problems.size() == 2);
  CHECK(table.problems[0].find("file/SKILL.md: ") != std::string::npos);
  CHECK(
      table.problems[1].ends_with("outside/SKILL.md: is a link to a place outside of the project"));
  CHECK(find_skills(world.files, {world.place("p/.claude/skills")}).find("outside") != nullptr);
}

TEST_CASE("skill table: numbers of folders and skills are bounded") {
  Skills world;
  for (int i = 0; i < 70; ++i) world.add("many", "s" + std::to_string(i));
  const SkillTable many = find_skills(world.files, {world.place("many")});
  CHECK(many.skills.size() == 64);
  CHECK(many.problems.size() == 6);
  for (int i = 0; i < 520; ++i) {
    std::filesystem::create_directories(world.folder.at("wide/d" + std::to_string(i)));
  }
  const SkillTable wide = find_skills(world.files, {world.place("wide")});
  CHECK(wide.problems == Texts{world.root() + "/wide: has more than 500 folders"});
}

TEST_CASE("skill table: a place with too many folders leaves nothing to the next place") {
  Skills world;
  world.add("elsewhere", "outside");
  std::filesystem::create_directories(world.folder.at("p/skills"));
  std::filesystem::create_directory_symlink(world.folder.at("elsewhere/outside"),
                                            world.folder.at("p/skills/a-link"));
  world.add("p/skills", "b-inside");
  for (int i = 0; i < 520; ++i) {
    std::filesystem::create_directories(world.folder.at("p/skills/d" + std::to_string(i)));
  }
  world.add("home", "mine");
  SkillPlace confined = world.place("p/skills");
  confined.confined = world.root() + "/p";
  CHECK(find_skills(world.files, {confined, world.place("missing")}).names() == Texts{"b-inside"});
  CHECK(find_skills(world.files, {confined, world.place("home")}).names() ==
        Texts{"b-inside", "mine"});
}

TEST_CASE("skill table: files of a skill are listed and read, others are not") {
  Skills world;
  world.add("s", "x");
  world.folder.write("s/x/references/notes.md", "# Notes\n");
  world.folder.write("s/x/scripts/run.sh", "#!/bin/sh\n");
  world.folder.write("s/x/.hidden", "h");
  world.folder.write("s/secret.txt", "secret");
  world.folder.write("s/x/picture.png", std::string("\x89PNG\xFF", 5));
  std::filesystem::create_symlink(world.folder.at("s/secret.txt"), world.folder.at("s/x/link.txt"));
  const SkillTable table = find_skills(world.files, {world.place("s")});
  const Skill& skill = table.skills.front();
  CHECK(files_of(skill) == Texts{"picture.png", "references/notes.md", "scripts/run.sh"});
  CHECK(*read_skill_file(skill, "references/notes.md") == "# Notes\n");
  for (const std::string& path :
       {std::string("../secret.txt"), std::string("link.txt"), std::string("/etc/passwd"),
        std::string(".."), std::string("a/../../secret.txt"), std::string("missing.md"),
        std::string("%2e%2e%2fsecret.txt"), std::string("references"), std::string("picture.png"),
        world.root() + "/s/secret.txt", std::string("references/notes.md\0.png", 23)}) {
    CAPTURE(path);
    const auto text = read_skill_file(skill, path);
    REQUIRE_FALSE(text.ok());
    CHECK(text.error().kind == ErrorKind::kRefused);
  }
}

}  // namespace pedro
