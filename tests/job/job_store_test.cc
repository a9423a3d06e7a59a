#include "job/job_store.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>

#include "job/job_id.h"
#include "job/journal.h"

namespace pedro {
namespace {

std::string described(const JobSummary& job) {
  std::string out = job.id + " " + job.agent + " '" + job.task + "' ";
  out += std::string(to_string(job.state)) + " " + std::to_string(job.exit_code);
  out += " rounds " + std::to_string(job.rounds) + " tokens " +
         std::to_string(job.tokens.prompt_tokens) + "/" + std::to_string(job.tokens.cached_tokens) +
         "/" + std::to_string(job.tokens.generated_tokens);
  return out;
}

struct Office {
  FakeFileSystem files;
  FakeClock clock;
  long alive = 0;  // the only live process
  JobStore store{files, "/state", [this](const ProcessIdentity& p) { return p.pid == alive; }};

  std::string create(const std::string& agent = "build") {
    const auto id = store.create(clock, agent, [] { return 0x7f3au; });
    REQUIRE(id);
    clock.ms += 1000;
    return *id;
  }
  Journal journal(const std::string& id) { return {files, clock, store.folder(id)}; }
  void start(Journal& journal, const std::string& id, long pid) {
    REQUIRE(journal.thread_started(
        {id, "build", "Fix " + id.substr(9, 6), "/w", "old", "", "", "", "", {pid, 1}}));
  }
  std::string listed() {
    const auto jobs = store.list(100);
    REQUIRE(jobs);
    std::string out;
    for (const JobSummary& job : *jobs) out += described(job) + "\n";
    return out;
  }
  std::string loaded(const std::string& id) {
    const auto job = store.load(id);
    return job ? described(*job) : job.error().message;
  }
};

}  // namespace

TEST_CASE("job store: without any job the list is empty") {
  CHECK(Office().listed().empty());
}

TEST_CASE("job store: an id that is taken is not given twice") {
  Office office;
  std::uint32_t next = 0;
  const auto random = [&] { return next++ / 2; };
  const auto first = office.store.create(office.clock, "build", random);
  const auto second = office.store.create(office.clock, "build", random);
  REQUIRE(first);
  REQUIRE(second);
  CHECK(*first == "20231114-221320-000-build-0000");
  CHECK(*second == "20231114-221320-000-build-0001");
  const auto third = office.store.create(office.clock, "build", [] { return 1u; });
  REQUIRE_FALSE(third);
  CHECK(third.error().message == "/state/jobs: no free job id found");
}

TEST_CASE("job store: of two processes that want the same id at the same moment one gets it") {
  // Another process creates the folder first, each time between the check and the creation.
  struct Contended : FakeFileSystem {
    Result<bool> make_new_folder(const std::string& path, std::uint32_t mode) override {
      meet(path);
      return FakeFileSystem::make_new_folder(path, mode);
    }
    Status make_folders(const std::string& path, std::uint32_t mode) override {
      meet(path);
      return FakeFileSystem::make_folders(path, mode);
    }
    void meet(const std::string& path) {
      if (path == "/state/jobs" || others-- <= 0) return;
      REQUIRE(FakeFileSystem::make_folders(path, 0700));
    }
    int others = 0;
  } files;
  files.others = 2;
  const FakeClock clock;
  JobStore store(files, "/state");
  std::uint32_t next = 0;
  const auto id = store.create(clock, "build", [&] { return next++; });
  REQUIRE(id);
  CHECK(*id == "20231114-221320-000-build-0002");
}

TEST_CASE("job store: a folder that cannot be made") {
  Office office;
  office.files.fail_writes_with = "Read-only file system";
  const auto id = office.store.create(office.clock, "build", [] { return 1u; });
  REQUIRE_FALSE(id);
  CHECK(id.error().message ==
        "the job's folder cannot be created: /state/jobs: Read-only file system");
}

TEST_CASE("job store: the states of a job, in the list and alone") {
  Office office;
  office.alive = 42;
  const std::string running = office.create();
  const std::string died = office.create();
  const std::string done = office.create();
  const std::string failed = office.create();
  const std::string interrupted = office.create();
  const std::string empty = office.create("debug");
  const std::pair<std::string, long> all[] = {
      {running, 42}, {died, 43}, {done, 42}, {failed, 43}, {interrupted, 43}};
  for (const auto& [id, pid] : all) {
    Journal journal = office.journal(id);
    office.start(journal, id, pid);
    CHECK(journal.turn_completed({"plan", 1, {10, 5, 3, 1, 1}}));
    CHECK(journal.turn_completed({"plan", 2, {20, 10, 4, 1, 1}}));
    if (id == done) CHECK(journal.thread_completed({"done", 0, "new", "", "/r"}));
    if (id == failed) CHECK(journal.thread_completed({"checks_failed", 5, "", "", ""}));
    if (id == interrupted) CHECK(journal.thread_completed({"interrupted", 130, "", "", ""}));
  }
  CHECK(
      office.listed() ==
      "20231114-221325-000-debug-7f3a  '' died 0 rounds 0 tokens 0/0/0\n"
      "20231114-221324-000-build-7f3a build 'Fix 221324' interrupted 130 rounds 2 tokens 30/15/7\n"
      "20231114-221323-000-build-7f3a build 'Fix 221323' failed 5 rounds 2 tokens 30/15/7\n"
      "20231114-221322-000-build-7f3a build 'Fix 221322' done 0 rounds 2 tokens 30/15/7\n"
      "20231114-221321-000-build-7f3a build 'Fix 221321' died 0 rounds 0 tokens 0/0/0\n"
      "20231114-221320-000-build-7f3a build 'Fix 221320' running 0 rounds 0 tokens 0/0/0\n");
  CHECK(office.loaded(running) ==
        "20231114-221320-000-build-7f3a build 'Fix 221320' running 0 rounds 2 tokens 30/15/7");
  CHECK(office.loaded(died) ==
        "20231114-221321-000-build-7f3a build 'Fix 221321' died 0 rounds 2 tokens 30/15/7");
  CHECK(
      office.loaded(interrupted) ==
      "20231114-221324-000-build-7f3a build 'Fix 221324' interrupted 130 rounds 2 tokens 30/15/7");
  CHECK(office.loaded(empty) == "20231114-221325-000-debug-7f3a  '' died 0 rounds 0 tokens 0/0/0");

  const auto job = office.store.load(done);
  REQUIRE(job);
  CHECK(job->branch == "new");
  CHECK(job->report == "/r");
  CHECK(job->outcome == "done");
  CHECK(job->started == "2023-11-14T22:13:26.000Z");
  CHECK(job->ended == "2023-11-14T22:13:26.000Z");
  CHECK(office.store.load(failed)->branch == "old");
  CHECK(office.store.list(2)->size() == 2);
}

TEST_CASE("job store: the limit counts only the jobs of the given folder") {
  Office office;
  const auto start = [&](const std::string& workdir, const std::string& repository) {
    const std::string id = office.create();
    Journal journal = office.journal(id);
    REQUIRE(journal.thread_started(
        {id, "build", "x", workdir, "", "", "", "", "", {1, 1}, -1, repository}));
    return id;
  };
  const std::string oldest = start("/a", "");
  const std::string own_tree = start("/trees/1", "/a");
  start("/a/below", "");
  start("/b", "");
  const auto jobs = office.store.list(2, "/a");
  REQUIRE(jobs);
  REQUIRE(jobs->size() == 2);
  CHECK((*jobs)[0].id == own_tree);
  CHECK((*jobs)[1].id == oldest);
  CHECK(office.store.list(1, "/b/")->empty());
}

TEST_CASE("job store: the readable part of a broken journal is returned") {
  Office office;
  office.alive = 42;
  const std::string id = office.create();
  Journal journal = office.journal(id);
  office.start(journal, id, 43);
  CHECK(journal.phase_started("plan", 2, 5));
  CHECK(journal.turn_completed({"plan", 1, {10, 5, 3, 1, 1}}));
  std::string& text = office.files.files[office.store.journal_path(id)];
  text += "junk\n{\"type\":\"thread.comp";
  const std::string expected = id + " build 'Fix 221320' died 0 rounds 1 tokens 10/5/3";
  CHECK(office.loaded(id) == expected);
  CHECK(office.store.load(id)->phase == "plan");

  for (const char* summary : {"", "{", "[]", "{\"started\": 1}"}) {
    CAPTURE(summary);
    office.files.files[office.store.folder(id) + "/summary.json"] = summary;
    CHECK(office.listed() == expected + "\n");
  }
  office.files.files.erase(office.store.folder(id) + "/summary.json");
  CHECK(office.listed() == expected + "\n");
}

TEST_CASE("job store: sums over a journal do not overflow") {
  Office office;
  const std::string id = office.create();
  Journal journal = office.journal(id);
  office.start(journal, id, 43);
  for (int i = 0; i < 3; ++i) {
    office.files.files[office.store.journal_path(id)] +=
        R"({"type":"turn.completed","usage":{"input_tokens":9223372036854775807,)"
        R"("cached_input_tokens":-5,"output_tokens":9223372036854775807}})"
        "\n";
  }
  CHECK(office.loaded(id) ==
        id + " build 'Fix 221320' died 0 rounds 3 tokens 300000000000/0/300000000000");
}

TEST_CASE("job store: the list does not read journals") {
  Office office;
  const std::string id = office.create();
  Journal journal = office.journal(id);
  office.start(journal, id, 43);
  const Json result = {{"findings", std::vector<std::string>(5000, std::string(50, 'x'))}};
  CHECK(journal.thread_completed({"done", 0, "", "", "", result}));
  office.files.files.erase(office.store.journal_path(id));
  CHECK(office.listed() == id + " build 'Fix 221320' done 0 rounds 0 tokens 0/0/0\n");
}

TEST_CASE("job store: a job that was taken up again is running, and its rounds add up") {
  Office office;
  const std::string id = office.create();
  {
    Journal journal = office.journal(id);
    office.start(journal, id, 43);
    CHECK(journal.turn_completed({"plan", 1, {10, 5, 3, 1, 1}}));
    CHECK(journal.thread_completed({"limit", 6, "", "", ""}));
  }
  office.alive = 44;
  Journal journal = office.journal(id);
  office.start(journal, id, 44);
  CHECK(office.store.load(id)->state == JobState::kRunning);
  CHECK(journal.turn_completed({"plan", 1, {10, 5, 3, 1, 1}}));
  CHECK(journal.thread_completed({"done", 0, "", "", ""}));
  CHECK(office.loaded(id) == id + " build 'Fix 221320' done 0 rounds 2 tokens 20/10/6");
}

TEST_CASE("job store: files and folders that are not jobs") {
  Office office;
  office.create();
  office.files.files["/state/jobs/notes.txt"] = "x";
  office.files.folders["/state/jobs/other"] = true;
  CHECK(office.store.list(100)->size() == 1);
  CHECK(office.loaded("20231114-221320-000-build-ffff") ==
        "no job '20231114-221320-000-build-ffff'; 'pedrocli list' shows all jobs");
  CHECK(office.loaded("../../etc/passwd\n") ==
        "no job '../../etc/passwd\n'; 'pedrocli list' shows all jobs");
  CHECK(office.store.load("x").error().kind == ErrorKind::kUsage);
  CHECK_FALSE(office.store.require("x").ok());
  CHECK(office.store.require("20231114-221320-000-build-7f3a").ok());
}

TEST_CASE("job store: on a disk, folders and files are for their owner only") {
  std::string root = (std::filesystem::temp_directory_path() / "pedro-jobs-XXXXXX").string();
  REQUIRE(::mkdtemp(root.data()) != nullptr);
  RealFileSystem files;
  FakeClock clock;
  JobStore store(files, root + "/state");
  const auto id = store.create(clock, "build", [] { return 1u; });
  REQUIRE(id);
  Journal journal(files, clock, store.folder(*id));
  CHECK(journal.thread_started({*id, "build", "Fix", "/w", "", "", "", "", "", this_process()}));
  CHECK(files.info(store.folder(*id)).mode == 0700);
  CHECK(files.info(store.journal_path(*id)).mode == 0600);
  CHECK(files.info(store.folder(*id) + "/summary.json").mode == 0600);
  CHECK(store.load(*id)->state == JobState::kRunning);
  CHECK(journal.turn_completed({"plan", 1, {10, 5, 3, 1, 1}}));
  CHECK(journal.thread_completed({"done", 0, "", "", ""}));
  const auto jobs = store.list(10);
  REQUIRE(jobs);
  REQUIRE(jobs->size() == 1);
  CHECK(described(jobs->front()) == *id + " build 'Fix' done 0 rounds 1 tokens 10/5/3");
  std::filesystem::remove_all(root);
}

TEST_CASE("job store: a job is named by a beginning of its id or its last digits, if only one is") {
  Office office;
  const auto make = [&office](std::uint32_t digits) {
    office.clock.ms += 1;
    return *office.store.create(office.clock, "build", [digits] { return digits; });
  };
  const std::string first = make(0x00a1);
  const std::string second = make(0x00a2);
  office.files.folders["/state/jobs/20231114-221320-old-00a3"] = true;
  const auto found = [&office](std::string_view text) {
    const auto id = office.store.find(text);
    return id ? *id : id.error().message;
  };
  CHECK(found(first) == first);
  CHECK(found("00a2") == second);
  CHECK(found(first.substr(0, 19)) == first);
  CHECK(found("20231114-221320-o") == "20231114-221320-old-00a3");
  CHECK(found("20231114") ==
        "'20231114' matches 3 jobs:\n  20231114-221320-old-00a3\n  " + second + "\n  " + first);
  CHECK(found("../x") == "no job '../x'; 'pedrocli list' shows all jobs");
  CHECK(found("0a2") == "no job '0a2'; 'pedrocli list' shows all jobs");
}

}  // namespace pedro
