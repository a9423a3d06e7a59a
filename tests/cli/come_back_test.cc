// Tests the state of the checkout after a job. It must equal the state before, for every job and
// every kind of end.
#include <filesystem>

#include "base/text.h"
#include "cli/program.h"
#include "cli/replies.h"

namespace pedro {
namespace {

const std::string kBranch = "pedrocli/be-good";
const std::string kGoThere =
    "the work is on branch pedrocli/be-good: git switch pedrocli/be-good\n";
const std::string kMoved = "the checkout was not restored: HEAD was moved meanwhile\n";

struct ComeBack : Program {
  ComeBack() {
    folder.write("project/a.txt", "bad\n");
    commit_project();
  }

  ProcessResult build(std::vector<std::string> more = {}, const std::string& check = "true") {
    std::vector<std::string> args = {"build",
                                     "-description",
                                     "Be good",
                                     "-backend",
                                     "manual",
                                     "-test-cmd",
                                     check + "; grep -q good a.txt"};
    args.insert(args.end(), more.begin(), more.end());
    return run(args, typed({kAnalyzed, kPlanned, kEdit, kDone, kDelivered}));
  }

  // The user's branch and files, in git's output.
  std::string checkout() {
    return git({"rev-parse", "--symbolic-full-name", "HEAD"}) + git({"rev-parse", "HEAD"}) +
           git({"status", "--porcelain"}) + git({"diff"}) + git({"diff", "--cached"});
  }

  // Removes the end of the only job, as if it had been killed before it recorded its end.
  void forget_end() {
    for (const auto& [path, text] : files_below("state/pedrocli/jobs")) {
      if (path.ends_with("summary.json")) std::filesystem::remove(path);
      if (!path.ends_with("journal.jsonl")) continue;
      std::filesystem::resize_file(path, text.rfind('\n', text.size() - 2) + 1);
    }
  }

