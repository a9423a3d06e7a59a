// Tests `pedrocli rm`, the removal of jobs.
#include "base/json.h"
#include "cli/program.h"
#include "cli/replies.h"

namespace pedro {
namespace {

struct Rm : Program {
  Rm() {
    folder.write("project/a.txt", "bad\n");
    commit_project();
  }
  void build(const std::vector<std::string>& flags) {
    std::vector<std::string> args = {"build",  "-description", "Be good",           "-backend",
                                     "manual", "-test-cmd",    "grep -q good a.txt"};
    args.insert(args.end(), flags.begin(), flags.end());
    const ProcessResult built = run(args, typed({kAnalyzed, kPlanned, kEdit, kDone, kDelivered}));
    CAPTURE(built.err);
    REQUIRE(built.exit_code == 0);
  }
  std::string jobs() const { return folder.at("state/pedrocli/jobs"); }
  // The id of the only job.
  std::string id() const { return std::filesystem::directory_iterator(jobs())->path().filename(); }
};

}  // namespace

TEST_CASE("rm: the folder and the checkpoints' refs go, branches stay, one error stops no other") {
  Rm bench;
  bench.build({"-worktree"});
  CHECK_FALSE(bench.git({"for-each-ref", "refs/pedrocli"}).empty());
  const std::string id = std::filesystem::directory_iterator(bench.jobs())->path().filename();
  const ProcessResult removed = bench.run({"rm", "nosuch", id});
  CHECK(removed.exit_code == 2);
  CHECK(removed.err.find("no job 'nosuch'") != std::string::npos);
  CHECK(removed.out == id + ": removed, with 2 refs of its checkpoints\n");
  CHECK(std::filesystem::is_empty(bench.jobs()));
  CHECK(bench.git({"for-each-ref", "refs/pedrocli"}).empty());
  CHECK(bench.git({"show", "pedrocli/be-good:a.txt"}) == "good\n");
}

TEST_CASE("rm: a work tree with work that is in no commit keeps its job") {
  Rm bench;
  bench.build({"-worktree", "-no-commit"});
  const std::string id = std::filesystem::directory_iterator(bench.jobs())->path().filename();
  const ProcessResult kept = bench.run({"rm", id});
  CHECK(kept.exit_code == 2);
  CHECK(kept.err.find(" has uncommitted work: ") != std::string::npos);
  CHECK(std::filesystem::exists(bench.jobs() + "/" + id));
}

TEST_CASE("rm: a job is removed after its repository moved; its work tree stays and is named") {
  Rm bench;
  bench.build({"-worktree", "-no-commit"});
  const std::string id = bench.id();
  const std::string trees = bench.folder.at("state/pedrocli/worktrees");
  const std::string tree = std::filesystem::directory_iterator(trees)->path();
  std::filesystem::rename(bench.project(), bench.folder.at("moved"));
  std::filesystem::create_directory(bench.project());
  const ProcessResult removed = bench.run({"rm", id, "-json"});
  CAPTURE(removed.err);
  REQUIRE(removed.exit_code == 0);
  CHECK(removed.err ==
        id + ": not removed: refs/pedrocli/" + id + "/ of " + bench.project() + ": " +
            bench.project() +
            ": not in a git work tree; run this in a checkout, or git init one\n" + id +
            ": not removed: the work tree " + tree +
            ": its repository no longer exists, so it may hold the only copy of some work; if the "
            "repository was moved, run `git worktree repair " +
            tree + "` there, otherwise `rm -r " + tree + "`\n");
  CHECK(member(*parse_json(removed.out), "left").size() == 2);
  CHECK(std::filesystem::is_empty(bench.jobs()));
  CHECK(RealFileSystem().read(tree + "/a.txt", 100).ok());

  // The suggested command works. Afterwards the work tree is a normal one.
  bench.git({"-C", bench.folder.at("moved"), "worktree", "repair", tree});
  CHECK(bench.git({"-C", tree, "status", "--porcelain"}) == " M a.txt\n");
}

TEST_CASE("rm: a journal that is too long to be read is said to be, and goes with its job") {
  Rm bench;
  bench.build({});
  const std::string id = bench.id();
  const std::string journal = bench.jobs() + "/" + id + "/journal.jsonl";
  std::filesystem::resize_file(journal, 1u << 30);
  for (const char* command : {"status", "resume"}) {
    const ProcessResult refused = bench.run({command, id});
    CHECK(refused.exit_code == 1);
    CHECK(refused.err == "pedrocli: " + journal + ": Longer than the limit of 268435456 bytes\n");
  }
  CHECK(bench.run({"rm", id}).out == id + ": removed, with 2 refs of its checkpoints\n");
}

TEST_CASE("rm: removes a killed job's leftover index") {
  Rm bench;
  bench.build({});
  const std::string id = bench.id();
  const std::string index = "project/.git/pedrocli-" + id + ".index";
  bench.folder.write(index, "half");
  bench.folder.write(index + ".lock", "half");
  CHECK(bench.run({"rm", id}).out == id + ": removed, with 2 refs of its checkpoints\n");
  CHECK_FALSE(std::filesystem::exists(bench.folder.at(index)));
  CHECK_FALSE(std::filesystem::exists(bench.folder.at(index + ".lock")));
}

TEST_CASE(
    "rm: a job that is being worked on is refused, a link is no job, links are not followed") {
  Rm bench;
  const std::string id = "20261121-214500-042-build-7f3a";
  const std::string linked = "20261121-214500-043-build-7f3b";
  bench.folder.write("precious/file", "x");
  bench.folder.write("state/pedrocli/jobs/" + id + "/journal.jsonl", "");
  std::filesystem::create_symlink(bench.folder.at("precious"), bench.jobs() + "/" + id + "/link");
  std::filesystem::create_symlink(bench.folder.at("precious"), bench.jobs() + "/" + linked);
  CHECK(bench.run({"rm", linked}).err.find("no job '" + linked) != std::string::npos);
  Command command{.argv = {"bash", "-c", R"(exec 9<"$1"; flock 9; exec 8>&1; "$0" rm 7f3a 9<&-)",
                           PEDROCLI_PROGRAM, bench.jobs() + "/" + id},
                  .folder = bench.project()};
  command.environment = bench.environment();
  const auto refused = bench.processes.run(command, bench.cancel);
  REQUIRE(refused.ok());
  CHECK(refused->exit_code == 2);
  CHECK(refused->err.find(id + ": is running; stop it with `pedrocli cancel ") !=
        std::string::npos);
  CHECK(bench.run({"rm", "7f3a"}).out == id + ": removed\n");
  CHECK(bench.folder.read("precious/file") == "x");
  CHECK_FALSE(std::filesystem::exists(bench.jobs() + "/" + id));
}

}  // namespace pedro
