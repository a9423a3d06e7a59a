#include "git/raw_view.h"

#include <algorithm>
#include <filesystem>

#include "git/checkpoints.h"
#include "git/work_branch.h"
#include "support/git_folder.h"

using namespace pedro;

namespace {

using Committed = std::vector<std::pair<std::string, std::string>>;  // names, bytes

struct RawBench {
  explicit RawBench(const Committed& committed) {
    folder.init();
    for (const auto& [name, bytes] : committed) folder.put(name, bytes);
    folder.commit_all("first");
  }
  // Opens the repository, once the user's files are complete.
  void begin() {
    auto opened = Repository::open(files, processes, cancel, folder.tree());
    REQUIRE(opened.ok());
    repository = std::make_unique<Repository>(*std::move(opened));
    base = *repository->commit_id();
    checkpoints = std::make_unique<Checkpoints>(*repository, "20261121-214500-build-7f3a");
    take(0);
  }
  std::string take(int rounds) {
    const auto taken = checkpoints->take(base, rounds);
    INFO((taken ? "" : taken.error().message));
    REQUIRE(taken.ok());
    return *taken;
  }
  Restored undo(bool only_jobs = false) {
    const auto restored = checkpoints->restore(0, only_jobs);
    INFO((restored ? "" : restored.error().message));
    REQUIRE(restored.ok());
    return *restored;
  }

  GitFolder folder;
  RealFileSystem files;
  RealProcessRunner processes;
  CancelToken cancel;
  std::unique_ptr<Repository> repository;
  std::string base;
  std::unique_ptr<Checkpoints> checkpoints;
};

}  // namespace

TEST_CASE("raw view: attributes that a job writes neither prevent an undo nor change bytes") {
  const char* const kRules[] = {"* working-tree-encoding=UTF-16\n",
                                "* working-tree-encoding=no-such-encoding\n",
                                "* text eol=crlf\n",
                                "* text=auto\n",
                                "* ident\n",
                                "* filter=none\n",
                                "* text eol=lf\n*.txt working-tree-encoding=UTF-16LE-BOM\n",
                                "[attr]text -diff\n* text\n"};
  const Committed kUsers = {
      {"mine.txt", "no byte order mark\n"}, {"crlf.txt", "one\r\ntwo\r\n"},
      {"mixed.txt", "one\r\ntwo\n"},        {"ident.txt", "$Id$ and $Id: 12 $\n"},
      {"latin.txt", "\xe9\xff\n"},          {"zero.bin", std::string("\0\r\n\1", 4)}};
  for (const char* rules : kRules) {
    CAPTURE(rules);
    RawBench bench(Committed{{"f.txt", "bad\n"}, {"tracked.txt", "a\r\nb\n"}});
    for (const auto& [name, bytes] : kUsers) bench.folder.put(name, bytes);
    bench.begin();
    bench.folder.put(".gitattributes", rules);
    bench.folder.put("f.txt", "good\n");
    bench.folder.put("tracked.txt", "a\nb\n");
    for (const auto& [name, bytes] : kUsers) bench.folder.put(name, "the job's\r\n");
    std::filesystem::remove(bench.folder.tree() + "/mine.txt");
    bench.take(1);
    CHECK(bench.undo(true).files == 3 + static_cast<int>(kUsers.size()));
    for (const auto& [name, bytes] : kUsers) CHECK_MESSAGE(bench.folder.get(name) == bytes, name);
    CHECK(bench.folder.get("f.txt") == "bad\n");
    CHECK(bench.folder.get("tracked.txt") == "a\r\nb\n");
    CHECK_FALSE(std::filesystem::exists(bench.folder.tree() + "/.gitattributes"));
  }
}

TEST_CASE("raw view: line ends that the user's attributes hide are part of a checkpoint") {
  for (const bool only_jobs : {false, true}) {
    RawBench bench(Committed{{".gitattributes", "*.txt text\n*.id ident\n"},
                             {"crlf.txt", "one\ntwo\n"},
                             {"lf.txt", "one\ntwo\n"},
                             {"same.txt", "one\n"},
                             {"a.id", "$Id$\n"}});
    bench.folder.put("crlf.txt", "one\r\ntwo\r\n");  // git does not list these as changed
    bench.folder.put("same.txt", "one\r\n");
    bench.folder.put("a.id", "$Id: 1234 $\n");
    bench.begin();
    CHECK(bench.take(1).empty());
    bench.folder.put("crlf.txt", "one\ntwo\n");
    bench.folder.put("lf.txt", "one\r\ntwo\r\n");
    bench.folder.put("a.id", "$Id: 5678 $\n");
    CHECK_FALSE(bench.take(2).empty());
    CHECK(bench.undo(only_jobs).files == 3);
    CHECK(bench.folder.get("crlf.txt") == "one\r\ntwo\r\n");
    CHECK(bench.folder.get("lf.txt") == "one\ntwo\n");
    CHECK(bench.folder.get("same.txt") == "one\r\n");
    CHECK(bench.folder.get("a.id") == "$Id: 1234 $\n");
  }
}

TEST_CASE("raw view: settings that convert are the same as attributes") {
  RawBench bench(Committed{{"a.txt", "one\n"}});
  bench.folder.git({"config", "core.autocrlf", "true"});
  bench.folder.put("a.txt", "one\r\n");
  bench.begin();
  bench.folder.put("a.txt", "one\n");
  bench.take(1);
  CHECK(bench.undo(true).files == 1);
  CHECK(bench.folder.get("a.txt") == "one\r\n");
}

