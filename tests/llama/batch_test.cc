// Runs eight jobs at once on one repository and one real llama-server with two slots, whose model
// writes noise. Each job must end in a documented state, must not see the others, and must remove
// its files.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "job/exit_code.h"
#include "llama/session.h"

namespace pedro {
namespace {

namespace fs = std::filesystem;

constexpr int kTasks = 8;

std::string git(Session& session, std::vector<std::string> args) {
  Command command{.argv = {"git", "-C", session.folder.at("project")}};
  command.argv.insert(command.argv.end(), args.begin(), args.end());
  const auto result = session.processes.run(command, session.cancel);
  REQUIRE(result.ok());
  REQUIRE(result->ok());
  return result->out;
}

// Each task has a unique word, which reveals text from another job.
std::string title_of(int task) {
  return fmt::format("alone{}alone", task);
}

std::string branch_of(int task) {
  return fmt::format("job-{}", task);
}

// Checks that a job's journal contains only that job. Returns its branch.
std::string check_journal(const fs::path& job) {
  const RealFileSystem files;
  const auto text = files.read(job.string() + "/journal.jsonl", std::size_t{16} << 20);
  REQUIRE(text.ok());
  int started = 0;
  int turns = 0;
  std::string last;
  std::string branch;
  for (const std::string_view line : split_lines(*text)) {
    const auto event = parse_json(line);
    REQUIRE(event.ok());
    last = text_of(*event, "type");
    if (last == "turn.completed") ++turns;
    if (last != "thread.started") continue;
    ++started;
    CHECK(text_of(*event, "thread_id") == job.filename().string());
    branch = text_of(*event, "branch");
    for (int task = 0; task < kTasks; ++task) {
      CHECK((text_of(*event, "task") == title_of(task)) == (branch == branch_of(task)));
    }
  }
  // The model's noise cannot contain such a word by chance.
  for (int task = 0; task < kTasks; ++task) {
    if (branch != branch_of(task)) CHECK(text->find(title_of(task)) == std::string::npos);
  }
  CHECK(started == 1);
  CHECK(turns > 0);
  CHECK(last == "thread.completed");
  return branch;
}

}  // namespace

TEST_CASE("llama: eight jobs at once on two slots all end, each by itself, and leave nothing") {
  Session session;
  session.environment = {{"PEDROCLI_MODEL_MAX_TOKENS", "48"}};
  // Keeps these files out of the jobs' work trees.
  session.folder.write("project/.git/info/exclude", "/.pedro/issues/1?.md\n");
  std::string tasks;
  for (int i = 0; i < kTasks; ++i) {
    const std::string number = std::to_string(11 + i);
    session.folder.write("project/.pedro/issues/" + number + ".md",
                         "# " + title_of(i) + "\n\nMend it.\n");
    tasks += to_line({{"issue", number}, {"max-rounds", 2}, {"branch", branch_of(i)}}) + "\n";
  }
  session.folder.write("tasks.jsonl", tasks);
  const ProcessResult ran = session.pedrocli(
      {"batch", session.folder.at("tasks.jsonl"), "-jobs", std::to_string(kTasks), "-json"});
  CAPTURE(ran.err);
  CAPTURE(ran.out);
  CHECK_FALSE(ran.timed_out);
  std::set<std::string> jobs;
  for (const std::string_view line : split_lines(ran.out)) {
    const auto event = parse_json(line);
    REQUIRE(event.ok());
    if (text_of(*event, "type") != "batch.task") continue;
    jobs.insert(text_of(*event, "job"));
    const std::set<long long> ends = {kExitDone, kExitNotVerified, kExitLimit, kExitNothingChanged};
    CHECK(ends.contains(number_of(*event, "exit_code")));
  }
  CHECK(jobs.size() == kTasks);
  std::set<std::string> branches;
  for (const auto& job : fs::directory_iterator(session.folder.at("state/pedrocli/jobs"))) {
    CAPTURE(job.path().filename().string());
    CHECK(jobs.contains(job.path().filename().string()));
    branches.insert(check_journal(job.path()));
  }
  CHECK(branches.size() == kTasks);
  // Only branches of jobs with changes remain.
  const std::string main = git(session, {"rev-parse", "main"});
  const std::string left = git(session, {"branch", "--format=%(refname:short)"});
  for (const std::string_view branch : split_lines(left)) {
    CHECK((branch == "main" || branches.contains(std::string(branch))));
    if (branch != "main") CHECK(git(session, {"rev-parse", std::string(branch)}) != main);
  }
  CHECK(git(session, {"status", "--porcelain"}).empty());
  const std::string trees = git(session, {"worktree", "list"});
  CHECK(split_lines(trees).size() == 1);
  MESSAGE(kTasks << " jobs in " << ran.duration_s << " s");
}

}  // namespace pedro
