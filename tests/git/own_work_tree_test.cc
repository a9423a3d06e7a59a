#include "git/own_work_tree.h"

#include <algorithm>
#include <set>
#include <thread>

#include "agent/repository_bench.h"
#include "git/work_branch.h"

namespace pedro {
namespace {

struct OwnWorkTreeBench : RepositoryBench {
  std::string own(const std::string& name = "one") const {
    return folder.at("state/trees/" + name);
  }
  OwnWorkTree make(const std::string& name = "one") {
    auto made = OwnWorkTree::make(*repository, own(name), base);
    INFO((made.ok() ? "" : made.error().message));
    REQUIRE(made.ok());
    return *std::move(made);
  }
  void put_in_own(const std::string& name, const std::string& bytes) const {
    folder.write("state/trees/one/" + name, bytes);
  }
  /// The parts of the user's work tree and repository that a job must not change.
  std::string users() const {
    return folder.git({"status", "--porcelain"}) + "\n" + folder.git({"rev-parse", "HEAD"}) + "\n" +
           folder.git({"symbolic-ref", "HEAD"}) + "\n" + folder.git({"diff", "--cached"}) +
           folder.get("a.txt");
  }
};

}  // namespace

TEST_CASE("own work tree: has the committed files, and leaves the user's files, index and HEAD") {
  OwnWorkTreeBench bench;
  bench.folder.put("a.txt", "mine\n");
  bench.folder.put("staged.txt", "mine\n");
  bench.folder.git({"add", "staged.txt"});
  const std::string before = bench.users();
  const OwnWorkTree own = bench.make();
  CHECK(bench.folder.read("state/trees/one/a.txt") == "one\n");
  CHECK(own.path() == bench.own());
  CHECK(own.repository().branch()->empty());
  WorkBranch branch(own.repository());
  REQUIRE(branch.make("work", bench.base).ok());
  bench.put_in_own("a.txt", "two\n");
  REQUIRE(own.repository().commit(*own.repository().changed_files("HEAD"), "second").ok());
  CHECK_FALSE(*own.has_work());
  REQUIRE(own.remove().ok());
  CHECK_FALSE(std::filesystem::exists(bench.own()));
  CHECK(bench.users() == before);
  CHECK(bench.folder.git({"show", "work:a.txt"}) == "two");
  CHECK(bench.folder.git({"worktree", "list"}).find("state") == std::string::npos);
}

TEST_CASE("own work tree: content that exists nowhere else is work") {
  OwnWorkTreeBench bench;
  bench.folder.put(".gitignore", "ignored\n");
  bench.folder.commit_all("second");
  bench.base = *bench.repository->commit_id();
  const OwnWorkTree own = bench.make();
  CHECK_FALSE(*own.has_work());
  bench.put_in_own("ignored", "x");
  CHECK_FALSE(*own.has_work());
  bench.put_in_own("new.txt", "x");
  CHECK(*own.has_work());
  REQUIRE(own.repository().commit(*own.repository().changed_files("HEAD"), "loose").ok());
  CHECK(*own.has_work());  // HEAD is detached, so no branch contains the commit
  bench.folder.git({"branch", "keeps", own.repository().commit_id()->c_str()});
  CHECK_FALSE(*own.has_work());
  bench.put_in_own("a.txt", "changed");
  CHECK(*own.has_work());
}

TEST_CASE("own work tree: is removed with unreadable folders, and after a Ctrl-C") {
  OwnWorkTreeBench bench;
  const OwnWorkTree own = bench.make();
  bench.put_in_own("locked/inside/x", "x");
  std::filesystem::create_symlink(bench.folder.tree(), bench.own() + "/locked/link");
  std::filesystem::permissions(bench.own() + "/locked/inside", std::filesystem::perms::none);
  std::filesystem::permissions(bench.own() + "/locked", std::filesystem::perms::none);
  bench.cancel.cancel(2);
  REQUIRE(own.remove().ok());
  CHECK_FALSE(std::filesystem::exists(bench.own()));
  CHECK(bench.folder.get("a.txt") == "one\n");
}

TEST_CASE("own work tree: a leftover one is found from its folder alone") {
  OwnWorkTreeBench bench;
  bench.make();
  auto found = OwnWorkTree::find(bench.files, bench.processes, bench.cancel, bench.own());
  REQUIRE(found.ok());
  CHECK(found->main_root() == bench.folder.tree());
  CHECK_FALSE(*found->has_work());
  REQUIRE(found->remove().ok());
  CHECK(bench.folder.git({"worktree", "list"}).find("state") == std::string::npos);

  const auto message = [&bench](const std::string& path) {
    const auto none = OwnWorkTree::find(bench.files, bench.processes, bench.cancel, path);
    return none.ok() ? "" : none.error().message;
  };
  CHECK(message(bench.folder.tree()) ==
        bench.folder.tree() + ": the work tree it was made from is gone");
  bench.folder.write("tree/below/x", "x");
  CHECK(message(bench.folder.tree() + "/below") ==
        bench.folder.tree() + "/below: is not the top of a work tree of git");
  std::filesystem::create_directories(bench.own());
  CHECK(message(bench.own()).find("not in a git work tree") != std::string::npos);
}

TEST_CASE("own work tree: neither hooks nor programs of the repository run when it is made") {
  OwnWorkTreeBench bench;
  bench.folder.put(".gitattributes", "*.txt filter=evil\n");
  bench.folder.commit_all("second");
  bench.base = *bench.repository->commit_id();
  bench.folder.git({"config", "filter.evil.smudge", "touch " + bench.folder.at("ran") + "; cat"});
  bench.folder.git({"config", "filter.evil.required", "true"});
  const std::string hook = bench.folder.write("tree/.git/hooks/post-checkout",
                                              "#!/bin/sh\ntouch " + bench.folder.at("ran") + "\n");
  std::filesystem::permissions(hook, std::filesystem::perms::all);
  bench.repository =
      *Repository::open(bench.files, bench.processes, bench.cancel, bench.folder.tree());
  bench.make();
  CHECK(bench.folder.read("state/trees/one/a.txt") == "one\n");
  CHECK_FALSE(std::filesystem::exists(bench.folder.at("ran")));
}

TEST_CASE("own work tree: an existing folder is an error, and stays") {
  OwnWorkTreeBench bench;
  bench.folder.write("state/trees/one/x", "mine");
  const auto made = OwnWorkTree::make(*bench.repository, bench.own(), bench.base);
  REQUIRE_FALSE(made.ok());
  CHECK(made.error().message.find("already exists") != std::string::npos);
  CHECK(bench.folder.read("state/trees/one/x") == "mine");
}

TEST_CASE("own work tree: eight at one moment, and each gets a branch of its own") {
  OwnWorkTreeBench bench;
  constexpr int kJobs = 8;
  std::vector<std::string> names(kJobs);
  std::vector<std::string> problems(kJobs);
  std::vector<std::thread> jobs;
  for (std::size_t i = 0; i < kJobs; ++i) {
    jobs.emplace_back([&, i] {
      auto own = OwnWorkTree::make(*bench.repository, bench.own(std::to_string(i)), bench.base);
      if (!own) {
        problems[i] = own.error().message;
        return;
      }
      WorkBranch branch(own->repository());
      if (Status made = branch.make("work", bench.base); !made) problems[i] = made.error().message;
      names[i] = branch.name();
    });
  }
  for (std::thread& job : jobs) job.join();
  for (const std::string& problem : problems) CHECK(problem == "");
  std::set<std::string> expected = {"work"};
  for (int i = 2; i <= kJobs; ++i) expected.insert("work-" + std::to_string(i));
  CHECK(std::set<std::string>(names.begin(), names.end()) == expected);
}

}  // namespace pedro
