#include "sandbox/sandbox.h"
#include "tools/command_bench.h"

using namespace pedro;

namespace {

/// A repository with one commit of a.txt and src/b.txt.
class GitBench : public CommandBench {
 public:
  GitBench() : CommandBench(make_git_tool()) {
    folder.init();
    folder.put("a.txt", "one\n");
    folder.put("src/b.txt", "two\n");
    folder.commit_all("first");
  }
};

}  // namespace

TEST_CASE("git: status names the branch and the changes") {
  GitBench bench;
  CHECK(bench.run("status", "{}").text == "## main");
  bench.folder.put("a.txt", "1\n");
  bench.folder.put("n\xC3\xA4w file.txt", "");
  CHECK(bench.run("status", "{}").text == "## main\n M a.txt\n?? \"n\xC3\xA4w file.txt\"");
}

TEST_CASE("git: diff takes a base, a path and the index") {
  GitBench bench;
  CHECK(bench.run("diff", "{}").text == "no differences (untracked files are not compared)");
  bench.folder.put("a.txt", "1\n");
  bench.folder.put("src/b.txt", "2\n");
  const std::string a = bench.run("diff", R"({"path": "a.txt"})").text;
  CHECK(a.find("-one\n+1") != std::string::npos);
  CHECK(a.find("b.txt") == std::string::npos);
  CHECK(bench.run("diff", R"({"staged": true})").text ==
        "no differences (untracked files are not compared)");
  bench.run("add", R"({"files": ["a.txt"]})");
  CHECK(bench.run("diff", R"({"staged": true})").text == a);
  bench.folder.commit_all("second");
  CHECK(bench.run("diff", R"({"base": "HEAD~1", "path": "a.txt"})").text == a);
}

TEST_CASE("git: log and show read the history") {
  GitBench bench;
  bench.folder.put("a.txt", "1\n");
  bench.folder.commit_all("second");
  const ToolResult log = bench.run("log", R"({"max_count": 1})");
  CHECK(log.text.ends_with(" Ada: second"));
  CHECK(bench.run("log", R"({"path": "src"})").text.ends_with(" Ada: first"));
  CHECK(bench.run("show", R"({"ref": "HEAD~1", "path": "a.txt"})").text == "one");
  CHECK(bench.run("show", R"({"ref": "HEAD"})").text.ends_with("-one\n+1"));
}

TEST_CASE("git: add stages a file by its name") {
  GitBench bench;
  bench.folder.put("-dash *.txt", "x\n");
  CHECK(bench.run("add", R"({"files": ["-dash *.txt"]})").text == "staged: -dash *.txt");
  CHECK(bench.folder.git({"diff", "--cached", "--name-only"}) == "-dash *.txt");
}

TEST_CASE("git: add stages a folder without ignored files and with removed ones") {
  GitBench bench;
  bench.folder.put(".gitignore", "*.log\n");
  bench.folder.put("src/new.txt", "x\n");
  bench.folder.put("src/x.log", "x\n");
  std::filesystem::remove(bench.folder.at("tree/src/b.txt"));
  CHECK(bench.run("add", R"({"files": ["src"]})").ok);
  CHECK(bench.folder.git({"diff", "--cached", "--name-status", "--no-renames"}) ==
        "D\tsrc/b.txt\nA\tsrc/new.txt");
  CHECK(bench.run("add", R"({"files": ["src/x.log"]})").text ==
        "no file to stage: src/x.log is missing or ignored by git");
}

TEST_CASE("git: the model's mistakes come back as a refusal in words") {
  struct Row {
    const char* name;
    const char* action;
    const char* args;
    const char* text;
  };
  const Row rows[] = {
      {"an option for a base", "diff", R"({"base": "--output=/tmp/x"})",
       "'--output=/tmp/x': a revision must not begin with '-'"},
      {"no files", "add", R"({"files": []})", "name at least one file to stage"},
      {"a file that is missing", "add", R"({"files": ["nope.txt"]})",
       "no file to stage: nope.txt is missing or ignored by git"},
      {"a path that git has not", "show", R"({"ref": "HEAD", "path": "nope.txt"})",
       "fatal: path 'nope.txt' does not exist in 'HEAD'\n[exit 128]"},
  };
  GitBench bench;
  for (const Row& row : rows) {
    CAPTURE(row.name);
    const ToolResult result = bench.run(row.action, row.args);
    CHECK_FALSE(result.ok);
    CHECK(result.text == row.text);
  }
  CHECK_FALSE(bench.run("add", R"({"files": ["../outside"]})").ok);
  CHECK_FALSE(bench.run("add", R"({"files": [".git/config"]})").ok);
}

TEST_CASE("git: a wildcard is the name of a file, not a pattern") {
  GitBench bench;
  bench.folder.put("x.cc", "");
  CHECK_FALSE(bench.run("add", R"({"files": ["*.cc"]})").ok);
  CHECK_FALSE(bench.run("add", R"({"files": [":(glob)**"]})").ok);
}

