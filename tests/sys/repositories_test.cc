#include "sys/repositories.h"

#include <doctest/doctest.h>

#include <ctime>

#include "support/git_folder.h"
#include "sys/start_process.h"

using namespace pedro;

namespace {

using ReportTexts = std::vector<std::string>;

struct WatchedTree : GitFolder {
  WatchedTree() {
    init();
    put("src/x.c", "");
    commit_all("first");
    run("git init -q own");
  }

  /// Runs a script in the tree. @EVIL@ is a command that git would run as a monitor.
  void run(const std::string& script) const {
    RealProcessRunner processes;
    Command command{.argv = {"sh", "-c", replace_all(script, "@EVIL@", "touch " + at("evil"))},
                    .folder = tree()};
    REQUIRE(processes.run(command, CancelToken()).ok());
  }

  /// Runs `script` as a job would. Returns the reports, with paths relative to the tree.
  ReportTexts reports_after(const std::string& script, long long now_s = 0) const {
    ReportTexts reports;
    {
      const RepositoryWatch watch(tree(), now_s, [&](const std::string& text) {
        reports.push_back(replace_all(text, tree() + "/", ""));
      });
      run(script);
    }
    return reports;
  }

  /// Waits until a change gets another time than those so far.
  void let_time_pass() const {
    const auto touched = [this] {
      write(".time", "");
      return std::filesystem::last_write_time(at(".time"));
    };
    const auto begin = touched();
    while (touched() == begin) {
    }
  }
};

const std::string kMovedText =
    " was created during the job; git would run programs it names, so it is now ";
const std::string kRefusedText =
    " was created during the job; git would run programs it names, so it was disabled: see its "
    "config";

}  // namespace

TEST_CASE("repositories: new ones are disabled, and git runs nothing of them") {
  struct Row {
    const char* what;
    const char* script;
    ReportTexts reports;
  };
  const Row rows[] = {
      {"none", "echo x > src/y.c", {}},
      {"in a folder that cannot be listed",
       "git init -q src; git -C src config core.fsmonitor '@EVIL@; false'; chmod 311 src",
       {"src/.git" + kMovedText + "src/.git.disabled"}},
      {"in a folder that replaces another",
       "mkdir -p new/deep; git init -q new/deep; git -C new/deep config core.fsmonitor '@EVIL@; "
       "false'; mv src old; mv new src",
       {"src/deep/.git" + kMovedText + "src/deep/.git.disabled"}},
      {"in a tracked folder",
       "git init -q src; git -C src config core.fsmonitor '@EVIL@; false'",
       {"src/.git" + kMovedText + "src/.git.disabled"}},
      {"in a known repository",
       "git init -q own/src; git -C own/src config core.fsmonitor '@EVIL@; false'",
       {"own/src/.git" + kMovedText + "own/src/.git.disabled"}},
      {"bare", "git init -q --bare new.git", {"new.git" + kRefusedText}},
      {"made by hand in a tracked folder",
       "cd src; mkdir objects refs; echo ref: refs/heads/x > HEAD; git config -f config core.bare "
       "false; git config -f config core.worktree .; git config -f config core.fsmonitor '@EVIL@; "
       "false'",
       {"src" + kRefusedText}},
      {"behind a file",
       "git init -q --bare evil; git -C evil config core.fsmonitor '@EVIL@; false'; git -C evil "
       "config core.bare false; echo gitdir: ../evil > src/.git",
       {"evil" + kRefusedText, "src/.git" + kMovedText + "src/.git.disabled"}},
      {"behind a link",
       "git init -q evil; git -C evil config core.fsmonitor '@EVIL@; false'; ln -s ../evil/.git "
       "src/.git",
       {"evil/.git" + kMovedText + "evil/.git.disabled",
        "src/.git" + kMovedText + "src/.git.disabled"}},
      {"with the settings of another",
       "git init -q --bare evil; git -C evil config core.fsmonitor '@EVIL@; false'; mkdir "
       "src/.git; echo ref: refs/heads/x > src/.git/HEAD; echo ../../evil > src/.git/commondir",
       {"evil" + kRefusedText, "src/.git" + kMovedText + "src/.git.disabled"}},
      {"that leads to a known one", "echo gitdir: ../own/.git > src/.git", {}},
      {"a work tree of the user's", "git worktree add -q --detach linked", {}},
      {"a pipe",
       "mkfifo src/.gitignore",
       {"src/.gitignore was a pipe, which git would wait for; it was removed"}},
      {"of a build",
       "git init -q build/x",
       {"build/x/.git was created during the job; git would run programs it names, so check it "
        "before you use git there"}},
  };
  const long long later_s = std::time(nullptr) + 1000;  // a time at which no folder is new
  for (std::size_t i = 0; i < 2 * std::size(rows); ++i) {
    const Row& row = rows[i / 2];
    const bool knows_folders = i % 2 == 1;
    CAPTURE(row.what);
    CAPTURE(knows_folders);
    const WatchedTree world;
    world.let_time_pass();
    CHECK(world.reports_after(row.script, knows_folders ? later_s : 0) == row.reports);
    world.run(
        "for d in . src own/src evil own; do (cd $d && git status; git add -A; git status); done");
    CHECK_FALSE(std::filesystem::exists(world.at("evil")));
    CHECK(world.reports_after("true").empty());
  }
}

