#include "agent/work_branch.h"

#include "support/git_folder.h"

using namespace pedro;

namespace {

struct Bench {
  Bench() {
    folder.init();
    folder.put("a.txt", "one\n");
    folder.commit_all("first");
    repository = *Repository::open(files, processes, cancel, folder.tree());
    base = *repository->commit_id();
  }
  std::string current() { return *repository->branch(); }

  GitFolder folder;
  RealFileSystem files;
  RealProcessRunner processes;
  CancelToken cancel;
  std::optional<Repository> repository;
  std::string base;
};

}  // namespace

TEST_CASE("work_branch: leaving goes back to the branch the user was on, and removes its own") {
  Bench bench;
  WorkBranch branch(*bench.repository);
  CHECK(branch.leave().ok());  // nothing made, nothing to leave
  REQUIRE(branch.make("work", bench.base).ok());
  CHECK(branch.name() == "work");
  CHECK(bench.current() == "work");
  bench.cancel.cancel(2);  // the way back works after a Ctrl-C
  REQUIRE(branch.leave().ok());
  CHECK(branch.name().empty());
  CHECK(bench.folder.git({"branch", "--list"}) == "* main");
}

TEST_CASE("work_branch: a detached HEAD is detached again") {
  Bench bench;
  bench.folder.git({"checkout", "--quiet", "--detach"});
  WorkBranch branch(*bench.repository);
  REQUIRE(branch.make("work", bench.base).ok());
  REQUIRE(branch.leave().ok());
  CHECK(bench.current().empty());
  CHECK(*bench.repository->commit_id() == bench.base);
}

TEST_CASE("work_branch: what cannot be made leaves the user where they were") {
  Bench bench;
  WorkBranch branch(*bench.repository);
  CHECK_FALSE(branch.make("a..b", bench.base).ok());
  CHECK(branch.name().empty());
  CHECK(bench.current() == "main");
}
