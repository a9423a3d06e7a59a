#include "agent/work_tree_changes.h"

#include <cstdlib>
#include <filesystem>

#include "agent/commit_check.h"
#include "agent/repository_bench.h"

using namespace pedro;

namespace {

std::string shown(const RepositoryBench& bench) {
  const auto files = bench.repository->changed_files("HEAD");
  REQUIRE_MESSAGE(files.ok(), (files ? "" : files.error().message));
  std::string text;
  for (const ChangedFile& file : *files) {
    text += "AMD"[static_cast<int>(file.kind)] + file.path + " ";
  }
  return text;
}

}  // namespace

TEST_CASE("work tree changes: whatever its index says of a file, a change is a change") {
  RepositoryBench bench;
  bench.folder.put(".gitignore", "*.log\n");
  bench.folder.put("b.txt", "one\n");
  bench.folder.put("c.txt", "one\n");
  bench.folder.put("forced.log", "one\n");
  bench.folder.commit_all("more");
  CHECK(shown(bench) == "");
  bench.folder.git({"update-index", "--skip-worktree", "a.txt"});
  bench.folder.git({"update-index", "--assume-unchanged", "b.txt"});
  for (const char* name : {"a.txt", "b.txt"}) bench.folder.put(name, "two\n");
  bench.folder.git({"add", "-f", "forced.log"});
  CHECK(shown(bench) == "Ma.txt Mb.txt Aforced.log ");
  CHECK(bench.repository->diff("HEAD")->find("+two") != std::string::npos);
  // The index already has the new bytes of this file.
  bench.folder.put("c.txt", "two\n");
  bench.folder.git(
      {"update-index", "--cacheinfo",
       "100644," + std::string(trim(bench.folder.git({"hash-object", "-w", "c.txt"}))) + ",c.txt"});
  CHECK(shown(bench) == "Ma.txt Mb.txt Mc.txt Aforced.log ");
  bench.folder.put("a.txt", "one\n");
  CHECK(shown(bench) == "Mb.txt Mc.txt Aforced.log ");
  bench.folder.commit_all("third");
  CHECK(shown(bench) == "Mb.txt ");  // git did not commit this change
}

TEST_CASE("work tree changes: a list that was cut is an error, not a shorter list") {
  RepositoryBench bench;
  bench.folder.put("[... 1 lines, 2 bytes left out ...]", "a name like another\n");
  CHECK(shown(bench) == "A[... 1 lines, 2 bytes left out ...] ");

  RealProcessRunner real;
  std::string cut_command;
  FakeProcessRunner half;
  half.installed = {"git"};
  half.answer = [&](const Command& command) {
    auto result = real.run(command, bench.cancel);
    if (result && git_subcommand(command.argv) == cut_command) result->out_cut = true;
    return result;
  };
  const auto repository = Repository::open(bench.files, half, bench.cancel, bench.folder.tree());
  REQUIRE(repository.ok());
  cut_command = "ls-files";
  const auto files = repository->changed_files("HEAD");
  REQUIRE_FALSE(files.ok());
  CHECK(files.error().message ==
        "git ls-files: lists more than 32 MiB; if there are very many files, add them to "
        ".gitignore");
  cut_command = "diff";
  bench.folder.put("a.txt", "two\n");
  CHECK_FALSE(repository->changed_files("HEAD").ok());
  cut_command = "cat-file";
  CHECK(repository->text_at("HEAD", "a.txt").ok());
  // The list of settings is used to disable programs named in the configuration.
  bench.folder.git({"config", "filter.x.clean", "cat"});
  cut_command = "config";
  const auto opened = [&] {
    const auto now = Repository::open(bench.files, half, bench.cancel, bench.folder.tree());
    return now ? std::string("opened") : now.error().message;
  };
  CHECK(opened() == "git config: lists more than 1024 KiB");
  cut_command = "";
  CHECK(opened() == "opened");
  half.answer = [&](const Command& command) {
    auto result = real.run(command, bench.cancel);
    if (result && git_subcommand(command.argv) == "config") result->timed_out = true;
    return result;
  };
  CHECK(opened() == "git config: did not end");
}

TEST_CASE("work tree changes: an index leads nowhere but into the work tree") {
  struct Row {
    const char* taken;  // a name that git accepts; it rejects `written`
    const char* written;
  };
  for (const Row& row : {Row{"outXid", "out/id"}, Row{".giX/name", ".git/name"},
                         Row{"..Xoutside/id", "../outside/id"}}) {
    CAPTURE(std::string(row.written));
    RepositoryBench bench;
    bench.folder.write("outside/id", "secret\n");
    bench.folder.put(".git/name", "secret\n");
    std::filesystem::create_directory_symlink(bench.folder.at("outside"),
                                              bench.folder.at("tree/out"));
    const std::string blob = bench.folder.git({"rev-parse", "HEAD:a.txt"});
    bench.folder.git({"-c", "index.skipHash=true", "update-index", "--add", "--cacheinfo",
                      "100644," + std::string(trim(blob)) + "," + row.taken});
    std::string index = bench.folder.get(".git/index");
    const std::string_view taken = row.taken;
    index.replace(index.find(taken), taken.size(), row.written);
    bench.folder.put(".git/index", index.substr(0, index.size() - 20) + std::string(20, '\0'));
    const auto files = bench.repository->changed_files("HEAD");
    REQUIRE_MESSAGE(files.ok(), (files ? "" : files.error().message));
    for (const ChangedFile& file : *files) CHECK(file.path == "out");
    CHECK(bench.repository->diff("HEAD")->find("secret") == std::string::npos);
  }
}

TEST_CASE("work tree changes: a folder for temporary files in the work tree gets none of ours") {
  RepositoryBench bench;
  std::filesystem::create_directory(bench.folder.at("tree/tmp"));
  const char* given = std::getenv("TMPDIR");
  const std::string before = given == nullptr ? "" : given;
  ::setenv("TMPDIR", bench.folder.at("tree/tmp").c_str(), 1);
  CHECK(bench.repository->changed_files("HEAD")->empty());
  bench.folder.put("a.txt", "two\n");
  const auto files = bench.repository->changed_files("HEAD");
  const auto commit = bench.repository->commit(*files, "second");
  const auto otherwise = check_commit(*bench.repository, commit->id, bench.base, *files);
  given == nullptr ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", before.c_str(), 1);
  REQUIRE(otherwise.ok());
  CHECK(otherwise->otherwise.empty());
}

TEST_CASE("work tree changes: what a sparse checkout leaves out is no change") {
  RepositoryBench bench;
  bench.folder.put("in/a.txt", "one\n");
  bench.folder.put("out/b.txt", "one\n");
  bench.folder.commit_all("more");
  bench.folder.git({"sparse-checkout", "set", "in"});
  CHECK(bench.repository->changed_files("HEAD")->empty());
  std::filesystem::remove(bench.folder.at("tree/in/a.txt"));
  CHECK(bench.repository->changed_files("HEAD")->size() == 1);
}
