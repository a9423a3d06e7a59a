#include "eval/task_bench.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/text.h"
#include "support/temp_folder.h"

namespace pedro {
namespace {

// A task whose visible check needs "good" in a.txt. The hidden check needs it on each line.
struct World {
  World() {
    folder.write("task/issue.md", "# Be good\n");
    folder.write("task/repo/a.txt", "bad\n");
    folder.write("task/repo/run.sh", "grep -q good a.txt\n");
    folder.write("task/hidden/sub/hidden.sh", "! grep -qv good a.txt\n");
    task.name = "be-good";
    task.folder = folder.at("task");
    task.check = "test ! -e sub/hidden.sh && sh run.sh";
    task.hidden = "sh sub/hidden.sh";
    task.files = {"a.txt"};
  }

  TaskBench bench(const std::string& name = "scratch") {
    std::filesystem::create_directory(folder.at(name));
    auto made = TaskBench::set_up(
        {files, processes, cancel,
         [this](const std::string& clone, const std::string& check) {
           return processes.run({.argv = {"sh", "-c", check}, .folder = clone}, cancel);
         }},
        task, folder.at(name));
    REQUIRE_MESSAGE(made.ok(), made.error().message);
    return *std::move(made);
  }

  // Runs a command line in the work tree. Returns its trimmed output.
  std::string shell(const TaskBench& bench, const std::string& line) {
    const auto result = processes.run(
        {.argv = {"sh", "-c", "git config user.name t; git config user.email t@l; " + line},
         .folder = bench.repository()},
        cancel);
    REQUIRE(result.ok());
    CAPTURE(result->err);
    REQUIRE(result->ok());
    return std::string(trim(result->out));
  }

  TempFolder folder;
  RealFileSystem files;
  RealProcessRunner processes;
  CancelToken cancel;
  BenchTask task;
};

std::string shown(const Result<Judgement>& judgement) {
  REQUIRE(judgement.ok());
  return std::string(judgement->visible_in_clone ? "visible " : "") +
         (judgement->solved ? "solved" : "");
}

}  // namespace

TEST_CASE("task bench: every attempt starts from the same commit, with the issue outside of it") {
  World world;
  const TaskBench one = world.bench("one");
  const TaskBench two = world.bench("two");
  const char* show =
      "git log --format='%H %an %at %cn %ct' && git status --porcelain && git ls-files";
  const std::string shown_one = world.shell(one, show);
  CHECK(shown_one == world.shell(two, show));
  CHECK(shown_one.find(" The author 1704110400 The author 1704110400\n") != std::string::npos);
  CHECK(shown_one.ends_with("\na.txt\nrun.sh"));
  CHECK(*world.files.read(one.issue(), 100) == "# Be good\n");
  CHECK_FALSE(one.issue().starts_with(one.repository()));
  CHECK_FALSE(one.state().starts_with(one.repository()));
}

TEST_CASE("task bench: judges only the commits of the given branch, and no unknown branch") {
  World world;
  CHECK(shown(world.bench("nothing").judge("")) == "");
  const char* half_done = "git checkout -q -b p/a && echo good >>a.txt && git commit -qam half";
  TaskBench other = world.bench("other");
  world.shell(other, half_done);
  CHECK(shown(other.judge("p/none")) == "");
  TaskBench bench = world.bench();
  world.shell(bench, half_done);
  // Uncommitted changes do not count.
  world.shell(bench, "echo good >a.txt");
  const auto half = bench.judge("p/a");
  CHECK(shown(half) == "visible ");
  CHECK(half->log ==
        "--- the visible check in a fresh clone of p/a: exit 0\n\n"
        "--- the hidden check in a fresh clone of p/a: exit 1\n\n");
}

TEST_CASE("task bench: whole files are written and committed") {
  World world;
  TaskBench bench = world.bench();
  REQUIRE(bench.commit(std::vector<FileAnswer>{{"a.txt", "good\n"}, {"new/b.txt", "1\n"}}).ok());
  CHECK(world.shell(bench, "git status --porcelain; git ls-files") == "a.txt\nnew/b.txt\nrun.sh");
  CHECK(shown(bench.judge(TaskBench::kBranch)) == "visible solved");
  REQUIRE(bench.commit({}).ok());  // an empty change is not an error
}

TEST_CASE("task bench: a result cannot make the judge write elsewhere, or break it") {
  struct Row {
    const char* name;
    const char* deed;
  };
  for (const Row& row : {
           Row{"a link in the place of a hidden file",
               "mkdir sub && ln -s ../../../outside sub/hidden.sh && git add -A && git commit -qm "
               "x"},
           Row{"a link in the place of a hidden folder",
               "ln -s ../../out sub && git add -A && git commit -qm x"},
           Row{"a file in the place of a hidden folder",
               "echo >sub && git add -A && git commit -qm x"},
           Row{"a repository without objects", "rm -rf .git/objects/*"},
       }) {
    CAPTURE(row.name);
    World world;
    world.folder.write("outside", "exit 0\n");
    world.folder.write("out/hidden.sh", "exit 0\n");
    TaskBench bench = world.bench();
    world.shell(bench, row.deed);
    const auto judged = bench.judge(TaskBench::kBranch);
    REQUIRE(judged.ok());
    CHECK_FALSE(judged->solved);
    CHECK(world.folder.read("outside") == "exit 0\n");
    CHECK(world.folder.read("out/hidden.sh") == "exit 0\n");
  }
}

TEST_CASE("task bench: a check that does not end is not passed") {
  World world;
  std::filesystem::create_directory(world.folder.at("late"));
  auto late = TaskBench::set_up({world.files, world.processes, world.cancel,
                                 [&](const std::string& clone, const std::string&) {
                                   return world.processes.run(
                                       {.argv = {"sleep", "30"}, .folder = clone, .timeout_s = 0.1},
                                       world.cancel);
                                 }},
                                world.task, world.folder.at("late"));
  REQUIRE(late.ok());
  const auto judged = late->judge("");
  CHECK(shown(judged) == "");
  CHECK(judged->log.find("the hidden check in a fresh clone of main: timed out") !=
        std::string::npos);
}

}  // namespace pedro
