#include "git/repository.h"

#include <filesystem>

#include "agent/repository_bench.h"
#include "git/branch_push.h"
#include "git/commit_files.h"
#include "git/delivery.h"
#include "support/git_folder.h"

using namespace pedro;

namespace {

struct RepositoryWorld {
  Result<Repository> try_open(const std::string& path) {
    return Repository::open(files, processes, cancel, path);
  }
  Repository open() {
    auto repository = try_open(folder.tree());
    REQUIRE(repository.ok());
    return *repository;
  }
  /// A repository with a.txt and src/b.txt in one commit.
  Repository with_commit() {
    folder.init();
    folder.put("a.txt", "one\n");
    folder.put("src/b.txt", "two\n");
    folder.put(".gitignore", "*.log\n");
    folder.commit_all("first");
    return open();
  }

  GitFolder folder;
  RealFileSystem files;
  RealProcessRunner processes;
  CancelToken cancel;
};

std::string shown(const Result<std::vector<ChangedFile>>& files) {
  REQUIRE(files.ok());
  std::string text;
  for (const ChangedFile& file : *files) {
    text += "AMD"[static_cast<int>(file.kind)];
    text += (file.generated ? "* " : " ") + file.path + "\n";
  }
  return text;
}

}  // namespace

TEST_CASE("repository: links of a commit with their targets") {
  RepositoryWorld bench;
  const Repository repository = bench.with_commit();
  CHECK(CommitFiles(repository.git()).links("HEAD")->empty());
  const std::string tree = bench.folder.tree();
  std::filesystem::create_directory_symlink("src", tree + "/code");
  std::filesystem::create_symlink("../a.txt", tree + "/src/to a");
  std::filesystem::create_symlink("/none", tree + "/gone");
  bench.folder.commit_all("links");
  CHECK(*CommitFiles(repository.git()).links("HEAD") ==
        std::map<std::string, std::string>{
            {"code", "src"}, {"gone", "/none"}, {"src/to a", "../a.txt"}});
}

TEST_CASE("repository: texts of many files of a commit") {
  RepositoryWorld bench;
  (void)bench.with_commit();
  const std::map<std::string, std::string> texts = {
      {"a.txt", "one\n"},    {"b\n.txt", "no end"}, {"c.txt", ""},
      {"copy.txt", "one\n"}, {"d.txt", "\n\n"},     {"src/e.txt", "\xff>1234\n>\n"}};
  for (const auto& [path, text] : texts) bench.folder.put(path, text);
  bench.folder.commit_all("second");
  const Repository repository = bench.open();
  const CommitFiles files(repository.git());
  std::set<std::string> paths = {"missing.txt"};
  for (const auto& [path, text] : texts) paths.insert(path);
  const auto found = files.texts_at("HEAD", paths);
  REQUIRE(found.ok());
  CHECK(found->size() == texts.size());
  for (const auto& [path, text] : texts) {
    CAPTURE(path);
    CHECK(found->at(path) == *files.text_at("HEAD", path));
  }
  CHECK(found->at("b\n.txt") == "no end");
  CHECK(files.texts_at("HEAD", {})->empty());
  CHECK_FALSE(files.texts_at("no-such-commit", {"a.txt"}).ok());
}

TEST_CASE("repository: texts of a commit without submodules, and 16 MiB at most") {
  RepositoryWorld bench;
  (void)bench.with_commit();
  for (const char* path : {"a.bin", "c.bin"}) bench.folder.put(path, std::string(10 << 20, 'x'));
  bench.folder.put("d.txt", "last\n");
  bench.folder.commit_all("second");
  const std::string link = "160000," + *bench.open().commit_id() + ",b";  // of this repository
  bench.folder.git({"update-index", "--add", "--cacheinfo", link});
  bench.folder.git({"commit", "-q", "-m", "third"});
  const Repository repository = bench.open();
  const CommitFiles files(repository.git());
  const auto small = files.texts_at("HEAD", {"b", "d.txt"});
  REQUIRE(small.ok());
  CHECK(*small == std::map<std::string, std::string>{{"d.txt", "last\n"}});
  const auto large = files.texts_at("HEAD", {"a.bin", "c.bin", "d.txt"});
  REQUIRE(large.ok());
  CHECK(large->size() == 2);
  CHECK(large->at("a.bin").size() == std::size_t{10} << 20);
  CHECK(large->at("d.txt") == "last\n");
}