TEST_CASE("raw view: a commit applies attributes where they work, and takes the bytes elsewhere") {
  RawBench bench(Committed{{"a.txt", "one\n"}});
  bench.begin();
  bench.folder.put(".gitattributes", "*.txt text eol=crlf\n*.u16 working-tree-encoding=UTF-16\n");
  bench.folder.put("a.txt", "two\r\n");
  bench.folder.put("b.txt", "three\r\n");
  bench.folder.put("bad.u16", "no byte order mark\n");
  const auto files = bench.repository->changed_files(bench.base);
  REQUIRE(files.ok());
  const auto made = bench.repository->commit(*files, "Work\n");
  INFO((made ? "" : made.error().message));
  REQUIRE(made.ok());
  CHECK(bench.folder.git({"cat-file", "-s", "HEAD:a.txt"}) == "4");
  CHECK(bench.folder.git({"cat-file", "-s", "HEAD:b.txt"}) == "6");
  CHECK(bench.folder.git({"show", "HEAD:bad.u16"}) == "no byte order mark");
  CHECK(bench.folder.git({"diff", "--cached", "--name-only"}).empty());
}

TEST_CASE("raw view: the way back from a commit has the bytes of the user's changes") {
  RawBench bench(
      Committed{{".gitattributes", "*.txt text\n"}, {"a.txt", "one\n"}, {"b.txt", "one\n"}});
  bench.folder.put("a.txt", "mine\r\n");
  std::filesystem::remove(bench.folder.tree() + "/b.txt");
  bench.begin();
  const std::string before = *bench.checkpoints->at(0);
  WorkBranch branch(*bench.repository);
  REQUIRE(branch.make("work", bench.base).ok());
  bench.folder.put("a.txt", "the job's\n");
  bench.folder.put("b.txt", "the job's\n");
  const auto made = bench.repository->commit({{"a.txt"}, {"b.txt"}}, "by the job\n");
  REQUIRE(made.ok());
  Delivery delivery;
  delivery.commit = made->id;
  delivery.mixed = {"a.txt", "b.txt"};
  const Status back = branch.come_back(delivery, before);
  INFO((back ? "" : back.error().message));
  REQUIRE(back.ok());
  CHECK(bench.folder.get("a.txt") == "mine\r\n");
  CHECK_FALSE(std::filesystem::exists(bench.folder.tree() + "/b.txt"));
  CHECK(bench.folder.git({"status", "--porcelain"}) == "M a.txt\n D b.txt");
}

TEST_CASE("raw view: files of any kind and name are saved, and large ones") {
  RawBench bench(Committed{{"a.txt", "one\n"}});
  const std::string large(9u << 20, 'x');
  const std::string odd = "line\nend \"quoted\" \xff";
  bench.folder.put("large.bin", large + "\r\n");
  bench.folder.put(odd, "odd\n");
  bench.folder.put("\"q", "q\n");
  std::filesystem::create_symlink("nowhere", bench.folder.tree() + "/link");
  bench.begin();
  for (const std::string& name :
       {std::string("large.bin"), odd, std::string("\"q"), std::string("link")}) {
    std::filesystem::remove(bench.folder.tree() + "/" + name);
  }
  bench.take(1);
  CHECK(bench.undo(true).files == 4);
  CHECK(bench.folder.get("large.bin") == large + "\r\n");
  CHECK(bench.folder.get(odd) == "odd\n");
  CHECK(bench.folder.get("\"q") == "q\n");
  CHECK(std::filesystem::read_symlink(bench.folder.tree() + "/link") == "nowhere");
}

TEST_CASE("raw view: files of git LFS come back from git LFS, and are in no checkpoint") {
  if (RealProcessRunner().find("git-lfs").empty()) {
    MESSAGE("skipped: git-lfs is not installed");
    return;
  }
  RawBench bench(Committed{{"a.txt", "one\n"}});
  bench.folder.git({"lfs", "install", "--local", "--skip-repo"});
  bench.folder.put(".gitattributes", "*.bin filter=lfs diff=lfs merge=lfs -text\n");
  bench.folder.put("data.bin", "many bytes\n");
  bench.folder.put("other.bin", "more bytes\n");
  bench.folder.commit_all("lfs");
  bench.begin();
  CHECK(bench.folder.git({"show", *bench.checkpoints->at(0) + ":data.bin"}).starts_with("version"));
  bench.folder.put("data.bin", "the job's\n");
  bench.take(1);
  CHECK(bench.undo(true).files == 1);
  CHECK(bench.folder.get("data.bin") == "many bytes\n");
  CHECK(bench.folder.get("other.bin") == "more bytes\n");
  CHECK(bench.folder.git({"status", "--porcelain"}).empty());
}

TEST_CASE("raw view: a ref that is a link is replaced, not followed") {
  RawBench bench(Committed{{"a.txt", "one\n"}});
  const std::string name = "refs/pedrocli/20261121-214500-build-7f3a/checkpoint/0";
  bench.folder.git({"symbolic-ref", name, "refs/heads/main"});
  bench.folder.put("a.txt", "two\n");
  const std::string main = bench.folder.git({"rev-parse", "main"});
  bench.begin();
  CHECK(bench.folder.git({"rev-parse", "main"}) == main);
  CHECK(bench.folder.git({"rev-parse", name}) == *bench.checkpoints->at(0));
}
