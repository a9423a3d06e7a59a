#include "git/work_tree_changes.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <random>
#include <set>

#include "agent/repository_bench.h"
#include "base/text.h"
#include "git/commit_files.h"

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
  cut_command = "status";
  const auto files = repository->changed_files("HEAD");
  REQUIRE_FALSE(files.ok());
  CHECK(files.error().message ==
        "git status: lists more than 32 MiB; if there are very many files, add them to "
        ".gitignore");
  cut_command = "diff";
  bench.folder.put("a.txt", "two\n");
  CHECK_FALSE(repository->changed_files("HEAD").ok());
  cut_command = "cat-file";
  CHECK(CommitFiles(repository->git()).text_at("HEAD", "a.txt").ok());
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

TEST_CASE("work tree changes: we write nothing to a TMPDIR inside the work tree") {
  RepositoryBench bench;
  std::filesystem::create_directory(bench.folder.at("tree/tmp"));
  const char* given = std::getenv("TMPDIR");
  const std::string before = given == nullptr ? "" : given;
  ::setenv("TMPDIR", bench.folder.at("tree/tmp").c_str(), 1);
  CHECK(bench.repository->changed_files("HEAD")->empty());
  bench.folder.put("a.txt", "two\n");
  const auto files = bench.repository->changed_files("HEAD");
  const auto commit = bench.repository->commit(*files, "second");
  const auto otherwise =
      CommitFiles(bench.repository->git()).compare(commit->id, bench.base, *files);
  given == nullptr ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", before.c_str(), 1);
  REQUIRE(otherwise.ok());
  CHECK(otherwise->otherwise.empty());
}

TEST_CASE("work tree changes: files left out by a sparse checkout are no change") {
  RepositoryBench bench;
  bench.folder.put("in/a.txt", "one\n");
  bench.folder.put("out/b.txt", "one\n");
  bench.folder.commit_all("more");
  bench.folder.git({"sparse-checkout", "set", "in"});
  CHECK(bench.repository->changed_files("HEAD")->empty());
  std::filesystem::remove(bench.folder.at("tree/in/a.txt"));
  CHECK(bench.repository->changed_files("HEAD")->size() == 1);
}

TEST_CASE("work tree changes: a remembered list needs no process until it is forgotten") {
  RepositoryBench bench;
  RealProcessRunner real;
  int started = 0;
  FakeProcessRunner counted;
  counted.installed = {"git"};
  counted.answer = [&](const Command& command) {
    ++started;
    return real.run(command, bench.cancel);
  };
  const auto repository = Repository::open(bench.files, counted, bench.cancel, bench.folder.tree());
  REQUIRE(repository.ok());
  bench.folder.put("a.txt", "two\n");
  CHECK(repository->changed_files(bench.base)->size() == 1);
  bench.folder.put("b.txt", "new\n");
  CHECK(repository->changed_files(bench.base)->size() == 2);
  repository->remember_changes();
  started = 0;
  for (int i = 0; i < 3; ++i) CHECK(repository->changed_files(bench.base)->size() == 2);
  CHECK(started == 0);
  bench.folder.put("c.txt", "new\n");
  repository->forget_changes();
  CHECK(repository->changed_files(bench.base)->size() == 3);
  CHECK(started == 1);
}

namespace {

// Returns the changes as git reports them, in the form of shown().
std::set<std::string> git_status(RepositoryBench& bench) {
  std::set<std::string> changes;
  const std::string listed =
      bench.folder.git({"status", "--porcelain=v2", "-uall", "--no-renames"});
  for (const std::string_view line : split_lines(listed)) {
    const std::string path(line.substr(line.rfind(' ') + 1));
    const char kind = line.starts_with("?") ? 'A' : line[3] == 'D' ? 'D' : 'M';
    changes.insert(kind + path);
  }
  return changes;
}

std::set<std::string> changes_of(const RepositoryBench& bench) {
  const auto files = bench.repository->changed_files(bench.base);
  REQUIRE(files.ok());
  std::set<std::string> changes;
  for (const ChangedFile& file : *files) {
    changes.insert("AMD"[static_cast<int>(file.kind)] + file.path);
  }
  return changes;
}

// Changes one file or link at random. Some changes keep size and time, or restore the first state.
void change_at_random(RepositoryBench& bench, std::mt19937& random) {
  namespace fs = std::filesystem;
  const auto pick = [&](unsigned below) { return random() % below; };
  const std::string name = fmt::format("d{}/f{}", pick(3), pick(6));
  const fs::path path = bench.folder.at("tree/" + name);
  const bool exists = fs::exists(fs::symlink_status(path));
  switch (pick(7)) {
    case 0:
      if (exists) fs::remove(path);
      break;
    case 1:
      fs::remove(path);
      fs::create_symlink(pick(2) == 0 ? "missing" : "f0", path);
      break;
    case 2:
      if (fs::is_regular_file(fs::symlink_status(path))) {
        fs::permissions(path, pick(2) == 0 ? fs::perms(0755) : fs::perms(0644));
      }
      break;
    case 3: {
      const fs::path to = bench.folder.at(fmt::format("tree/d{}/f{}", pick(3), pick(6)));
      if (exists) fs::rename(path, to);
      break;
    }
    case 4:  // same size and time, another content
      if (fs::is_regular_file(fs::symlink_status(path))) {
        const auto time = fs::last_write_time(path);
        bench.folder.put(name, fmt::format("{}\n", pick(10)));
        fs::last_write_time(path, time);
      }
      break;
    default:
      if (fs::is_symlink(fs::symlink_status(path))) fs::remove(path);
      bench.folder.put(name, fmt::format("{}\n", pick(3)));
  }
}

}  // namespace

// PEDROCLI_CHANGES sets the number of changes.
TEST_CASE("work tree changes: after any change the list equals git's") {
  const char* given = std::getenv("PEDROCLI_CHANGES");
  const int changes = given == nullptr ? 150 : std::atoi(given);
  RepositoryBench bench;
  for (int i = 0; i < 12; ++i) bench.folder.put(fmt::format("d{}/f{}", i % 3, i / 3), "0\n");
  bench.folder.commit_all("second");
  bench.base = *bench.repository->commit_id();
  bench.repository->remember_changes();
  std::mt19937 random(26);
  for (int i = 0; i < changes; ++i) {
    change_at_random(bench, random);
    bench.repository->forget_changes();
    REQUIRE_MESSAGE(changes_of(bench) == git_status(bench), i);
  }
}

TEST_CASE(
    "work tree changes: are looked at again after a wait, in which the user may change files") {
  RepositoryBench bench;
  bench.repository->remember_changes();
  CHECK(shown(bench) == "");
  bench.folder.put("a.txt", "two\n");
  bench.repository->forget_after_wait();
  CHECK(shown(bench) == "");
  bench.repository->add_wait(1, 2);
  CHECK(shown(bench) == "");
  bench.repository->forget_after_wait();
  CHECK(shown(bench) == "Ma.txt ");
  bench.folder.put("a.txt", "one\n");
  bench.repository->forget_after_wait();
  CHECK(shown(bench) == "Ma.txt ");
}