TEST_CASE("repository: an unusable repository is refused with a specific message") {
  RepositoryWorld bench;
  const std::string tree = bench.folder.tree();
  const auto message = [&] {
    const auto opened = bench.try_open(tree);
    REQUIRE_FALSE(opened.ok());
    CHECK(opened.error().kind == ErrorKind::kUsage);
    return opened.error().message;
  };
  CHECK(message() == tree + ": not in a git work tree; run this in a checkout, or git init one");
  bench.folder.init();
  CHECK(message() == tree + ": no commits yet; commit something first: git add --all; git commit");
  bench.folder.git({"config", "core.bare", "true"});
  CHECK(message() == tree + ": not in a git work tree; run this in a checkout, or git init one");

  bench.folder.git({"config", "core.bare", "false"});
  const std::string odd = tree + "/pro\xffject";
  std::filesystem::create_directory(odd);
  bench.folder.git({"init", "-q", odd});
  const auto other = bench.try_open(odd);
  REQUIRE_FALSE(other.ok());
  CHECK(other.error().message.ends_with(
      "/pro\xEF\xBF\xBDject: the path is not UTF-8; rename its folders"));

  FakeProcessRunner none;
  const auto opened = Repository::open(bench.files, none, bench.cancel, tree);
  REQUIRE_FALSE(opened.ok());
  CHECK(opened.error().message == "git: not found in PATH; install it");
}

TEST_CASE("repository: opened from below, the root is the top") {
  RepositoryWorld bench;
  bench.with_commit();
  const auto repository = bench.try_open(bench.folder.at("tree/src"));
  REQUIRE(repository.ok());
  CHECK(repository->root() == bench.folder.tree());
}

TEST_CASE("repository: the branch, or none if HEAD is detached") {
  RepositoryWorld bench;
  const Repository repository = bench.with_commit();
  CHECK(*repository.branch() == "main");
  const auto id = repository.commit_id();
  REQUIRE(id.ok());
  CHECK(id->size() == 40);
  CHECK(repository.switch_to(*id).ok());
  CHECK(*repository.branch() == "");
  CHECK(repository.commit_id("nope").error().message ==
        "'nope' is not a commit of this repository");
  CHECK(*repository.remote_address() == "");
  bench.folder.git({"remote", "add", "origin", "git@github.com:ada/engine.git"});
  CHECK(*repository.remote_address() == "git@github.com:ada/engine.git");
}

TEST_CASE("repository: a tag of the same name does not change how a branch is called") {
  RepositoryWorld bench;
  const Repository repository = bench.with_commit();
  bench.folder.git({"branch", "--move", "topic"});
  bench.folder.git({"tag", "topic"});
  CHECK(*repository.branch() == "topic");
  const std::string head = *repository.commit_id();
  CHECK(*repository.branches() == std::map<std::string, std::string>{{"topic", head}});
  CHECK(repository.create_branch("work", head).ok());
  CHECK(repository.point_head("topic", head).ok());
  CHECK(*repository.branch() == "topic");
  CHECK(repository.settle("topic", head).ok());
  CHECK(repository.branches()->size() == 2);
}