TEST_CASE("git: nothing that the repository's configuration names is started") {
  GitBench bench;
  const std::string trap = "touch " + bench.folder.at("trapped");
  bench.folder.write("hooks/pre-commit", "#!/bin/sh\n" + trap + "\n");
  std::filesystem::permissions(bench.folder.at("hooks/pre-commit"),
                               std::filesystem::perms::owner_all);
  for (const auto& [key, value] :
       std::map<std::string, std::string>{{"core.hooksPath", bench.folder.at("hooks")},
                                          {"core.pager", trap},
                                          {"core.editor", trap},
                                          {"core.fsmonitor", trap},
                                          {"diff.external", trap},
                                          {"diff.trap.textconv", trap},
                                          {"diff.trap.command", trap},
                                          {"filter.trap.clean", trap + "; cat"},
                                          {"filter.trap.smudge", trap + "; cat"},
                                          {"filter.trap.required", "true"},
                                          {"filter.other.process", trap},
                                          {"merge.trap.driver", trap},
                                          {"log.showSignature", "true"},
                                          {"gpg.program", trap},
                                          {"core.alternateRefsCommand", trap}}) {
    bench.folder.git({"config", key, value});
  }
  bench.folder.write("tree/.git/info/attributes",
                     "*.txt diff=trap filter=trap merge=trap\n*.md filter=other\n");
  bench.folder.put("a.txt", "1\n");
  bench.folder.put("b.md", "1\n");
  CHECK(bench.run("status", "{}").text == "## main\n M a.txt\n?? b.md");
  CHECK(bench.run("diff", "{}").ok);
  CHECK(bench.run("add", R"({"files": ["a.txt", "b.md"]})").ok);
  CHECK(bench.run("log", "{}").ok);
  CHECK(bench.run("show", R"({"ref": "HEAD"})").ok);
  CHECK_FALSE(std::filesystem::exists(bench.folder.at("trapped")));
}

TEST_CASE("git: a repository inside this one, which a command has made, starts nothing either") {
  GitBench bench;
  auto sandbox =
      Sandbox::open({}, bench.folder.tree(), {{"PATH", "/usr/bin:/bin"}}, sandbox_support());
  if (!sandbox) return;  // git commands are refused in this case
  SandboxRunner commands(*sandbox);
  bench.commands = &commands;
  const std::string trap = "touch " + bench.folder.at("trapped");
  bench.folder.git({"init", "--quiet", "inner"});
  bench.folder.put("inner/a.txt", "1\n");
  bench.folder.git({"-C", "inner", "add", "a.txt"});
  bench.folder.git({"-C", "inner", "commit", "--quiet", "--message=x"});
  bench.folder.git({"add", "inner"});
  // This setting of the outer repository would override those of the command line.
  bench.folder.put(".gitmodules", "[submodule \"inner\"]\n\tpath = inner\n\tignore = none\n");
  bench.folder.git({"-C", "inner", "config", "filter.trap.clean", trap + "; cat"});
  bench.folder.git({"-C", "inner", "config", "core.fsmonitor", trap});
  bench.folder.put("inner/.gitattributes", "*.txt filter=trap\n");
  bench.folder.put("inner/a.txt", "2\n");
  CHECK(bench.run("status", "{}").ok);
  CHECK(bench.run("diff", "{}").ok);
  CHECK(bench.run("diff", R"({"staged": true})").ok);
  CHECK(bench.run("add", R"({"files": ["inner"]})").ok);
  CHECK_FALSE(std::filesystem::exists(bench.folder.at("trapped")));
}

TEST_CASE("git: a repository without commits and a folder without a repository say so") {
  CommandBench bench(make_git_tool());
  const ToolResult none = bench.run("log", "{}");
  CHECK_FALSE(none.ok);
  CHECK(none.text.find("not a git repository") != std::string::npos);
  bench.folder.init();
  CHECK(bench.run("status", "{}").text == "## No commits yet on main");
  const ToolResult empty = bench.run("log", "{}");
  CHECK(empty.text ==
        "fatal: your current branch 'main' does not have any commits yet\n[exit 128]");
}

TEST_CASE("git: without git the answer says so, and an interrupt is an error") {
  CommandBench bench(make_git_tool());
  bench.fake = std::make_unique<FakeProcessRunner>();
  bench.fake->answer = [](const Command&) {
    return Error{ErrorKind::kUsage, "git: not found in PATH"};
  };
  CHECK(bench.run("status", "{}").text == "git: not found in PATH");
  CHECK_FALSE(bench.run("add", R"({"files": ["x"]})").ok);
  bench.fake->answer = [](const Command&) { return Error{ErrorKind::kInterrupted, "stopped"}; };
  const auto result = bench.try_run("status", "{}");
  REQUIRE_FALSE(result.ok());
  CHECK(result.error().kind == ErrorKind::kInterrupted);
}