TEST_CASE("repositories: a program's git commands in a disabled one do not reach the outer one") {
  const WatchedTree world;
  world.reports_after("git init -q new; echo x > new/y");
  world.run("cd new && git checkout -q -b other");
  CHECK(world.git({"branch", "--show-current"}) == "main");
  CHECK(world.reports_after("rm -rf new; git init -q new").size() == 1);
}

TEST_CASE("repositories: a file that leads to another place later is found") {
  const WatchedTree world;
  world.put("src/.git", "pedrocli moved this repository to .git.disabled\n");
  world.run("git init -q --bare evil");
  world.let_time_pass();
  CHECK(world.reports_after("echo gitdir: ../evil > src/.git", std::time(nullptr) + 1000).empty());
  world.put("src/.git", "gitdir: none\n");
  world.let_time_pass();
  CHECK(world.reports_after("git init -q --bare own/e; echo gitdir: ../own/e > src/.git",
                            std::time(nullptr) + 1000) ==
        ReportTexts{"own/e" + kRefusedText, "src/.git" + kMovedText + "src/.git.disabled"});
}

TEST_CASE("repositories: programs of those that lend objects or settings are not ours") {
  const WatchedTree world;
  world.run("git clone -q -s . ../clone; git worktree add -q --detach ../linked; mkdir bin");
  const std::string path = world.at("tree/bin") + ":/usr/bin";
  for (const char* folder : {"tree", "tree/src", "clone", "clone/src", "linked/src"}) {
    CAPTURE(folder);
    CHECK(path_outside_repository(path, world.at(folder)) == "/usr/bin");
  }
  CHECK(path_outside_repository(path, world.at("")) == path);
}

TEST_CASE("repositories: many are counted") {
  const WatchedTree world;
  const ReportTexts reports =
      world.reports_after("for i in 1 2 3 4 5 6 7; do git init -q r$i; done");
  REQUIRE(reports.size() == 6);
  CHECK(reports.back() == "2 more repositories were created and treated alike");
  CHECK_FALSE(std::filesystem::is_directory(world.at("tree/r7/.git")));
}

TEST_CASE("repositories: folders of a repository") {
  const WatchedTree world;
  world.run(
      "git clone -q --bare . bare.git; git init -q --separate-git-dir bare.git/x apart; "
      "echo $PWD/bare.git/objects > .git/objects/info/alternates");
  const std::string tree = world.tree();
  CHECK(git_folders(tree + "/.git") == ReportTexts{tree + "/.git", tree + "/bare.git/objects"});
  CHECK(git_folders(tree + "/apart/.git") == ReportTexts{tree + "/bare.git/x"});
  CHECK(git_folders(tree + "/src/.git") == ReportTexts{});
  world.put("src/.git", "gitdir: ../own\n");
  CHECK(git_folders(tree + "/src/.git") == ReportTexts{});
  CHECK(is_product(tree + "/build/x/.git", tree));
  CHECK_FALSE(is_product(tree + "/own/.git", tree));
  CHECK_FALSE(is_product("/build/tree/own/.git", "/build/tree"));
}