TEST_CASE("repository: changed files are listed with any name, ignored ones are not") {
  RepositoryWorld bench;
  const Repository repository = bench.with_commit();
  CHECK(shown(repository.uncommitted_files()) == "");
  bench.folder.put("a.txt", "1\n");
  bench.folder.put("src/with blank\nand newline.txt", "");
  bench.folder.put("n\xC3\xA4w.txt", "");
  bench.folder.put("latin\xE4.txt", "");
  bench.folder.put("debug.log", "");
  bench.folder.put("build/CMakeCache.txt", "");
  std::filesystem::remove(bench.folder.at("tree/src/b.txt"));
  CHECK(shown(repository.changed_files("HEAD")) ==
        "M a.txt\nA* build/CMakeCache.txt\nA latin\xE4.txt\nA n\xC3\xA4w.txt\nD src/b.txt\n"
        "A src/with blank\nand newline.txt\n");
  CHECK(shown(repository.uncommitted_files()) ==
        "M a.txt\nA latin\xE4.txt\nA n\xC3\xA4w.txt\nD src/b.txt\n"
        "A src/with blank\nand newline.txt\n");
}

TEST_CASE("repository: the diff has new files too, but no build output") {
  RepositoryWorld bench;
  const Repository repository = bench.with_commit();
  const std::string base = *repository.commit_id();
  CHECK(*repository.diff(base) == "");
  bench.folder.put("new file.txt", "n\n");
  CHECK(*repository.diff(base) ==
        "diff --git a/new file.txt b/new file.txt\nnew file mode 100644\nindex 0000000..8ba3a16\n"
        "--- /dev/null\n+++ b/new file.txt\t\n@@ -0,0 +1 @@\n+n\n");
  bench.folder.put("build/CMakeCache.txt", "generated\n");
  bench.folder.git({"add", "build"});
  bench.folder.put("a.txt", "1\n");
  const std::string diff = *repository.diff(base);
  CHECK(diff.starts_with("diff --git a/a.txt b/a.txt\n"));
  CHECK(diff.find("\n-one\n+1\ndiff --git a/new file.txt b/new file.txt\n") != std::string::npos);
  CHECK(diff.find("generated") == std::string::npos);
}

TEST_CASE("repository: the fingerprint depends on the diff alone") {
  RepositoryWorld bench;
  const Repository repository = bench.with_commit();
  const std::string base = *repository.commit_id();
  const auto print = [&] { return *repository.fingerprint(base, {}); };
  const std::string clean = print();
  CHECK(print() == clean);
  bench.folder.put("a.txt", "1\n");
  const std::string edited = print();
  CHECK(edited != clean);
  bench.folder.put("a.txt", "2\n");
  CHECK(print() != edited);
  bench.folder.put("a.txt", "1\n");
  CHECK(print() == edited);
  bench.folder.put("build/CMakeCache.txt", "x");
  bench.folder.put("x.log", "x");
  CHECK(print() == edited);
  bench.folder.git({"commit", "--quiet", "--message=by the way", "a.txt"});
  CHECK(print() == edited);
  std::filesystem::permissions(bench.folder.at("tree/a.txt"), std::filesystem::perms::owner_all);
  CHECK(print() != edited);
}

TEST_CASE("repository: a branch gets a free name") {
  RepositoryWorld bench;
  const Repository repository = bench.with_commit();
  for (const char* name : {"pedrocli/x", "pedrocli/x-2", "pedrocli/x-3"}) {
    CHECK(*repository.free_branch_name("pedrocli/x") == name);
    CHECK(repository.create_branch(name, "HEAD").ok());
    CHECK(*repository.branch() == name);
  }
  bench.folder.git({"update-ref", "refs/remotes/origin/pedrocli/y", "HEAD"});
  CHECK(*repository.free_branch_name("pedrocli/y") == "pedrocli/y-2");
  CHECK_FALSE(repository.free_branch_name("-x").ok());
  CHECK(repository.create_branch("-x", "main").error().message ==
        "'-x': a branch name must not begin with '-'");
  CHECK(repository.create_branch("y", "nope").error().message ==
        "git switch: fatal: invalid reference: nope");
  CHECK(repository.switch_to("main").ok());
  CHECK(repository.delete_branch("pedrocli/x").ok());
  CHECK_FALSE(repository.delete_branch("main").ok());
}

