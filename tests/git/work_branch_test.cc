#include "git/work_branch.h"

#include <filesystem>
#include <functional>

#include "agent/repository_bench.h"
#include "base/text.h"

using namespace pedro;

namespace {

struct WorkBranchBench : RepositoryBench {
  std::string current() { return *repository->branch(); }
};

}  // namespace

TEST_CASE("work_branch: leaving goes back to the branch the user was on, and removes its own") {
  WorkBranchBench bench;
  WorkBranch branch(*bench.repository);
  CHECK(branch.leave().ok());  // no branch was created, so there is nothing to leave
  REQUIRE(branch.make("work", bench.base).ok());
  CHECK(branch.name() == "work");
  CHECK(bench.current() == "work");
  bench.cancel.cancel(2);  // returning works after Ctrl-C
  REQUIRE(branch.leave().ok());
  CHECK(branch.name().empty());
  CHECK(bench.folder.git({"branch", "--list"}) == "* main");
}

TEST_CASE("work_branch: a detached HEAD is detached again") {
  WorkBranchBench bench;
  bench.folder.git({"checkout", "--quiet", "--detach"});
  WorkBranch branch(*bench.repository);
  REQUIRE(branch.make("work", bench.base).ok());
  REQUIRE(branch.leave().ok());
  CHECK(bench.current().empty());
  CHECK(*bench.repository->commit_id() == bench.base);
}

TEST_CASE("work_branch: the model's commits are undone, and no file changes") {
  WorkBranchBench bench;
  bench.folder.put("a.txt", "mine\n");
  bench.folder.put("new.txt", "mine too\n");
  WorkBranch branch(*bench.repository);
  REQUIRE(branch.make("work", bench.base).ok());
  bench.folder.commit_all("by the model");
  bench.folder.git({"checkout", "--quiet", "-b", "elsewhere"});
  REQUIRE(branch.leave().ok());
  CHECK(bench.current() == "main");
  CHECK(bench.folder.get("a.txt") == "mine\n");
  CHECK(bench.folder.get("new.txt") == "mine too\n");
  CHECK(*bench.repository->commit_id() == bench.base);
  CHECK(bench.folder.git({"branch", "--list"}) == "elsewhere\n* main");
}

TEST_CASE("work_branch: a job without its own branch keeps HEAD in place") {
  WorkBranchBench bench;
  WorkBranch branch(*bench.repository);
  REQUIRE(branch.make("", bench.base).ok());
  bench.folder.put("a.txt", "two\n");
  bench.folder.commit_all("by the model");
  REQUIRE(branch.leave().ok());
  CHECK(*bench.repository->commit_id("main") == bench.base);
  CHECK(bench.folder.get("a.txt") == "two\n");
}

TEST_CASE("work_branch: another base is left by switching back") {
  WorkBranchBench bench;
  bench.folder.put("a.txt", "two\n");
  bench.folder.commit_all("second");
  WorkBranch branch(*bench.repository);
  REQUIRE(branch.make("work", bench.base).ok());
  CHECK(bench.folder.get("a.txt") == "one\n");
  REQUIRE(branch.leave().ok());
  CHECK(bench.folder.get("a.txt") == "two\n");
  CHECK(bench.current() == "main");
}

TEST_CASE("work_branch: a branch that a command has moved is not checked out") {
  WorkBranchBench bench;
  bench.folder.put("a.txt", "two\n");
  bench.folder.commit_all("second");
  const std::string second = *bench.repository->commit_id();
  bench.folder.put(".pedrocli.json", R"({"checks": ["evil"]})");
  bench.folder.commit_all("evil");
  const std::string evil = *bench.repository->commit_id();
  bench.folder.git({"reset", "-q", "--hard", second});

  WorkBranch branch(*bench.repository);
  REQUIRE(branch.make("work", bench.base).ok());
  bench.folder.git({"update-ref", "refs/heads/main", evil});
  const Status left = branch.leave();
  REQUIRE_FALSE(left.ok());
  CHECK(left.error().message.find("branch main was moved from ") == 0);
  CHECK_FALSE(std::filesystem::exists(bench.folder.at("tree/.pedrocli.json")));

  bench.folder.git({"update-ref", "refs/heads/main", second});
  bench.folder.git({"update-ref", "refs/heads/work", evil});
  bench.folder.git({"checkout", "-q", "--force", "main"});
  WorkBranch again(*bench.repository);
  REQUIRE(again.resume(branch.place(), {}).ok());
  CHECK(bench.current() == "work");
  CHECK(*bench.repository->commit_id() == bench.base);
  CHECK_FALSE(std::filesystem::exists(bench.folder.at("tree/.pedrocli.json")));
}

