#include <filesystem>

#include "agent/repository_bench.h"
#include "git/commit_files.h"

using namespace pedro;

TEST_CASE("commit check: a commit is held against the work tree it was made of") {
  RepositoryBench bench;
  bench.folder.put("b.txt", "one\n");
  bench.folder.put("gone.txt", "one\n");
  bench.folder.commit_all("more");
  const std::string base = *bench.repository->commit_id();
  bench.folder.put("a.txt", "two\n");
  bench.folder.put("b.txt", "two\r\n");
  bench.folder.put("git~1", "two\n");
  std::filesystem::create_symlink("nowhere", bench.folder.at("tree/link"));
  std::filesystem::remove(bench.folder.at("tree/gone.txt"));
  const auto files = bench.repository->changed_files(base);
  REQUIRE(files.ok());
  const auto commit = bench.repository->commit(*files, "all");
  REQUIRE(commit.ok());
  const auto otherwise = [&](const std::string& made) {
    const auto found = CommitFiles(bench.repository->git()).compare(made, base, *files);
    REQUIRE_MESSAGE(found.ok(), (found ? "" : found.error().message));
    std::string text;
    for (const std::string& path : found->otherwise) text += path + " ";
    for (const std::string& path : found->line_ends) text += "(" + path + ") ";
    return text;
  };
  CHECK(otherwise(commit->id) == "git~1 ");  // git rejects this name
  bench.folder.put(".git/info/attributes", "b.txt text\n");
  const auto again = bench.repository->commit(*files, "all");
  CHECK(otherwise(again->id) == "git~1 (b.txt) ");
  bench.folder.put("a.txt", "three\n");
  bench.folder.put("gone.txt", "one\n");
  CHECK(otherwise(commit->id) == "a.txt git~1 gone.txt ");
  std::filesystem::remove(bench.folder.at("tree/.git/info/attributes"));
  bench.folder.put("b.txt", "two\n");
  bench.folder.put("c.txt", "new\n");
  bench.folder.git({"add", "b.txt", "c.txt"});
  bench.folder.git({"commit", "-qm", "and another"});
  CHECK(otherwise(*bench.repository->commit_id()) == "a.txt c.txt git~1 gone.txt ");
}