TEST_CASE("repository: a commit has exactly the files it is given") {
  RepositoryWorld bench;
  const Repository repository = bench.with_commit();
  bench.folder.put("a.txt", "1\n");
  bench.folder.put("staged by someone.txt", "s\n");
  bench.folder.git({"add", "staged by someone.txt"});
  bench.folder.put("new\nline.txt", "n\n");
  bench.folder.put("latin\xE4.txt", "n\n");
  bench.folder.put("*", "a star\n");
  bench.folder.put("other.txt", "o\n");
  std::filesystem::remove(bench.folder.at("tree/src/b.txt"));
  const auto id = repository.commit({{"*", ChangeKind::kAdded, 0, false},
                                     {"a.txt", ChangeKind::kModified, 0, false},
                                     {"latin\xE4.txt", ChangeKind::kAdded, 0, false},
                                     {"new\nline.txt", ChangeKind::kAdded, 0, false},
                                     {"src/b.txt", ChangeKind::kDeleted, 0, false}},
                                    "subject\n\n# body\n");
  INFO((id.ok() ? "" : id.error().message));
  REQUIRE(id.ok());
  CHECK(bench.folder.git({"rev-parse", "HEAD"}) == id->id);
  CHECK(bench.folder.git({"show", "--name-status", "--format=%an <%ae>: %B", "HEAD"}) ==
        "pedrocli <pedrocli@localhost>: subject\n\n# body\n\n\nA\t*\nM\ta.txt\n"
        "A\t\"latin\\344.txt\"\nA\t\"new\\nline.txt\"\nD\tsrc/b.txt");
  CHECK(bench.folder.git({"status", "--short"}) == "A  \"staged by someone.txt\"\n?? other.txt");
}

TEST_CASE("repository: hooks do not block a commit") {
  RepositoryWorld bench;
  const Repository repository = bench.with_commit();
  const std::string hook =
      bench.folder.write("tree/.git/hooks/pre-commit", "#!/bin/sh\necho no >&2; exit 1\n");
  std::filesystem::permissions(hook, std::filesystem::perms::owner_all);
  bench.folder.put("a.txt", "1\n");
  CHECK(repository.commit({{"a.txt", ChangeKind::kModified, 0, false}}, "x").ok());
}

TEST_CASE("repository: our git starts no program that a project file names later") {
  RepositoryWorld bench;
  bench.folder.init();
  bench.folder.git({"config", "include.path", "../settings"});
  const Repository repository = bench.with_commit();
  bench.folder.put("settings", "[filter \"evil\"]\n\tclean = touch started; cat\n");
  bench.folder.put(".gitattributes", "* filter=evil\n");
  bench.folder.put("a.txt", "1\n");
  CHECK(repository.commit({{"a.txt", ChangeKind::kModified, 0, false}}, "x").ok());
  CHECK_FALSE(std::filesystem::exists(bench.folder.at("tree/started")));
}

TEST_CASE("repository: a file, a folder and a link take each other's place") {
  RepositoryWorld bench;
  bench.folder.init();
  bench.folder.put("file", "1\n");
  bench.folder.put("folder/x", "1\n");
  bench.folder.put("linked/x", "1\n");
  bench.folder.commit_all("first");
  const Repository repository = bench.open();
  const std::string base = *repository.commit_id();
  std::filesystem::remove(bench.folder.at("tree/file"));
  bench.folder.put("file/x", "1\n");
  std::filesystem::remove_all(bench.folder.at("tree/folder"));
  bench.folder.put("folder", "1\n");
  std::filesystem::rename(bench.folder.at("tree/linked"), bench.folder.at("tree/moved"));
  std::filesystem::create_symlink("moved", bench.folder.at("tree/linked"));
  const auto files = repository.changed_files(base);
  REQUIRE(files.ok());
  REQUIRE(repository.commit(*files, "swap\n").ok());
  CHECK(bench.folder.git({"ls-tree", "-r", "--name-only", "HEAD"}) ==
        "file/x\nfolder\nlinked\nmoved/x");
  CHECK(bench.folder.git({"status", "--short"}) == "");
}

