#include <filesystem>

#include "agent/repository_bench.h"
#include "base/text.h"
#include "git/git_runner.h"

using namespace pedro;

namespace {

// Returns the branch and the commit as git knows them.
GitRunner::Head head_of_git(const GitRunner& git) {
  const std::string ref(trim(git.ask({"symbolic-ref", "--quiet", "HEAD"})->out));
  constexpr std::string_view kBranches = "refs/heads/";
  return {ref.starts_with(kBranches) ? ref.substr(kBranches.size()) : "",
          std::string(trim(git.ask({"rev-parse", "-q", "--verify", "HEAD"})->out))};
}

}  // namespace

TEST_CASE("head file: is what git reads, or is left to git") {
  struct Row {
    const char* script;
    bool has_head;
    bool has_commit;
  };
  const Row rows[] = {
      {"true", true, true},
      {"git switch -q -c topic/a.b", true, true},
      {"git checkout -q --detach", true, true},
      {"git pack-refs --all", true, false},
      {"git pack-refs --all; git commit -q --allow-empty -m two", true, true},
      {"git switch -q --orphan none", true, false},
      {"git symbolic-ref refs/heads/other refs/heads/main; git symbolic-ref HEAD refs/heads/other",
       false, false},
      {"git symbolic-ref HEAD refs/other/main", false, false},
      {"ln -sf refs/heads/main .git/HEAD", false, false},
      {"printf 'ref: refs/heads/.invalid\\n' >.git/HEAD", false, false},
      {"printf 'ref: refs/heads/../heads/main\\n' >.git/HEAD", false, false},
      {"printf 'ref: refs/heads/main\\nx\\n' >.git/HEAD", false, false},
      {"printf 'ref: refs/heads/a\\377\\n' >.git/HEAD", false, false},
  };
  for (const Row& row : rows) {
    CAPTURE(std::string(row.script));
    RepositoryBench bench;
    bench.shell(row.script);
    const std::optional<GitRunner::Head> head = bench.repository->git().read_head();
    CHECK(head.has_value() == row.has_head);
    if (!head) continue;
    const GitRunner::Head expected = head_of_git(bench.repository->git());
    CHECK(head->branch == expected.branch);
    CHECK(head->commit == (row.has_commit ? expected.commit : ""));
  }
}

TEST_CASE("head file: of a linked work tree") {
  RepositoryBench bench;
  bench.folder.git({"worktree", "add", "-q", "-b", "linked", "made"});
  const auto linked =
      Repository::open(bench.files, bench.processes, bench.cancel, bench.folder.at("tree/made"));
  REQUIRE(linked.ok());
  const std::optional<GitRunner::Head> head = linked->git().read_head();
  REQUIRE(head.has_value());
  CHECK(head->branch == "linked");
  CHECK(head->commit == bench.base);
}

TEST_CASE("git runner: repeats the output of a command that cannot change, without a process") {
  RepositoryBench bench;
  const GitRunner& git = bench.repository->git();
  const auto files = git.run_once({"ls-tree", "--name-only", bench.base});
  REQUIRE(files.ok());
  CHECK(*files == "a.txt\n");
  CHECK_FALSE(git.run_once({"ls-tree", "--name-only", "nothing"}).ok());
  std::filesystem::remove_all(bench.folder.at("tree/.git"));
  CHECK(*git.run_once({"ls-tree", "--name-only", bench.base}) == "a.txt\n");
  CHECK_FALSE(git.run_once({"ls-tree", bench.base}).ok());
}
