#include <chrono>
#include <filesystem>
#include <functional>
#include <thread>

#include "agent/repository_bench.h"
#include "base/clock.h"
#include "git/checkpoints.h"
#include "git/private_files.h"

using namespace pedro;

namespace {

FileInfo changed_at_ms(long long ms) {
  FileInfo info;
  info.changed_ns = ms * 1'000'000;
  return info;
}

// Does something in a wait that is long enough for the times of files.
void wait_with(const RepositoryBench& bench, const std::function<void()>& edit) {
  const auto pause = [] { std::this_thread::sleep_for(std::chrono::milliseconds(60)); };
  const long long begin_ms = RealClock().now_ms();
  pause();
  edit();
  pause();
  bench.repository->add_wait(begin_ms, RealClock().now_ms());
  pause();
}

// Returns the changed files that the user changed.
std::vector<std::string> users(const Repository& repository) {
  const auto files = repository.changed_files("HEAD");
  REQUIRE_MESSAGE(files.ok(), (files ? "" : files.error().message));
  std::vector<std::string> paths;
  for (const ChangedFile& file : *files) {
    if (file.private_by == PrivateBy::kUser) paths.push_back(file.path);
  }
  return paths;
}

}  // namespace

TEST_CASE("user edits: the last change of a file lies in a wait") {
  UserEdits edits;
  CHECK_FALSE(edits.is_users("a", changed_at_ms(1500)));
  edits.add_wait(1000, 2000);
  edits.add_wait(3000, 4000);
  CHECK_FALSE(edits.is_users("before", changed_at_ms(500)));
  CHECK(edits.is_users("before", changed_at_ms(1500)));  // not the job's by its first time
  CHECK(edits.is_users("a", changed_at_ms(1500)));
  CHECK(edits.is_users("b", changed_at_ms(3970)));
  for (const long long at_ms : {1005, 1990, 2500, 3010, 3985, 5000}) {
    CAPTURE(at_ms);
    CHECK_FALSE(edits.is_users("at " + std::to_string(at_ms), changed_at_ms(at_ms)));
  }
  CHECK_FALSE(edits.is_users("at 2500", changed_at_ms(3500)));  // the job changed it first
}

TEST_CASE("user edits: none after the clock was set back") {
  for (const auto& [begin_ms, end_ms] : {std::pair{500, 900}, std::pair{3000, 2500}}) {
    UserEdits edits;
    edits.add_wait(1000, 2000);
    CHECK(edits.is_users("a", changed_at_ms(1500)));
    edits.add_wait(begin_ms, end_ms);
    CHECK_FALSE(edits.is_users("b", changed_at_ms(1500)));
  }
}

TEST_CASE("user edits: files of an earlier process") {
  UserEdits edits;
  edits.add_users({"a", "b"});
  CHECK(edits.is_users("a", changed_at_ms(500)));
  CHECK_FALSE(edits.is_users("c", changed_at_ms(500)));
  edits.add_wait(1000, 2000);
  CHECK(edits.is_users("a", changed_at_ms(500)));
  CHECK_FALSE(edits.is_users("a", changed_at_ms(2500)));  // the job has changed it
  CHECK_FALSE(edits.is_users("a", changed_at_ms(1500)));
  CHECK(edits.is_users("b", changed_at_ms(1500)));
}

TEST_CASE("user edits: files of a work tree, changed by the user, the job or both") {
  RepositoryBench bench;
  for (const char* path : {"b.txt", "jobs/c.txt", "jobs/d.txt"}) bench.folder.put(path, "one\n");
  bench.folder.commit_all("more");
  wait_with(bench, [] {});
  std::filesystem::remove(bench.folder.tree() + "/jobs/c.txt");
  bench.folder.put("a.txt", "the job\n");
  CHECK(users(*bench.repository).empty());
  wait_with(bench, [&] {
    bench.folder.put("a.txt", "both\n");
    bench.folder.put("b.txt", "the user\n");
    bench.folder.put("new.txt", "the user\n");
    std::filesystem::remove(bench.folder.tree() + "/jobs/d.txt");
  });
  CHECK(users(*bench.repository) == std::vector<std::string>{"b.txt", "jobs/d.txt", "new.txt"});
  CHECK(bench.repository->diff("HEAD")->find("the user") == std::string::npos);
  bench.folder.put("b.txt", "the user and the job\n");
  CHECK(users(*bench.repository) == std::vector<std::string>{"jobs/d.txt", "new.txt"});
}

TEST_CASE("user edits: a job that continues in another process knows them") {
  RepositoryBench bench;
  const std::string base = *bench.repository->commit_id();
  const std::string job = "20261121-214500-build-7f3a";
  Checkpoints checkpoints(*bench.repository, job);
  const auto before = checkpoints.take(base, 0);
  REQUIRE(before.ok());
  wait_with(bench, [&] { bench.folder.put("a \"b\".txt", "the user\n"); });
  bench.folder.put("job.txt", "the job\n");
  const auto after = checkpoints.take(base, 1);
  REQUIRE(after.ok());

  const auto later =
      Repository::open(bench.files, bench.processes, bench.cancel, bench.repository->root());
  REQUIRE(later.ok());
  Checkpoints resumed(*later, job);
  REQUIRE(resumed.resume(base, 1, {{0, *before}, {1, *after}}).ok());
  CHECK(users(*later) == std::vector<std::string>{"a \"b\".txt"});
  // An undo keeps them.
  REQUIRE(resumed.restore(0, true).ok());
  CHECK(bench.folder.get("a \"b\".txt") == "the user\n");
  CHECK_FALSE(std::filesystem::exists(bench.folder.tree() + "/job.txt"));
}
