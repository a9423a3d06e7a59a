// Tests skills with the real program: the commands, and jobs whose model reads one.
#include "cli/count_agent.h"
#include "cli/replies.h"

namespace pedro {
namespace {

// A project with a skill of its own and one of the user.
struct SkillWorld : CountAgent {
  explicit SkillWorld(bool trusted = true) {
    folder.write(".agents/skills/style/SKILL.md",
                 "---\nname: style\ndescription: How to name things\n---\nUse short names.\n");
    folder.write(".agents/skills/style/scripts/words.sh", "#!/bin/sh\necho from-the-skill\n");
    folder.write("project/.agents/skills/fares/SKILL.md",
                 "---\nname: fares\ndescription: \"Rules: of fares\"\n---\nRound up.\n");
    if (trusted) {
      folder.write(".pedrocli.json",
                   to_line({{"model", {{"trusted_projects", {real_project()}}}}}));
    }
    commit_project();
  }
  std::string real_project() const { return *RealFileSystem().canonical(project()); }
};

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != text.npos;
}

}  // namespace

TEST_CASE("skills: a job offers the names, and its model reads one") {
  SkillWorld world;
  const ProcessResult result = world.job(
      {call("skill", {{"action", "read"}, {"name", "fares"}}),
       call("skill", {{"action", "read"}, {"name", "fees"}}),
       call("skill", {{"action", "read"}, {"name", "style"}, {"file", "scripts/words.sh"}})});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(has(result.err, "- fares: Rules: of fares\n- style: How to name things\n"));
  CHECK(has(result.err, "Round up."));
  CHECK(has(result.err, "\"fees\""));
  CHECK(has(result.err, "echo from-the-skill"));
}

TEST_CASE("skills: those of a project that is not trusted are named, and not read") {
  SkillWorld world(false);
  const ProcessResult result = world.job({});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(has(result.err, "the skills of this project are not used"));
  CHECK(has(result.err, world.real_project()));
  CHECK(has(result.err, "- style: How to name things"));
  CHECK_FALSE(has(result.err, "- fares:"));
}

TEST_CASE("skills: without any, a job has no such tool") {
  SkillWorld world(false);
  std::filesystem::remove_all(world.folder.at(".agents"));
  std::filesystem::remove_all(world.folder.at("project/.agents"));
  world.commit_project();
  const ProcessResult result = world.job({});
  CHECK(result.exit_code == 0);
  CHECK_FALSE(has(result.err, "skill"));
}

TEST_CASE("skills: a command of a job runs a script of a skill outside of the project") {
  SkillWorld world;
  world.folder.write("project/Makefile", "test:\n\tgrep -q two a.txt\n");
  world.git({"add", "-A"});
  world.git({"commit", "-q", "-m", "check"});
  world.extra_environment["PEDROCLI_MODEL_PHASES"] = "short";
  const std::string script =
      *RealFileSystem().canonical(world.folder.at(".agents/skills/style")) + "/scripts/words.sh";
  const ProcessResult result = world.run(
      {"build", "-description", "Write two", "-backend", "manual"},
      typed(
          {call("bash", {{"action", "run"}, {"command", "sh " + script}}),
           call("file", {{"action", "replace"}, {"path", "a.txt"}, {"old", "one"}, {"new", "two"}}),
           kDelivered}));
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(has(result.err, "from-the-skill"));
}

TEST_CASE("skills: list, show and check") {
  SkillWorld world;
  const ProcessResult list = world.run({"skills", "list"});
  CHECK(list.exit_code == 0);
  CHECK(has(list.out, "fares                    Rules: of fares  ("));
  const Json shown = *parse_json(world.run({"skills", "show", "style", "-json"}).out);
  CHECK(text_of(shown, "body") == "Use short names.");
  CHECK(member(shown, "files") == Json::array({"scripts/words.sh"}));
  CHECK(world.run({"skills", "show", "style", "scripts/words.sh"}).out ==
        "#!/bin/sh\necho from-the-skill\n");
  CHECK(world.run({"skills", "show", "style", "../../.pedrocli.json"}).exit_code != 0);
  const ProcessResult unknown = world.run({"skills", "show", "stile"});
  CHECK(unknown.exit_code == 2);
  CHECK(has(unknown.err, "did you mean 'style'"));
  CHECK(world.run({"skills", "check"}).exit_code == 0);
  world.folder.write("project/.agents/skills/other/SKILL.md",
                     "---\nname: Another\ndescription: d\n---\n");
  const ProcessResult check = world.run({"skills", "check"});
  CHECK(check.exit_code == 1);
  CHECK(has(check.out, "other/SKILL.md: name: 'Another' is not the folder's name 'other'\n"));
  CHECK(has(check.out, "other/SKILL.md: the body is empty\n"));
  CHECK(world.run({"skills", "check", world.folder.at(".agents/skills/style")}).exit_code == 0);
}

}  // namespace pedro