TEST_CASE("work_branch: reports changes of other branches") {
  WorkBranchBench bench;
  bench.folder.git({"branch", "old"});
  WorkBranch branch(*bench.repository);
  REQUIRE(branch.make("work", bench.base).ok());
  CHECK(branch.moved_branches()->empty());
  bench.folder.put("a.txt", "two\n");
  bench.folder.commit_all("by the model");
  const std::string moved = bench.repository->commit_id()->substr(0, 8);
  const std::string base = bench.base.substr(0, 8);
  bench.folder.git({"branch", "--force", "main"});
  bench.folder.git({"branch", "new"});
  bench.folder.git({"branch", "-D", "old"});
  const std::vector<std::string> expected = {"main: was moved from " + base + " to " + moved,
                                             "new: was made, at " + moved,
                                             "old: was removed, it was at " + base};
  CHECK(*branch.moved_branches() == expected);
}

TEST_CASE("work_branch: a name that is taken gets a number") {
  WorkBranchBench bench;
  bench.folder.git({"branch", "work"});
  WorkBranch branch(*bench.repository);
  REQUIRE(branch.make("work", bench.base).ok());
  CHECK(branch.name() == "work-2");
}

TEST_CASE("work_branch: a branch that cannot be made leaves the user's branch") {
  WorkBranchBench bench;
  WorkBranch branch(*bench.repository);
  CHECK_FALSE(branch.make("a..b", bench.base).ok());
  CHECK(branch.name().empty());
  CHECK(bench.current() == "main");
}

TEST_CASE("work_branch: a job continues on its branch, wherever the user went meanwhile") {
  struct Case {
    const char* name;
    std::function<void(RepositoryBench&)> meanwhile;
    bool refused;
  };
  const std::vector<Case> cases = {
      {"nowhere", [](RepositoryBench&) {}, false},
      {"committed", [](RepositoryBench& bench) { bench.folder.commit_all("unfinished"); }, false},
      {"to another branch",
       [](RepositoryBench& bench) {
         bench.folder.commit_all("unfinished");
         bench.folder.git({"checkout", "--quiet", "main"});
       },
       false},
      {"removed it",
       [](RepositoryBench& bench) {
         bench.folder.commit_all("unfinished");
         bench.folder.git({"checkout", "--quiet", "main"});
         bench.folder.git({"branch", "--quiet", "-D", "work"});
       },
       false},
      {"elsewhere, with changes",
       [](RepositoryBench& bench) {
         bench.folder.git({"checkout", "--quiet", "main"});
       },
       true},
  };
  for (const Case& one : cases) {
    CAPTURE(one.name);
    WorkBranchBench bench;
    WorkBranch before(*bench.repository);
    REQUIRE(before.make("work", bench.base).ok());
    bench.folder.put("a.txt", "mine\n");
    one.meanwhile(bench);
    WorkBranch after(*bench.repository);
    const Status resumed = after.resume(before.place(), {});
    CHECK(resumed.ok() != one.refused);
    if (one.refused) {
      CHECK(resumed.error().message.find("commit or stash them first") != std::string::npos);
      continue;
    }
    CHECK(bench.current() == "work");
    CHECK(*bench.repository->commit_id() == bench.base);
    CHECK(after.name() == "work");
    CHECK(bench.folder.git({"diff", "--cached", "--name-only"}).empty());
  }
}

TEST_CASE("work_branch: a job without a branch resumes only at the same HEAD") {
  WorkBranchBench bench;
  WorkBranch before(*bench.repository);
  REQUIRE(before.make("", bench.base).ok());
  CHECK(WorkBranch(*bench.repository).resume(before.place(), {}).ok());
  bench.folder.put("a.txt", "mine\n");
  bench.folder.commit_all("moved");
  const Status resumed = WorkBranch(*bench.repository).resume(before.place(), {});
  REQUIRE_FALSE(resumed.ok());
  CHECK(resumed.error().message.find("on 'main'; check that out first") != std::string::npos);
}