TEST_CASE("repository: compiler output is not work, by its first bytes") {
  RepositoryWorld bench;
  const Repository repository = bench.with_commit();
  bench.folder.put("app", std::string("\x7f"
                                      "ELF\2\1\1\0",
                                      8));
  bench.folder.put("lib.a", "!<arch>\nx");
  bench.folder.put("ELF.txt", "ELF\n");
  CHECK(shown(repository.changed_files("HEAD")) == "A ELF.txt\nA* app\nA* lib.a\n");
}

TEST_CASE("repository: branches, and files that a commit does not hold") {
  RepositoryWorld bench;
  const Repository repository = bench.with_commit();
  const std::string base = *repository.commit_id();
  bench.folder.git({"branch", "b/c"});
  const std::map<std::string, std::string> expected = {{"b/c", base}, {"main", base}};
  CHECK(*repository.branches() == expected);
  bench.folder.put("new\n.txt", "");
  const std::vector<std::string> missing = {"new\n.txt", "x.log"};
  CHECK(*CommitFiles(repository.git()).not_in(base, {"a.txt", "new\n.txt", "src/b.txt", "x.log"}) ==
        missing);
}

TEST_CASE("repository: settling brings HEAD to the branch and leaves the files alone") {
  RepositoryWorld bench;
  const Repository repository = bench.with_commit();
  const std::string base = *repository.commit_id();
  CHECK(repository.create_branch("work", "HEAD").ok());
  bench.folder.put("a.txt", "1\n");
  bench.folder.commit_all("on the way");
  bench.folder.git({"checkout", "--quiet", "-b", "elsewhere"});
  bench.folder.put("a.txt", "2\n");
  CHECK(repository.settle("work", base).ok());
  CHECK(*repository.branch() == "work");
  CHECK(*repository.commit_id() == base);
  CHECK(bench.folder.get("a.txt") == "2\n");
}

TEST_CASE("repository: a merge with conflicts is accepted, the files' contents count") {
  RepositoryWorld bench;
  const Repository repository = bench.with_commit();
  const std::string base = *repository.commit_id();
  CHECK(repository.create_branch("other", "main").ok());
  bench.folder.put("a.txt", "theirs\n");
  bench.folder.commit_all("theirs");
  CHECK(repository.switch_to("main").ok());
  CHECK(repository.create_branch("work", "main").ok());
  bench.folder.put("a.txt", "ours\n");
  bench.folder.commit_all("ours");
  Command merge;
  merge.argv = {"git", "-c", "user.name=Ada", "-c", "user.email=ada@example.org", "merge", "other"};
  merge.folder = bench.folder.tree();
  CHECK_FALSE(bench.processes.run(merge, bench.cancel)->ok());
  REQUIRE(std::filesystem::exists(bench.folder.at("tree/.git/MERGE_HEAD")));
  bench.folder.put("a.txt", "both\n");
  const auto files = repository.changed_files(base);
  REQUIRE(files.ok());
  CHECK(repository.settle("work", base).ok());
  const auto id = repository.commit(*files, "x");
  INFO((id.ok() ? "" : id.error().message));
  REQUIRE(id.ok());
  CHECK(bench.folder.git({"show", "HEAD:a.txt"}) == "both");
  CHECK(bench.folder.git({"rev-parse", "HEAD~1"}) == base);
}