  // Makes changes as a user: staged and unstaged, in a file of the job and in others.
  void make_dirty() {
    folder.write("project/a.txt", "bad\nhalf\n");
    folder.write("project/new.txt", "staged\n");
    git({"add", "a.txt", "new.txt"});
    folder.write("project/a.txt", "bad\nhalf\nmine\n");
    folder.write("project/b.txt", "mine too\n");
  }
};

}  // namespace

TEST_CASE(
    "come back: the checkout is as before, and the last line names the branch with the work") {
  for (const char* start : {"main", "--detach"}) {
    CAPTURE(start);
    ComeBack bench;
    bench.git({"checkout", "-q", start});
    const std::string before = bench.checkout();
    const ProcessResult result = bench.build();
    CAPTURE(result.err);
    CHECK(result.exit_code == 0);
    CHECK(bench.checkout() == before);
    CHECK(bench.folder.read("project/a.txt") == "bad\n");
    CHECK(bench.git({"show", kBranch + ":a.txt"}) == "good\n");
    CHECK(result.err.ends_with("pedrocli: " + kGoThere));
    CHECK(result.out.find("- branch: pedrocli/be-good\n- to see it: git switch pedrocli/be-good\n"
                          "- commit: ") != std::string::npos);
  }
}

TEST_CASE("come back: a second job begins at the same commit as the first") {
  ComeBack bench;
  CHECK(bench.build().exit_code == 0);
  CHECK(bench.build().exit_code == 0);
  const std::string main = bench.git({"rev-parse", "main"});
  CHECK(bench.job_branch() == kBranch + "-2");
  CHECK(bench.git({"rev-parse", kBranch + "~1"}) == main);
  CHECK(bench.git({"rev-parse", kBranch + "-2~1"}) == main);
}

TEST_CASE("come back: the user's changes are restored, in the index too") {
  for (const char* base : {"main", "main~1"}) {
    CAPTURE(base);
    ComeBack bench;
    bench.folder.write("project/c.txt", "second\n");
    bench.git({"add", "-A"});
    bench.git({"commit", "-qm", "second"});
    bench.make_dirty();
    const std::string before = bench.checkout();
    const ProcessResult result = bench.build({"-allow-dirty", "-base", base});
    CAPTURE(result.err);
    CAPTURE(result.out);
    CHECK(result.exit_code == 0);
    CHECK(bench.checkout() == before);
    CHECK(bench.git({"show", kBranch + ":a.txt"}) == "good\nhalf\nmine\n");
  }
}

TEST_CASE("come back: a file in the way is kept, and the checkout stays on the branch") {
  ComeBack bench;
  bench.folder.write("project/test.log", "tracked\n");
  bench.git({"add", "-A"});
  bench.git({"commit", "-qm", "a log"});
  const ProcessResult result = bench.build({"-base", "main~1"}, "echo new > test.log");
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(bench.git({"branch", "--show-current"}) == kBranch + "\n");
  CHECK(bench.folder.read("project/test.log") == "new\n");
  CHECK(bench.folder.read("project/a.txt") == "good\n");
  CHECK(result.out.find("- the checkout was not restored: ") != std::string::npos);
  CHECK(result.out.find("test.log") != std::string::npos);
  CHECK(result.err.find(kGoThere) == std::string::npos);
}

TEST_CASE("come back: files that the job does not commit stay in place") {
  ComeBack bench;
  const ProcessResult result = bench.build({}, "echo new > test.log");
  CHECK(result.exit_code == 0);
  CHECK(bench.git({"status", "--porcelain", "--branch"}) == "## main\n?? test.log\n");
}

TEST_CASE("come back: a HEAD that the user has moved stays") {
  ComeBack bench;
  bench.git({"init", "-q", "--bare", bench.folder.at("remote")});
  bench.git({"remote", "add", "origin", bench.folder.at("remote")});
  bench.install_gh(R"([ "$2" = list ] && echo "[]" && exit
git -C ../project -c user.name=t -c user.email=t@localhost commit -q --allow-empty -m mine
echo https://github.com/o/r/pull/1)");
  const ProcessResult result = bench.build({"-push"});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(bench.git({"log", "--format=%s", "-2"}) == "mine\nSay good\n");
  CHECK(bench.git({"branch", "--show-current"}) == kBranch + "\n");
  CHECK(result.out.find("- " + kMoved) != std::string::npos);
}

TEST_CASE("come back: git.stay_on_branch leaves the user on the job's branch") {
  ComeBack bench;
  bench.extra_environment["PEDROCLI_GIT_STAY_ON_BRANCH"] = "true";
  const ProcessResult result = bench.build();
  CHECK(result.exit_code == 0);
  CHECK(bench.git({"status", "--porcelain", "--branch"}) == "## pedrocli/be-good\n");
  CHECK(result.err.ends_with("pedrocli: the work is on branch pedrocli/be-good\n"));
  CHECK(result.out.find("to see it") == std::string::npos);
}

TEST_CASE("come back: a job that was killed before or after the switch goes back when resumed") {
  for (const char* stays : {"true", "false"}) {
    for (const bool is_dirty : {false, true}) {
      CAPTURE(stays);
      CAPTURE(is_dirty);
      ComeBack bench;
      if (is_dirty) bench.make_dirty();
      const std::string before = bench.checkout();
      bench.extra_environment["PEDROCLI_GIT_STAY_ON_BRANCH"] = stays;
      CHECK(bench.build({"-allow-dirty"}, "echo new > test.log").exit_code == 0);
      const std::string commit = bench.git({"rev-parse", kBranch});
      bench.forget_end();
      bench.extra_environment["PEDROCLI_GIT_STAY_ON_BRANCH"] = "false";
      const ProcessResult resumed = bench.run({"resume"});
      CAPTURE(resumed.err);
      CHECK(resumed.exit_code == 0);
      std::filesystem::remove(bench.folder.at("project/test.log"));
      CHECK(bench.checkout() == before);
      CHECK(bench.git({"rev-parse", kBranch}) == commit);
    }
  }
}

TEST_CASE(
    "come back: also after an unfinished job; a resumed one returns to the user's current place") {
  ComeBack bench;
  const ProcessResult limit = bench.build({"-max-rounds", "3"}, "echo new > test.log");
  CAPTURE(limit.err);
  CHECK(limit.exit_code == 6);
  CHECK(bench.git({"status", "--porcelain", "--branch"}) == "## main\n?? test.log\n");
  CHECK(bench.git({"log", "-1", "--format=%s", kBranch}) == "wip: Be good\n");
  bench.folder.write("project/c.txt", "meanwhile\n");
  CHECK(
      bench.run({"resume", "-max-rounds", "9"}).err.find("uncommitted changes; commit or stash") !=
      std::string::npos);
  bench.git({"add", "c.txt"});
  bench.git({"commit", "-qm", "meanwhile"});
  const std::string before = bench.checkout();
  const ProcessResult resumed =
      bench.run({"resume", "-max-rounds", "9"}, typed({kDone, kDelivered}));
  CAPTURE(resumed.err);
  CHECK(resumed.exit_code == 0);
  CHECK(bench.checkout() == before);
  CHECK(bench.git({"show", kBranch + ":a.txt"}) == "good\n");
}

TEST_CASE("come back: no commit of the user on the job's branch is dropped by a resume") {
  ComeBack bench;
  CHECK(bench.build({"-max-rounds", "3"}).exit_code == 6);
  bench.git({"checkout", "-q", kBranch});
  bench.git({"commit", "-q", "--allow-empty", "-m", "mine"});
  for (const char* place : {"main", kBranch.c_str()}) {
    CAPTURE(place);
    bench.git({"checkout", "-q", place});
    const ProcessResult resumed = bench.run({"resume", "-max-rounds", "9"});
    CHECK(resumed.exit_code == 2);
    CHECK(resumed.err.ends_with(
        "pedrocli: branch pedrocli/be-good has commits that are not the job's; "
        "rename it, or begin a new job\n"));
    CHECK(bench.git({"log", "-1", "--format=%s", kBranch}) == "mine\n");
  }
}

TEST_CASE("come back: undo of a job that stayed on its branch") {
  ComeBack bench;
  bench.make_dirty();
  const std::string before = bench.checkout();
  bench.extra_environment["PEDROCLI_GIT_STAY_ON_BRANCH"] = "true";
  CHECK(bench.build({"-allow-dirty"}).exit_code == 0);
  CHECK(bench.run({"undo"}).exit_code == 0);
  CHECK(bench.checkout() == before);
  CHECK(bench.git({"show", kBranch + ":a.txt"}) == "good\nhalf\nmine\n");
}

TEST_CASE("come back: only an issue of the forge is closed by the commit") {
  for (const bool is_local : {true, false}) {
    CAPTURE(is_local);
    ComeBack bench;
    bench.install_gh(kGhIssue);
    if (is_local) {
      bench.folder.write("project/.pedro/issues/3.md", "# Be good\n\na.txt should say good.\n");
      bench.commit_project();
    }
    const ProcessResult result =
        bench.run({"build", "-issue", "3", "-backend", "manual", "-test-cmd", "grep -q good a.txt"},
                  typed({kAnalyzed, kPlanned, kEdit, kDone, kDelivered}));
    CAPTURE(result.err);
    CHECK(result.exit_code == 0);
    CHECK(bench.git({"log", "-1", "--format=%b", "pedrocli/issue-3-be-good"}) ==
          (is_local ? "It said bad.\n\n" : "It said bad.\n\nFixes #3\n\n"));
  }
}

}  // namespace pedro