TEST_CASE("work_branch: does not go back after a commit if HEAD or a branch was moved") {
  struct Case {
    const char* name;
    std::function<void(RepositoryBench&)> meanwhile;
    std::string error;
  };
  const auto commit_on = [](const char* branch) {
    return [branch](RepositoryBench& bench) {
      bench.folder.git({"checkout", "--quiet", branch});
      bench.folder.git({"commit", "--quiet", "--allow-empty", "-m", "mine"});
    };
  };
  const std::vector<Case> cases = {
      {"nothing", [](RepositoryBench&) {}, ""},
      {"the job's branch", commit_on("work"), "HEAD was moved meanwhile"},
      {"HEAD", commit_on("main"), "HEAD was moved meanwhile"},
      {"the user's branch",
       [](RepositoryBench& bench) {
         bench.folder.git({"branch", "--quiet", "-M", "main", "gone"});
       },
       "branch main was moved from {base} to nowhere meanwhile; check it out yourself"},
      {"a file", [](RepositoryBench& bench) { bench.folder.put("a.txt", "mine\n"); },
       "git checkout: error: Your local changes to the following files would be overwritten by "
       "checkout:\n\ta.txt"},
  };
  for (const Case& one : cases) {
    CAPTURE(one.name);
    WorkBranchBench bench;
    WorkBranch branch(*bench.repository);
    REQUIRE(branch.make("work", bench.base).ok());
    bench.folder.put("a.txt", "two\n");
    bench.folder.commit_all("by the job");
    Delivery delivery;
    delivery.commit = *bench.repository->commit_id();
    one.meanwhile(bench);
    const std::string head = bench.folder.git({"rev-parse", "HEAD"});
    const std::string file = bench.folder.get("a.txt");
    const Status back = branch.come_back(delivery, "");
    CHECK(back.ok() == one.error.empty());
    if (back) {
      CHECK(bench.current() == "main");
      CHECK(bench.folder.get("a.txt") == "one\n");
      continue;
    }
    const std::string error = replace_all(one.error, "{base}", bench.base.substr(0, 8));
    CHECK(back.error().message.substr(0, error.size()) == error);
    CHECK(bench.folder.git({"rev-parse", "HEAD"}) == head);
    CHECK(bench.folder.get("a.txt") == file);
  }
}

TEST_CASE("work_branch: the way back keeps the index, also entries without contents") {
  WorkBranchBench bench;
  bench.folder.put("n.txt", "new\n");
  bench.folder.git({"add", "--intent-to-add", "n.txt"});
  bench.folder.put("s.txt", "staged\n");
  bench.folder.git({"add", "s.txt"});
  const auto index = [&bench] {
    return bench.folder.git({"status", "--porcelain"}) + bench.folder.git({"ls-files", "--stage"}) +
           bench.folder.git({"diff"});
  };
  const std::string before = index();
  CHECK(before.starts_with("A n.txt"));
  WorkBranch branch(*bench.repository);
  REQUIRE(branch.make("work", bench.base).ok());
  bench.folder.put("a.txt", "two\n");
  const auto made = bench.repository->commit({{"a.txt"}}, "by the job\n");
  REQUIRE(made.ok());
  Delivery delivery;
  delivery.commit = made->id;
  REQUIRE(branch.come_back(delivery, "").ok());
  CHECK(index() == before);
}

TEST_CASE("work_branch: the way back keeps entries without contents that the job committed") {
  WorkBranchBench bench;
  bench.folder.put("empty.txt", "");
  bench.folder.git({"add", "empty.txt"});
  bench.folder.put("n.txt", "new\n");
  bench.folder.put("gone \"q\".txt", "new\n");
  bench.folder.git({"add", "--intent-to-add", "n.txt", "gone \"q\".txt"});
  const std::string before =
      bench.folder.git({"status", "--porcelain"}) + bench.folder.git({"ls-files", "--stage"});
  WorkBranch branch(*bench.repository);
  REQUIRE(branch.make("work", bench.base).ok());
  bench.folder.put("n.txt", "the job's\n");
  const auto made = bench.repository->commit({{"n.txt"}, {"gone \"q\".txt"}}, "by the job\n");
  REQUIRE(made.ok());
  Delivery delivery;
  delivery.commit = made->id;
  REQUIRE(branch.come_back(delivery, "").ok());
  bench.folder.put("n.txt", "new\n");
  bench.folder.put("gone \"q\".txt", "new\n");
  REQUIRE(bench.repository->restage(branch.place().staged).ok());
  CHECK(bench.folder.git({"status", "--porcelain"}) + bench.folder.git({"ls-files", "--stage"}) ==
        before);
}

