// Checks that a project cannot replace the programs that pedrocli itself runs.
#include "cli/program.h"
#include "cli/replies.h"

namespace pedro {
namespace {

// Installs a program that records its execution and then runs the real one.
void plant(Program& bench, const std::string& name) {
  const std::string path = "project/bin/" + name;
  bench.folder.write(path, "#!/bin/sh\necho " + name + " >>" + bench.folder.at("ran") +
                               "\nPATH=/usr/bin:/bin exec " + name + " \"$@\"\n");
  std::filesystem::permissions(bench.folder.at(path), std::filesystem::perms::owner_all);
}

}  // namespace

TEST_CASE("trust: a job with the sandbox off says so, whenever it runs") {
  Program bench;
  bench.folder.write("project/a.txt", "bad\n");
  bench.folder.write("project/.pedro/issues/3.md", "# Be good\n\na.txt should say good.\n");
  bench.commit_project();
  bench.extra_environment["PEDROCLI_SANDBOX_MODE"] = "off";
  for (const int max_rounds : {1, 2}) {
    const ProcessResult result =
        bench.run({"build", "-issue", "3", "-backend", "manual", "-test-cmd", "true", "-max-rounds",
                   std::to_string(max_rounds)},
                  typed({kAnalyzed, kPlanned}));
    CAPTURE(result.err);
    CHECK(result.exit_code == 6);
    CHECK(result.err.find("sandbox: off: commands run with all your rights") != std::string::npos);
  }
}

TEST_CASE("trust: a confined command cannot get our variables or change the exit code") {
  Program program;
  program.extra_environment["MY_API_TOKEN"] = "sekret123";
  const ProcessResult read = program.run(
      {"sandbox", "--", "sh", "-c",
       "for i in /proc/[0-9]*; do tr '\\0' '\\n' < $i/environ; grep -a sekret123 $i/mem; done"});
  CHECK(read.out.find("PATH=") != std::string::npos);  // a command can read its own variables
  CHECK(read.out.find("sekret123") == std::string::npos);
  // The command forges the success report of its sandbox keeper.
  const ProcessResult forged = program.run(
      {"sandbox", "--", "sh", "-c",
       "(printf '\\003'; head -c 219 /dev/zero) > m; cat m > /proc/$PPID/fd/3; exit 7"});
  CHECK(forged.exit_code == 7);
}

TEST_CASE("trust: verified applies to the commit, whatever a command did to git") {
  struct Row {
    const char* name;
    const char* command;
    const char* check;
  };
  const std::string both = "grep -q good a.txt && grep -q good b.txt";
  for (const Row& row :
       {Row{"a file that git is not to look at",
            "git update-index --skip-worktree b.txt; echo good > b.txt", both.c_str()},
        Row{"a file that git is to take for unchanged",
            "git update-index --assume-unchanged b.txt; echo good > b.txt", both.c_str()},
        Row{"a file that git ignores from now on",
            "echo /b.new >> .git/info/exclude; echo good > b.new",
            "grep -q good a.txt && grep -q good b.new"},
        Row{"bytes that git commits as others",
            "echo 'b.txt text' >> .git/info/attributes; printf 'good\\r\\n' > b.txt",
            "grep -q good a.txt && grep -q \"$(printf 'good\\r')\" b.txt"},
        Row{"another commit in the place of the first",
            "echo good > b.txt; export GIT_INDEX_FILE=$TMPDIR/i; git read-tree HEAD; git add "
            "b.txt; "
            "t=$(git write-tree); unset GIT_INDEX_FILE; "
            "git replace HEAD $(git -c user.name=t -c user.email=t@t commit-tree -m init $t); git "
            "read-tree HEAD",
            both.c_str()}}) {
    CAPTURE(row.name);
    Program program;
    program.folder.write("project/a.txt", "bad\n");
    program.folder.write("project/b.txt", "bad\n");
    program.commit_project();
    const ProcessResult built = program.run(
        {"build", "-description", "Be good", "-backend", "manual", "-test-cmd", row.check},
        typed({kAnalyzed, kPlanned, call("bash", {{"action", "run"}, {"command", row.command}}),
               kEdit, kDone, kDelivered}));
    CAPTURE(built.out);
    CAPTURE(built.err);
    REQUIRE(built.exit_code == 0);
    CHECK(built.out.find("- changed: b.") != std::string::npos);  // the commit may contain more
    program.git({"clone", "-q", "--no-local", "--branch", program.job_branch(), program.project(),
                 program.folder.at("clone")});
    const auto checked = program.processes.run(
        {.argv = {"sh", "-c", row.check}, .folder = program.folder.at("clone")}, program.cancel);
    REQUIRE(checked.ok());
    CHECK(checked->ok());
    REQUIRE(program.run({"undo"}).exit_code == 0);
    CHECK(program.folder.read("project/a.txt") == "bad\n");
    CHECK(program.folder.read("project/b.txt") == "bad\n");
  }
}

TEST_CASE("trust: a checked file that is not in the commit is not verified") {
  Program program;
  program.folder.write("project/a.txt", "bad\n");
  program.commit_project();
  const ProcessResult built = program.run(
      {"build", "-description", "Be good", "-backend", "manual", "-test-cmd", "cat git~1"},
      typed({kAnalyzed, kPlanned,
             call("bash", {{"action", "run"}, {"command", "echo good > git~1"}}), kEdit, kDone,
             kDelivered}));
  CAPTURE(built.err);
  CHECK(built.exit_code == 5);
  CHECK(built.out.find("the commit differs from the checked files") != std::string::npos);
  CHECK(built.out.find("- different in the commit and the work tree: git~1\n") !=
        std::string::npos);
}

TEST_CASE("trust: a folder for temporary files may lie in /dev/shm") {
  Program program;
  program.extra_environment["TMPDIR"] = "/dev/shm";
  const ProcessResult result = program.run(
      {"sandbox", "--", "sh", "-c", "echo x > $TMPDIR/x && cat $TMPDIR/x && echo > /dev/null"});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(result.out == "x\n");
}

TEST_CASE("trust: files left outside the project make no check pass") {
  Program program;
  program.folder.write("project/a.txt", "bad\n");
  program.commit_project();
  const ProcessResult built = program.run(
      {"build", "-description", "Be good", "-backend", "manual", "-test-cmd",
       "cat $HOME/f $TMPDIR/f"},
      typed({kAnalyzed, kPlanned,
             call("bash",
                  {{"action", "run"}, {"command", "echo good > $HOME/f; echo good > $TMPDIR/f"}}),
             call("bash", {{"action", "run"}, {"command", "cat $HOME/f $TMPDIR/f"}}), kEdit, kDone,
             kDelivered}));
  CAPTURE(built.err);
  CHECK(built.exit_code != 0);  // no further replies
  CHECK(built.err.find("FAIL cat $HOME/f $TMPDIR/f") != std::string::npos);
  CHECK(built.err.find("ok bash run command=\"cat $HOME/f") != std::string::npos);  // files stay
}

TEST_CASE("trust: no command runs where it could change the rules for commands") {
  struct Row {
    const char* variable;
    const char* value;
    const char* named;
  };
  for (const Row& row : {Row{"HOME", "project", "project/.pedrocli.json, "},
                         Row{"HOME", "project/home", "project/home/.pedrocli.json, "},
                         Row{"XDG_CONFIG_HOME", "project/c", "project/c/pedrocli, "},
                         Row{"XDG_STATE_HOME", "project/s", "project/s/pedrocli, "}}) {
    CAPTURE(row.value);
    Program program;
    program.extra_environment[row.variable] = program.folder.at(row.value);
    const ProcessResult refused = program.run({"sandbox", "--", "true"});
    CHECK(refused.exit_code == 3);
    CHECK(refused.err.find(program.folder.at(row.named)) != std::string::npos);
    program.extra_environment["PEDROCLI_SANDBOX_MODE"] = "off";
    CHECK(program.run({"sandbox", "--", "true"}).exit_code == 0);
  }
  Program program;
  program.folder.write(".pedrocli.json", R"({"sandbox": {"write": ["~/config"]}})");
  std::filesystem::create_directory(program.folder.at("config"));
  const ProcessResult refused = program.run({"sandbox", "--", "true"});
  CHECK(refused.exit_code == 3);
  CHECK(refused.err.find("(sandbox.write)") != std::string::npos);
}

TEST_CASE("trust: a project folder in PATH provides programs to commands, not to us") {
  Program bench;
  bench.folder.write("project/a.txt", "bad\n");
  bench.folder.write("project/.pedro/issues/3.md", "# Be good\n\na.txt should say good.\n");
  for (const char* name : {"git", "rg", "gh", "sh"}) plant(bench, name);
  bench.folder.write("project/bin/greet", "#!/bin/sh\necho greetings from bin\n");
  std::filesystem::permissions(bench.folder.at("project/bin/greet"),
                               std::filesystem::perms::owner_all);
  bench.commit_project();
  bench.extra_environment["PATH"] = bench.project() + "/bin:" + std::getenv("PATH");
  const ProcessResult result = bench.run(
      {"build", "-issue", "3", "-backend", "manual", "-test-cmd", "grep -q good a.txt"},
      typed({call("search", {{"action", "grep"}, {"pattern", "bad"}}), kAnalyzed, kPlanned,
             call("bash", {{"action", "run"}, {"command", "greet"}}), kEdit, kDone, kDelivered}));
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(result.err.find("greetings from bin") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(bench.folder.at("ran")));
  const std::string range = "HEAD.." + bench.job_branch();
  CHECK(bench.run({"review", "-backend", "manual", "-range", range, "-dry-run"}).exit_code == 0);
  CHECK_FALSE(std::filesystem::exists(bench.folder.at("ran")));
}

}  // namespace pedro