TEST_CASE("repository: a patch has the bytes that were committed") {
  RepositoryWorld bench;
  const Repository repository = bench.with_commit();
  const std::string base = *repository.commit_id();
  const std::string bytes("caf\xE9\r\nno newline \x01", 18);
  bench.folder.put("a.txt", bytes);
  bench.folder.put("b.bin", std::string("\0\1\2", 3));
  bench.folder.git({"config", "format.signOff", "true"});
  REQUIRE(repository.commit(*repository.changed_files(base), "latin").ok());
  CHECK(write_patch(repository, base, "HEAD", bench.folder.at("x.patch")).ok());
  bench.folder.git({"checkout", "--quiet", base});
  bench.folder.git({"am", "--quiet", "--keep-cr", bench.folder.at("x.patch")});
  CHECK(bench.folder.get("a.txt") == bytes);
  CHECK(bench.folder.get("b.bin") == std::string("\0\1\2", 3));
  CHECK_FALSE(
      write_patch(repository, base, "HEAD", bench.folder.at("no/such/folder/x.patch")).ok());
}

TEST_CASE("repository: the tip of a branch is its own until another commit, with any reflogs") {
  for (const char* logs : {"true", "false", "always"}) {
    CAPTURE(logs);
    RepositoryBench bench;
    bench.folder.git({"config", "core.logAllRefUpdates", logs});
    REQUIRE(bench.repository->create_branch("work", bench.base).ok());
    CHECK_FALSE(*bench.repository->is_own_tip("work"));
    bench.folder.put("a.txt", "two\n");
    REQUIRE(bench.repository->commit({{"a.txt"}}, "two\n").ok());
    CHECK(*bench.repository->is_own_tip("work"));
    CHECK_FALSE(*bench.repository->is_own_tip("main"));
    bench.folder.git({"commit", "-q", "--amend", "--allow-empty", "-m", "users"});
    CHECK_FALSE(*bench.repository->is_own_tip("work"));
  }
}

TEST_CASE("repository: push brings the branch to the remote, or git's words back") {
  RepositoryWorld bench;
  const Repository repository = bench.with_commit();
  CHECK_FALSE(push_branch(repository, "origin", "main", false).ok());
  bench.folder.git({"init", "--quiet", "--bare", bench.folder.at("remote.git")});
  bench.folder.git({"remote", "add", "origin", bench.folder.at("remote.git")});
  CHECK(repository.create_branch("work", "HEAD").ok());
  CHECK(push_branch(repository, "origin", "work", false).ok());
  CHECK(bench.folder.git({"rev-parse", "origin/work"}) == *repository.commit_id());
  CHECK(push_branch(repository, "--all", "work", false).error().message ==
        "'--all': a branch name must not begin with '-'");
}

TEST_CASE("repository: refs that are links are not followed") {
  RepositoryBench bench;
  bench.folder.put("a.txt", "two\n");
  bench.folder.commit_all("second");
  const std::string second = *bench.repository->commit_id();
  bench.folder.git({"symbolic-ref", "refs/pedrocli/x/checkpoint/1", "refs/heads/main"});
  bench.folder.git({"symbolic-ref", "refs/heads/job", "refs/heads/main"});
  REQUIRE(bench.repository->set_ref("refs/pedrocli/x/checkpoint/1", bench.base).ok());
  REQUIRE(bench.repository->settle("job", bench.base).ok());
  CHECK(bench.folder.git({"rev-parse", "main"}) == second);
  CHECK(bench.folder.git({"rev-parse", "job"}) == bench.base);
  const auto files = bench.repository->changed_files("HEAD");
  REQUIRE(bench.repository->commit(*files, "third").ok());
  CHECK(bench.folder.git({"rev-parse", "main"}) == second);
}

TEST_CASE("repository: no push by a configuration that commands may write") {
  RepositoryBench bench;
  CHECK(require_own_configuration(*bench.repository).ok());
  bench.folder.put("git.conf", "[url \"evil\"]\n\tpushInsteadOf = x\n");
  bench.folder.git({"config", "include.path", "../git.conf"});
  const Status refused = require_own_configuration(*bench.repository);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().message.find("git.conf is part of git's configuration") !=
        std::string::npos);
}