TEST_CASE("work_branch: the way back keeps marks of files that the job changed") {
  WorkBranchBench bench;
  bench.folder.put("skip \"q\".txt", "one\n");
  bench.folder.put("assume.txt", "one\n");
  bench.folder.put("both.txt", "one\n");
  bench.folder.commit_all("marked");
  bench.base = bench.folder.git({"rev-parse", "HEAD"});
  bench.folder.git({"update-index", "--skip-worktree", "skip \"q\".txt", "both.txt"});
  bench.folder.git({"update-index", "--assume-unchanged", "assume.txt", "both.txt"});
  const std::string before = bench.folder.git({"ls-files", "-v", "-s"});
  WorkBranch branch(*bench.repository);
  REQUIRE(branch.make("work", bench.base).ok());
  const std::vector<std::string> names = {"a.txt", "skip \"q\".txt", "assume.txt", "both.txt"};
  std::vector<ChangedFile> changed;
  for (const std::string& name : names) {
    bench.folder.put(name, "the job's\n");
    changed.push_back({name});
  }
  const auto made = bench.repository->commit(changed, "by the job\n");
  REQUIRE(made.ok());
  Delivery delivery;
  delivery.commit = made->id;
  delivery.marks = made->marks;
  REQUIRE(branch.come_back(delivery, "").ok());
  CHECK(bench.folder.git({"ls-files", "-v", "-s"}) == before);
  for (const std::string& name : names) CHECK(bench.folder.get(name) == "one\n");
}

TEST_CASE("work_branch: moves of the user stay if commands cannot move HEAD") {
  WorkBranchBench bench;
  WorkBranch branch(*bench.repository, true);
  REQUIRE(branch.make("work", bench.base).ok());
  bench.folder.put("a.txt", "two\n");
  bench.folder.commit_all("by the user");
  const std::string commit = *bench.repository->commit_id();
  const Status left = branch.leave();
  REQUIRE_FALSE(left.ok());
  CHECK(left.error().message == "branch work has commits that are not the job's; it stays");
  CHECK(*bench.repository->commit_id("work") == commit);

  WorkBranch other(*bench.repository, true);
  REQUIRE(other.make("more", bench.base).ok());
  bench.folder.git({"switch", "-q", "main"});
  bench.folder.put("b.txt", "mine\n");
  bench.folder.commit_all("on main");
  REQUIRE(other.leave().ok());
  CHECK(bench.current() == "main");
  CHECK(bench.folder.get("b.txt") == "mine\n");
  CHECK(bench.folder.git({"branch", "--list", "more"}) == "");

  WorkBranch none(*bench.repository, true);
  REQUIRE(none.make("", bench.base).ok());
  bench.folder.put("b.txt", "more\n");
  bench.folder.commit_all("during a job without a branch");
  const std::string last = *bench.repository->commit_id();
  REQUIRE(none.leave().ok());
  CHECK(*bench.repository->commit_id("main") == last);
}

TEST_CASE("work_branch: a killed job does not resume over commits of the user") {
  WorkBranchBench bench;
  WorkBranch branch(*bench.repository, true);
  REQUIRE(branch.make("work", bench.base).ok());
  bench.folder.put("a.txt", "two\n");
  SUBCASE("a commit of the user") {
    bench.folder.commit_all("by the user");
    const std::string commit = *bench.repository->commit_id();
    const Status resumed = WorkBranch(*bench.repository, true).resume(branch.place(), {});
    REQUIRE_FALSE(resumed.ok());
    CHECK(resumed.error().message.find("branch work has commits that are not the job's") == 0);
    CHECK(*bench.repository->commit_id("work") == commit);
  }
  SUBCASE("its own commit, before it was recorded") {
    REQUIRE(bench.repository->commit(*bench.repository->changed_files(bench.base), "own\n").ok());
    CHECK(WorkBranch(*bench.repository, true).resume(branch.place(), {}).ok());
    CHECK(*bench.repository->commit_id("work") == bench.base);
    CHECK(bench.folder.get("a.txt") == "two\n");
  }
}

TEST_CASE("work_branch: a file may be called HEAD, or like a branch") {
  WorkBranchBench bench;
  for (const char* name : {"HEAD", "main", "work"}) bench.folder.put(name, "x\n");
  bench.folder.commit_all("names");
  const std::string base = *bench.repository->commit_id();
  WorkBranch branch(*bench.repository, true);
  REQUIRE(branch.make("work", base).ok());
  CHECK(branch.leave().ok());
  CHECK(bench.current() == "main");
  CHECK(bench.repository->unstage().ok());
}
