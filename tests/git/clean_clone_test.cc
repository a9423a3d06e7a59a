#include "git/clean_clone.h"

#include <filesystem>

#include "agent/repository_bench.h"
#include "base/text.h"

using namespace pedro;

namespace {

struct CloneBench : RepositoryBench {
  CleanClone clone(const std::string& branch = "") {
    auto made = CleanClone::make(*repository, folder.at("clone"), base, branch);
    CAPTURE((made ? "" : made.error().message));
    REQUIRE(made.ok());
    return *std::move(made);
  }
  std::string git_there(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"-C", folder.at("clone")});
    return folder.ask(std::move(arguments));
  }
};

}  // namespace

TEST_CASE("clean clone: has the files of the commit, branches as a clone has, and tags") {
  CloneBench bench;
  bench.folder.git({"branch", "topic"});
  bench.folder.git({"tag", "v1"});
  bench.folder.put("a.txt", "changed\n");
  bench.folder.put("ignored", "x\n");
  const CleanClone clone = bench.clone("topic");
  CHECK(std::filesystem::is_directory(bench.folder.at("clone/.git")));
  CHECK(bench.folder.read("clone/a.txt") == "one\n");
  CHECK_FALSE(std::filesystem::exists(bench.folder.at("clone/ignored")));
  CHECK(bench.git_there({"for-each-ref", "--format=%(refname)"}) ==
        "refs/heads/topic\nrefs/remotes/origin/main\nrefs/remotes/origin/topic\nrefs/tags/v1");
  CHECK(bench.git_there({"status", "--short", "--branch"}) == "## topic");
  CHECK(bench.folder.git({"worktree", "list"}).find("clone") == std::string::npos);
}

TEST_CASE("clean clone: has nothing that a clone lacks") {
  CloneBench bench;
  bench.folder.git({"config", "my.setting", "1"});
  bench.folder.put("a.txt", "stashed\n");
  bench.folder.git({"stash", "-q"});
  std::filesystem::create_directories(bench.folder.at("tree/.git/info"));
  bench.folder.put(".git/info/attributes", "a.txt text eol=crlf\n");
  const CleanClone clone = bench.clone();
  CHECK(bench.git_there({"config", "my.setting"}) == "");
  CHECK(bench.git_there({"rev-parse", "-q", "--verify", "refs/stash"}) == "");
  CHECK(bench.git_there({"rev-parse", "-q", "--verify", "refs/heads/main"}) == "");
  CHECK(bench.folder.read("clone/a.txt") == "one\n");
  CHECK(bench.git_there({"symbolic-ref", "-q", "HEAD"}) == "");
}

TEST_CASE("clean clone: of any kind of repository") {
  struct Row {
    const char* name;
    const char* script;  // makes the source `made`
  };
  const Row rows[] = {
      {"shallow", "git clone -q --depth=1 file://$PWD made"},
      {"a linked work tree", "git worktree add -q -b linked made"},
      {"one of a shallow clone",
       "git clone -q --depth=1 file://$PWD s; git -C s worktree add -q -b linked ../made"},
      {"with borrowed objects", "git clone -q -s . made"},
      {"with packed refs", "git clone -q . made; git -C made pack-refs --all"},
      {"with a submodule",
       "git clone -q . made; cd made; git -c protocol.file.allow=always submodule --quiet add "
       "file://$PWD/../.git sub; git commit -qm sub"},
      {"SHA-256",
       "git init -q --object-format=sha256 made; cp a.txt made; cd made; git add -A; git commit "
       "-qm one; git tag -am note v1"},
      {"a separate git folder", "git clone -q --separate-git-dir ../apart . made"},
      {"a path with a quote", "git clone -q . 'ma\"d\\e'; ln -s 'ma\"d\\e' made"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    CloneBench bench;
    bench.folder.put("a.txt", "two\n");
    bench.folder.commit_all("second");
    bench.shell(row.script);
    bench.repository =
        *Repository::open(bench.files, bench.processes, bench.cancel, bench.folder.at("tree/made"));
    bench.base = *bench.repository->commit_id();
    const CleanClone clone = bench.clone("topic");
    CHECK(bench.folder.read("clone/a.txt") == "two\n");
    CHECK(bench.git_there({"rev-parse", "HEAD", "topic"}) == bench.base + "\n" + bench.base);
    CHECK(bench.git_there({"status", "--short"}) == "");
    CHECK(bench.git_there({"log", "--format=%s"}) ==
          bench.folder.git({"-C", "made", "log", "--format=%s"}));
    CHECK(bench.git_there({"fsck"}) == "");
  }
}

TEST_CASE("clean clone: a failure leaves nothing, and an existing folder is not touched") {
  CloneBench bench;
  const std::string path = bench.folder.at("clone");
  CHECK_FALSE(CleanClone::make(*bench.repository, path, "nothing", "").ok());
  CHECK_FALSE(std::filesystem::exists(path));
  std::filesystem::create_directories(path + "/kept");
  const auto there = CleanClone::make(*bench.repository, path, bench.base, "");
  REQUIRE_FALSE(there.ok());
  CHECK(there.error().message == path + ": already exists");
  CHECK(std::filesystem::exists(path + "/kept"));
}
