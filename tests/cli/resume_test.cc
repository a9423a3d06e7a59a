// A resumed job must end like an undisturbed one. This holds for a kill at any time, and for a disk
// error at any call.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <random>
#include <set>
#include <thread>

#include "base/clock.h"
#include "base/json.h"
#include "base/text.h"
#include "cli/program.h"
#include "cli/replies.h"
#include "sys/file_system.h"

namespace pedro {
namespace {

namespace fs = std::filesystem;

// The number of kills; PEDROCLI_KILLS overrides it.
int kills() {
  const char* given = std::getenv("PEDROCLI_KILLS");
  return given == nullptr ? 6 : std::atoi(given);
}

// Thirty rounds that read, write, run commands, take notes, fail and finish.
std::vector<std::string> replies() {
  std::vector<std::string> all = {
      call("search", {{"action", "text"}, {"pattern", "bad"}}),
      call("phase_complete", {{"summary", "a.txt says bad"}, {"files", {"a.txt"}}}),
      call("phase_complete",
           {{"steps", {{{"file", "a.txt"}, {"change", "say good"}}}}, {"test", "the check"}}),
      call("context", {{"action", "note"}, {"name", "plan"}, {"text", "first a.txt"}}),
      "this is no call",
      call("file", {{"action", "read"}, {"path", "nothing.txt"}}),
      call("bash", {{"action", "run"}, {"command", "seq 1 9000 | sed 's/$/ a long line/'"}}),
      call("context", {{"action", "recall"}, {"id", "out-1"}}),
  };
  for (int i = 1; i <= 8; ++i) {
    const std::string path = "notes/" + std::to_string(i) + ".txt";
    all.push_back(
        call("file", {{"action", "write"}, {"path", path}, {"content", "line " + path + "\n"}}));
    all.push_back(call("bash", {{"action", "run"}, {"command", "cat notes/*.txt >> all.txt"}}));
  }
  all.push_back(call("context", {{"action", "note"}, {"name", "plan"}, {"text", "now a.txt"}}));
  all.push_back(call("context", {{"action", "recall"}, {"id", "plan"}}));
  all.push_back(
      call("file", {{"action", "replace"}, {"path", "a.txt"}, {"old", "bad"}, {"new", "worse"}}));
  all.push_back(call("phase_complete", {{"summary", "done, I think"}}));
  all.push_back(
      call("file", {{"action", "replace"}, {"path", "a.txt"}, {"old", "worse"}, {"new", "good"}}));
  all.push_back(call("phase_complete", {{"summary", "a.txt says good now"}}));
  all.push_back(call("phase_complete", {{"subject", "Say good"}, {"body", "It said bad."}}));
  return all;
}

// Removes the values from a journal event that differ between runs.
void drop_chance(Json& value) {
  if (!value.is_structured()) return;
  if (value.is_object()) {
    for (const char* key :
         {"ts", "pid", "start_ticks", "duration_s", "timings", "commit", "report"}) {
      value.erase(key);
    }
  }
  for (Json& below : value) drop_chance(below);
}

bool says(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

// Returns true for a job's notices about a full disk.
bool tells_of_disk(const Json& event) {
  const std::string said = text_of(member(event, "item"), "message");
  return said.find("could not be kept") != std::string::npos ||
         said.starts_with("no checkpoint can be taken");
}

struct Job : Program {
  Job() {
    folder.write("project/a.txt", "bad\n");
    folder.write("project/.pedro/issues/3.md", "# Be good\n\na.txt should say good.\n");
    commit_project();
  }

  static std::vector<std::string> args() {
    return {"build", "-issue", "3", "-test-cmd", "grep -q good a.txt"};
  }

  std::string recording() const { return folder.at("session.jsonl"); }

  void record() {
    std::vector<std::string> given = args();
    given.insert(given.end(), {"-backend", "manual", "-record", recording()});
    const ProcessResult result = run(given, typed(replies()));
    CAPTURE(result.err);
    REQUIRE(result.exit_code == 0);
    clear();
  }

  void clear() {
    git({"checkout", "-q", "-f", "main"});
    git({"branch", "-D", "pedrocli/issue-3-be-good"});
    fs::remove_all(folder.at("state"));
  }

  ProcessResult play() {
    std::vector<std::string> given = args();
    given.insert(given.end(), {"-replay", recording()});
    return run(given);
  }

  // Runs the program with these arguments and kills it after `time`. Returns true if it was killed
  // before its end.
  bool killed_after(std::vector<std::string> given, std::chrono::microseconds time) {
    given.insert(given.begin(), PEDROCLI_PROGRAM);
    const pid_t child = ::fork();
    if (child == 0) {
      for (const auto& [name, value] : environment()) ::setenv(name.c_str(), value.c_str(), 1);
      for (const auto& [name, value] : extra_environment) ::setenv(name.c_str(), value.c_str(), 1);
      std::vector<char*> argv;
      for (std::string& arg : given) argv.push_back(arg.data());
      argv.push_back(nullptr);
      if (::chdir(project().c_str()) != 0) ::_exit(99);
      // Keeps output buffered by doctest out of this process's streams.
      const int nothing = ::open("/dev/null", O_WRONLY);
      if (::dup2(nothing, 1) < 0 || ::dup2(nothing, 2) < 0) ::_exit(99);
      ::execv(argv[0], argv.data());
      ::_exit(99);
    }
    std::this_thread::sleep_for(time);
    ::kill(child, SIGKILL);
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    return WIFSIGNALED(status);
  }

  std::string journal_path() const {
    for (const auto& job : fs::directory_iterator(folder.at("state/pedrocli/jobs"))) {
      if (fs::is_directory(job)) return job.path().string() + "/journal.jsonl";
    }
    return "";
  }

  bool disk_is_full = false;  // a job reports this in additional items

  // The state of the repository apart from the job's branch.
  std::string tree() {
    std::string all = git({"rev-parse", "main"}) + git({"status", "--porcelain", "--ignored"});
    for (const auto& [path, text] : files_below("project")) {
      if (path.find("/.git/") == std::string::npos) all += path + ":" + text + "\n";
    }
    return all;
  }

  // The result of a job: the journal, the commit and the files.
  std::string outcome() {
    std::string all;
    const auto text = RealFileSystem().read(journal_path(), 64u << 20);
    REQUIRE(text.ok());
    for (const std::string_view line : split_lines(*text)) {
      auto event = parse_json(line);
      REQUIRE(event.ok());
      if (event->contains("resumed_after") || tells_of_disk(*event)) continue;
      drop_chance(*event);
      event->erase("thread_id");
      if (disk_is_full && event->contains("item")) (*event)["item"].erase("id");
      all += to_line(*event) + "\n";
    }
    all += git({"log", "--format=%s%n%b%n%an %ae%n%cn %ce%n%P%n%T", "main.." + job_branch()});
    all += git({"status", "--porcelain", "--ignored", "--branch"});
    all += git({"branch", "--list", "--format=%(refname)"});
    return all;
  }
};

// Returns the first line in which two texts differ.
std::string difference(std::string_view one, std::string_view other) {
  const auto a = split_lines(one);
  const auto b = split_lines(other);
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    const std::string left(i < a.size() ? a[i] : "(nothing)");
    const std::string right(i < b.size() ? b[i] : "(nothing)");
    if (left != right) return left + "\n" + right;
  }
  return "";
}

// The number of failing calls to try for each fault (PEDROCLI_FAULTS); 0: all.
int faults() {
  const char* given = std::getenv("PEDROCLI_FAULTS");
  return given == nullptr ? 1 : std::atoi(given);
}

// The number of disk sizes to try (PEDROCLI_DISKS); 0: one for each page.
int disks() {
  const char* given = std::getenv("PEDROCLI_DISKS");
  return given == nullptr ? 4 : std::atoi(given);
}

// Returns the step that makes about `tries` of `count` cases; 0 or less: all of them.
int step_of(int count, int tries) {
  return tries <= 0 ? 1 : std::max(1, count / tries);
}

}  // namespace

TEST_CASE("resume: more tries than there are cases are all of them") {
  CHECK(step_of(520, 2) == 260);
  CHECK(step_of(520, 520) == 1);
  CHECK(step_of(520, 521) == 1);
  CHECK(step_of(520, 0) == 1);
  CHECK(step_of(520, -1) == 1);
}

TEST_CASE("resume: an agent's -resume works alike, and accepts the flags that may change") {
  Job job;
  job.record();
  std::vector<std::string> given = Job::args();
  given.insert(given.end(), {"-replay", job.recording()});
  REQUIRE(job.run(given).exit_code == 0);
  const std::string undisturbed = job.outcome();
  job.clear();
  given.insert(given.end(), {"-max-rounds", "9"});
  REQUIRE(job.run(given).exit_code == 6);
  const std::string id = fs::path(job.journal_path()).parent_path().filename();

  const auto refused = [&](const std::vector<std::string>& args) {
    const ProcessResult result = job.run(args);
    CHECK(result.exit_code == 2);
    return result.err;
  };
  CHECK(refused({"build", "-resume", id, "-issue", "4"}) ==
        "pedrocli: -resume: the job already has a task; omit the one given here\n");
  CHECK(refused({"build", "-resume", id, "-branch", "x"}) ==
        "pedrocli: -branch is fixed when the job starts, and cannot change now\n");
  CHECK(refused({"debug", "-resume", id}) ==
        "pedrocli: -resume " + id + ": is a job of build, not of debug; try `pedrocli resume " +
            id + "`\n");
  // The limit is below the rounds already done, so the job ends at once and loses nothing.
  const ProcessResult fewer = job.run({"resume", "-max-rounds", "2"});
  CAPTURE(fewer.err);
  CHECK(fewer.exit_code == 6);
  CHECK(fewer.err.find("continuing after 9 rounds") != std::string::npos);
  const ProcessResult last = job.run({"-quiet", "build", "-max-rounds", "60", "-resume", id});
  CAPTURE(last.err);
  CHECK(last.exit_code == 0);
  CHECK(job.outcome() == undisturbed);
}

TEST_CASE("resume: paths given with it are those of the folder it is called in") {
  Job job;
  job.record();
  std::vector<std::string> given = Job::args();
  given.insert(given.end(), {"-replay", job.recording(), "-max-rounds", "9"});
  REQUIRE(job.run(given).exit_code == 6);
  const ProcessResult inside = job.run({"resume", "-record", "out.rec"});
  CHECK(inside.exit_code == 2);
  CHECK(inside.err.ends_with("choose a place outside the project\n"));

  job.folder.write("elsewhere/my.json", R"({"limits": {"max_inference_runs": 60}})");
  Command command{.argv = {PEDROCLI_PROGRAM, "resume", "-max-rounds", "60", "-record", "out.rec",
                           "-config", "my.json", "-replay", "../session.jsonl"},
                  .folder = job.folder.at("elsewhere")};
  command.environment = job.environment();
  const auto result = job.processes.run(command, job.cancel);
  REQUIRE(result.ok());
  CAPTURE(result->err);
  CHECK(result->exit_code == 0);
  CHECK(fs::exists(job.folder.at("elsewhere/out.rec")));
  CHECK_FALSE(fs::exists(job.project() + "/out.rec"));
}

TEST_CASE("resume: a disk error at any call ends a job cleanly, and the job can be resumed") {
  Job job;
  job.record();
  const auto preload = [&](const std::string& at, const std::string& with) {
    job.extra_environment = {{"LD_PRELOAD", FAULTY_DISK},
                             {"ASAN_OPTIONS", "verify_asan_link_order=0"},
                             {"FAULT_FOLDER", job.folder.at("state")},
                             {"FAULT_AT", at},
                             {"FAULT_WITH", with}};
  };
  preload("0", "");
  job.extra_environment["FAULT_COUNT"] = job.folder.at("count");
  REQUIRE(job.play().exit_code == 0);
  const std::string expected = job.outcome();
  const std::string calls = job.folder.read("count");
  const auto syncs = std::count(calls.begin(), calls.end(), 's');
  REQUIRE(syncs > 60);  // two for each round

  int failed = 0;
  int resumed = 0;
  for (const char* with : {"kill", "28", "5", "30", "24"}) {  // ENOSPC, EIO, EROFS, EMFILE
    const int step = step_of(static_cast<int>(calls.size()), faults());
    for (int at = 1 + step / 2; at <= static_cast<int>(calls.size()); at += step) {
      CAPTURE(with);
      CAPTURE(at);
      job.clear();
      preload(std::to_string(at), with);
      const ProcessResult first = job.play();
      CAPTURE(first.err);
      job.extra_environment.clear();
      if (first.exit_code == 0) {  // the fault was not fatal
        CHECK(difference(expected, job.outcome()) == "");
        continue;
      }
      ++failed;
      const bool was_killed = std::string_view(with) == "kill";
      CHECK((was_killed || first.exit_code < 128));
      CHECK((was_killed || first.err.find("pedrocli: ") != std::string::npos));
      const ProcessResult last = job.run({"resume"});
      CAPTURE(last.err);
      if (last.exit_code == 2) {
        const bool nothing_yet = last.err.find("there are no jobs yet") != std::string::npos ||
                                 last.err.find("it has no answers.log") != std::string::npos ||
                                 last.err.find("its beginning is missing") != std::string::npos;
        const bool is_done = last.err.find(": is done") != std::string::npos;
        CHECK((nothing_yet || is_done));
        if (!is_done) {
          (void)job.git({"checkout", "-q", "-B", "pedrocli/issue-3-be-good"});
          continue;
        }
      } else {
        CHECK(last.exit_code == 0);
        ++resumed;
      }
      CHECK(difference(expected, job.outcome()) == "");
    }
  }
  MESSAGE(calls.size() << " calls, " << syncs << " of them fsync; " << failed << " jobs failed, "
                       << resumed << " resumed");
  CHECK(resumed > 0);
}

TEST_CASE("resume: a job killed after its commit makes the same one, to the byte") {
  Job job;
  job.record();
  REQUIRE(job.play().exit_code == 0);
  const std::string branch = "pedrocli/issue-3-be-good";
  const std::string commit = job.git({"cat-file", "commit", branch});
  const std::string id = job.git({"rev-parse", branch});
  const long long made_s = std::stoll(job.git({"log", "-1", "--format=%ct", branch}));
  while (RealClock().now_ms() / 1000 <= made_s) std::this_thread::yield();  // until the next second
  // Restores the state before the job recorded its end. Its branch has the commit, or not yet.
  const std::string whole = *RealFileSystem().read(job.journal_path(), 64u << 20);
  for (const bool is_committed : {true, false}) {
    CAPTURE(is_committed);
    fs::resize_file(job.journal_path(), whole.rfind("\n", whole.size() - 2) + 1);
    fs::remove(fs::path(job.journal_path()).replace_filename("summary.json"));
    if (!is_committed) job.git({"branch", "-f", branch, "main"});
    const ProcessResult last = job.run({"resume"});
    CAPTURE(last.err);
    CHECK(last.exit_code == 0);
    CHECK(job.git({"cat-file", "commit", branch}) == commit);
    CHECK(job.git({"rev-parse", branch}) == id);
  }
}

TEST_CASE("resume: the state at the end of a round survives a crash of the machine") {
  Job job;
  job.record();
  job.extra_environment = {{"LD_PRELOAD", FAULTY_DISK},
                           {"ASAN_OPTIONS", "verify_asan_link_order=0"},
                           {"FAULT_FOLDER", job.folder.at("state")},
                           {"FAULT_LOG", job.folder.at("calls")}};
  REQUIRE(job.play().exit_code == 0);
  const std::string jobs = job.folder.at("state/pedrocli/jobs");
  std::set<fs::path> unsafe;  // names that a crash may lose
  const auto unsafe_names = [&] {
    std::string names;
    for (const fs::path& name : unsafe) names += name.string() + "\n";
    return names;
  };
  int rounds = 0;
  const std::string calls = job.folder.read("calls");
  for (const std::string_view call : split_lines(calls)) {
    const std::size_t blank = call.find(' ');
    const fs::path path = call.substr(blank + 1);
    const bool matters = (path.string() + "/").starts_with(jobs + "/") &&
                         path.extension() != ".tmp" && path.filename() != "heartbeat";
    if (call.substr(0, blank) != "synced") {
      if (matters) unsafe.insert(path);
      continue;
    }
    std::erase_if(unsafe, [&](const fs::path& name) { return name.parent_path() == path; });
    if (path.filename() != "answers.log") continue;
    ++rounds;
    CHECK(unsafe_names() == "");
  }
  CHECK(rounds > 30);
  CHECK(unsafe_names() == "");
}

TEST_CASE("resume: a disk that fills up under project, .git and journal loses nothing") {
  Job job;
  job.record();
  job.extra_environment = job.environment();
  job.disk_is_full = true;
  const fs::path original = job.folder.at("original");
  fs::rename(job.project(), original);
  std::vector<std::string> play = {PEDROCLI_PROGRAM};
  for (const std::string& arg : Job::args()) play.push_back(arg);
  play.insert(play.end(), {"-replay", job.recording()});

  // Returns false if no disk can be mounted, or if the project does not fit.
  const auto run_on_disk = [&](int kib) {
    for (const char* left : {"project", "state", "disk"}) fs::remove_all(job.folder.at(left));
    fs::copy(original, job.project(), fs::copy_options::recursive);
    Command command{.argv = {PEDROCLI_SOURCE "/tests/support/small-disk", std::to_string(kib),
                             job.folder.path()},
                    .folder = job.folder.path()};
    command.argv.insert(command.argv.end(), play.begin(), play.end());
    command.argv.insert(command.argv.end(), {"--", PEDROCLI_PROGRAM, "resume"});
    command.environment = job.environment();
    command.timeout_s = 240;
    const auto result = job.processes.run(command, job.cancel);
    REQUIRE(result.ok());
    CAPTURE(result->err);
    REQUIRE((result->exit_code == 0 || result->exit_code == 1 || result->exit_code == 77));
    return result->exit_code == 0;
  };
  const auto code = [&](const char* name) {
    return std::atoi(job.folder.read(std::string(name) + ".code").c_str());
  };

  if (!run_on_disk(64 << 10)) {
    MESSAGE("skipped: no disk can be mounted here (unshare -rm)");
    return;
  }
  REQUIRE(code("first") == 0);
  const std::string expected = job.outcome();
  int too_small = 0;
  int failed = 0;
  int resumed = 0;
  int met_by_tools = 0;
  const int least = 440;  // KiB: too small for any job; the maximum fits all of them
  const int most = 960;
  const int step = 4 * step_of((most - least) / 4, disks());
  for (int kib = least + step / 2; kib <= most; kib += step) {
    if (!run_on_disk(kib)) {
      ++too_small;
      continue;
    }
    CAPTURE(kib);
    const std::string first = job.folder.read("first.err");
    const std::string then = job.folder.read("then.err");
    CAPTURE(first);
    CAPTURE(then);
    job.git({"fsck", "--full", "--strict"});
    if (code("first") == 0) {
      CHECK(difference(expected, job.outcome()) == "");
      continue;
    }
    ++failed;
    CHECK(code("first") < 128);
    CHECK(first.find("pedrocli: ") != std::string::npos);
    if (code("then") == 0) {
      ++resumed;
      CHECK(difference(expected, job.outcome()) == "");
    } else if (says(then, ": is done")) {  // all but its summary
      ++resumed;
      CHECK(difference(expected, job.outcome()) == "");
    } else if (says(then, "there are no jobs yet") || says(then, "it has no answers.log") ||
               says(then, "its beginning is missing")) {
      CHECK(code("then") == 2);
    } else {  // a tool reported the full disk to the model
      ++met_by_tools;
      CHECK(says(then, "the run differs from the recording"));
      CHECK(says(then, "(failed):"));
    }
  }
  MESSAGE(too_small << " disks too small, " << failed << " jobs failed, " << resumed
                    << " resumed to the same end, " << met_by_tools << " met by a tool");
  CHECK(resumed > 0);
}

TEST_CASE("resume: without a checkpoint no job starts, and nothing remains") {
  Job job;
  job.record();
  REQUIRE(job.play().exit_code == 0);
  const std::string undisturbed = job.outcome();
  job.clear();
  const std::string in_the_way = job.project() + "/.git/refs/pedrocli";
  fs::remove_all(in_the_way);
  job.folder.write("project/.git/refs/pedrocli", "");
  std::vector<std::string> given = Job::args();
  given.insert(given.end(), {"-replay", job.recording(), "-max-rounds", "14"});
  const ProcessResult first = job.run(given);
  CAPTURE(first.err);
  CHECK(first.exit_code == 2);
  CHECK(first.err.find("cannot save the files before the job, for undo: ") != std::string::npos);
  const ProcessResult refused = job.run({"resume"});
  CHECK(refused.exit_code == 2);
  CHECK(refused.err.find("there are no jobs yet") != std::string::npos);
  fs::remove(in_the_way);
  CHECK(job.play().exit_code == 0);
  CHECK(difference(undisturbed, job.outcome()) == "");
}

TEST_CASE("resume: a job killed while it protects a missing file leaves none") {
  Job job;
  job.record();
  const std::string untouched = job.tree();
  for (const char* at : {"1", "2", "3"}) {  // the file is created, locked, has its mode
    CAPTURE(at);
    job.extra_environment = {{"LD_PRELOAD", FAULTY_DISK},
                             {"ASAN_OPTIONS", "verify_asan_link_order=0"},
                             {"FAULT_FOLDER", job.folder.at("project/.pedrocli.json")},
                             {"FAULT_KILL_AFTER", at}};
    CHECK(job.play().exit_code == 128 + SIGKILL);
    job.extra_environment.clear();
    CHECK(difference(untouched, job.tree()) != "");
    CHECK(job.run({"undo"}).exit_code == 0);  // of a job that was killed before its start
    CHECK(difference(untouched, job.tree()) == "");
  }
}

TEST_CASE("resume: on a disk without locks, a job leaves no file that it protected") {
  Job job;
  job.record();
  job.extra_environment = {{"LD_PRELOAD", FAULTY_DISK},
                           {"ASAN_OPTIONS", "verify_asan_link_order=0"},
                           {"FAULT_NO_LOCKS", "1"}};
  const ProcessResult played = job.play();
  CAPTURE(played.err);
  CHECK(played.exit_code == 0);
  CHECK(job.git({"status", "--porcelain"}) == "");
}

TEST_CASE("resume: a job killed at any point ends like an undisturbed one") {
  Job job;
  job.record();
  const auto begun = std::chrono::steady_clock::now();
  const ProcessResult undisturbed = job.play();
  const auto took = std::chrono::duration_cast<std::chrono::microseconds>(
      std::chrono::steady_clock::now() - begun);
  CAPTURE(undisturbed.err);
  REQUIRE(undisturbed.exit_code == 0);
  const std::string expected = job.outcome();
  REQUIRE(expected.find("Say good") != std::string::npos);

  const std::string untouched = job.tree();
  std::mt19937 random(20261123);
  int killed = 0;
  int resumed = 0;
  int undone = 0;
  for (int i = 0; i < kills(); ++i) {
    job.clear();
    std::vector<std::string> given = Job::args();
    given.insert(given.end(), {"-replay", job.recording()});
    std::uniform_int_distribution<long> when(2000, took.count());
    // Kills every second job again while it resumes.
    bool dead = job.killed_after(given, std::chrono::microseconds(when(random)));
    killed += dead ? 1 : 0;
    for (int again = 0; again < i % 2 && dead; ++again) {
      const bool has_log =
          fs::exists(job.folder.at("state/pedrocli/jobs")) && !job.journal_path().empty();
      if (!has_log) break;
      dead = job.killed_after({"resume"}, std::chrono::microseconds(when(random)));
    }
    CAPTURE(i);
    if (i % 4 == 3) {  // gives up the killed job
      const ProcessResult back = job.run({"undo"});
      CAPTURE(back.err);
      CHECK(difference(untouched, job.tree()) == "");
      undone += job.tree() == untouched ? 1 : 0;
      (void)job.git({"checkout", "-q", "-B", "pedrocli/issue-3-be-good"});
      continue;
    }
    ProcessResult last = job.run({"resume"});
    CAPTURE(last.err);
    if (last.exit_code == 2) {  // killed before its start or after its end
      const bool nothing_yet = last.err.find("there are no jobs yet") != std::string::npos ||
                               last.err.find("it has no answers.log") != std::string::npos ||
                               last.err.find("its beginning is missing") != std::string::npos;
      const bool is_done = last.err.find(": is done") != std::string::npos;
      CHECK((nothing_yet || is_done));
      if (!is_done) {             // the files are unchanged; the branch may exist
        (void)job.run({"undo"});  // removes the placeholders of a killed check
        undone += job.tree() == untouched ? 1 : 0;
        (void)job.git({"checkout", "-q", "-B", "pedrocli/issue-3-be-good"});
        continue;
      }
    } else {
      CHECK(last.exit_code == 0);
      ++resumed;
    }
    const std::string now = job.outcome();
    CHECK(difference(expected, now) == "");
    const ProcessResult back = job.run({"undo"});
    CAPTURE(back.err);
    CHECK(difference(untouched, job.tree()) == "");
    undone += job.tree() == untouched ? 1 : 0;
    (void)job.git({"branch", "-f", "pedrocli/issue-3-be-good"});  // for clear()
  }
  MESSAGE(killed << " of " << kills() << " killed, " << resumed << " resumed; the tree is the same "
                 << "after undo in " << undone << " of " << kills());
  CHECK(resumed > 0);
  CHECK(undone == kills());
}

}  // namespace pedro
