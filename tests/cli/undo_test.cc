// Tests `pedrocli undo` after real jobs, one of them killed during a round.
#include <random>

#include "base/json.h"
#include "base/text.h"
#include "cli/program.h"
#include "cli/replies.h"

namespace pedro {
namespace {

std::string edit(const std::string& from, const std::string& to) {
  return R"({"tool":"file","args":{"action":"replace","path":"a.txt","old":")" + from +
         R"(","new":")" + to + R"("}})";
}

struct Undo : Program {
  Undo() {
    folder.write("project/a.txt", "bad\n");
    commit_project();
  }
  std::string a() const { return folder.read("project/a.txt"); }
  // Runs a job that changes a.txt to "good".
  void build() {
    const ProcessResult built =
        run({"build", "-description", "Be good", "-backend", "manual", "-test-cmd",
             "grep -q good a.txt"},
            typed({kAnalyzed, kPlanned, edit("bad", "good"), kDone, kDelivered}));
    CAPTURE(built.err);
    REQUIRE(built.exit_code == 0);
  }
};

// Runs a build whose model stops replying. Prints the output of `undo` meanwhile, and kills the
// build.
constexpr std::string_view kKilled = R"({ cat ../replies; exec sleep 100; } |
  "$0" build -description "Be good" -backend manual -test-cmd "grep -q good a.txt" >/dev/null 2>&1 &
job=$!
until grep -qs '"checkpoint.taken","rounds":4' "$XDG_STATE_HOME"/pedrocli/jobs/*/journal.jsonl; do
  kill -0 $job || exit 9
  sleep 0.02
done
"$0" undo; echo "exit $?"
kill -9 $job
)";

// Kills a build $1 seconds after it has at least $2 checkpoint refs.
constexpr std::string_view kKilledAfter = R"({ cat ../replies; exec sleep 100; } |
  "$0" build -description "Be good" -backend manual -test-cmd "grep -q good a.txt" >/dev/null 2>&1 &
job=$!
until [ $(git for-each-ref refs/pedrocli | wc -l) -ge $2 ]; do sleep 0.05; done
sleep $1
kill -9 $job
)";

// A project whose check changes files of every kind before it fails.
struct HarmfulCheck : Undo {
  HarmfulCheck() {
    folder.write("project/.gitignore", ".env\n");
    folder.write("project/check.sh",
                 "rm -f .env new.txt; echo x > a.txt; chmod 600 check.sh; touch ran; sleep ${1-0}; "
                 "exit 1\n");
    git({"add", "-A"});
    git({"commit", "-q", "-m", "check"});
    folder.write("project/.env", "TOKEN=1\n");
    folder.write("project/new.txt", "mine\n");
  }
  std::string files() const {
    return a() + folder.read("project/.env") + folder.read("project/new.txt");
  }
};
constexpr const char* kAllFiles = "bad\nTOKEN=1\nmine\n";

}  // namespace

TEST_CASE("undo: the first checks of a job that does not start leave no change") {
  HarmfulCheck bench;
  const ProcessResult result =
      bench.run({"build", "-description", "Be good", "-backend", "openai", "-model-url",
                 "http://127.0.0.1:9", "-allow-dirty", "-test-cmd", "sh check.sh"});
  CAPTURE(result.err);
  CHECK(result.exit_code == 4);
  CHECK(bench.files() == kAllFiles);
  CHECK(!std::filesystem::exists(bench.project() + "/ran"));
  CHECK(result.err.find("the checks had changed") != std::string::npos);
}

TEST_CASE("undo: a job killed or stopped during its first checks") {
  for (const std::string signal : {"KILL", "TERM"}) {
    CAPTURE(signal);
    HarmfulCheck bench;
    const std::string script =
        std::string(
            R"({ sleep 50; } | "$0" build -description "Be good" -backend manual -allow-dirty \
  -test-cmd "sh check.sh 30" >/dev/null 2>&1 &
job=$!
until [ -e ran ]; do kill -0 $job || exit 9; sleep 0.02; done
kill -)") +
        signal + " $job; wait $job; exit 0";
    const ProcessResult stopped = bench.shell(script);
    CHECK(stopped.exit_code == 0);
    if (signal == "KILL") {
      CHECK(!std::filesystem::exists(bench.project() + "/new.txt"));
      CHECK(bench.run({"undo"}).exit_code == 0);
    }
    CHECK(bench.files() == kAllFiles);
    CHECK(!std::filesystem::exists(bench.project() + "/ran"));
  }
}

TEST_CASE("undo: files outside of a sparse checkout are restored too") {
  Undo bench;
  bench.folder.write("project/x/1.txt", "one\n");
  bench.folder.write("project/y/2.txt", "two\n");
  bench.git({"add", "-A"});
  bench.git({"commit", "-q", "-m", "folders"});
  bench.git({"sparse-checkout", "set", "--cone", "x"});
  bench.folder.write("project/y/2.txt", "changed by the user\n");
  bench.folder.write("project/y/mine.txt", "mine\n");
  const std::string removal =
      call("bash", {{"action", "run"}, {"command", "rm -r y; echo good > a.txt"}});
  const ProcessResult built = bench.run({"build", "-description", "Be good", "-backend", "manual",
                                         "-test-cmd", "grep -q good a.txt", "-allow-dirty"},
                                        typed({kAnalyzed, kPlanned, removal, kDone, kDelivered}));
  CAPTURE(built.err);
  CAPTURE(built.out);
  const ProcessResult undone = bench.run({"undo"});
  CAPTURE(undone.out);
  CHECK(undone.exit_code == 0);
  CHECK(bench.a() == "bad\n");
  CHECK(bench.folder.read("project/y/mine.txt") == "mine\n");
  CHECK(bench.folder.read("project/y/2.txt") == "changed by the user\n");
}

TEST_CASE("undo: files in a folder without permissions are restored") {
  Undo bench;
  bench.folder.write("project/d/mine.txt", "mine\n");
  const std::string removal = call(
      "bash", {{"action", "run"}, {"command", "rm d/mine.txt; chmod 000 d; echo good > a.txt"}});
  const ProcessResult built = bench.run({"build", "-description", "Be good", "-backend", "manual",
                                         "-test-cmd", "grep -q good a.txt", "-allow-dirty"},
                                        typed({kAnalyzed, kPlanned, removal, kDone, kDelivered}));
  CAPTURE(built.err);
  const ProcessResult undone = bench.run({"undo"});
  CAPTURE(undone.out);
  CHECK(undone.exit_code == 0);
  namespace fs = std::filesystem;
  const fs::perms mode = fs::status(bench.folder.at("project/d")).permissions();
  CHECK((mode & fs::perms::owner_all) == fs::perms::owner_all);  // root needs no permissions
  CHECK(bench.folder.read("project/d/mine.txt") == "mine\n");
}

TEST_CASE("undo: a job runs no command if its files cannot be saved") {
  Undo bench;
  bench.git({"update-ref", "refs/pedrocli", "HEAD"});  // no ref can be below it
  const ProcessResult built =
      bench.run({"build", "-description", "Be good", "-backend", "manual", "-test-cmd", "touch ran",
                 "-allow-dirty"},
                typed({kAnalyzed, kPlanned, edit("bad", "good"), kDone, kDelivered}));
  CAPTURE(built.err);
  CHECK(built.exit_code == 2);
  CHECK(built.err.find("cannot save the files before the job, for undo: ") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(bench.folder.at("project/ran")));
  CHECK(bench.a() == "bad\n");
}

TEST_CASE("undo: a journal with an impossible round is no checkpoint") {
  Undo bench;
  bench.build();
  for (const auto& job :
       std::filesystem::directory_iterator(bench.folder.at("state/pedrocli/jobs"))) {
    const std::string journal =
        "state/pedrocli/jobs/" + job.path().filename().string() + "/journal.jsonl";
    std::string text = bench.folder.read(journal);
    bench.folder.write(journal,
                       replace_all(text, "\"rounds\":0,\"commit\"", "\"rounds\":-1,\"commit\""));
  }
  const ProcessResult undone = bench.run({"undo"});
  CAPTURE(undone.out);
  CHECK(undone.exit_code == 2);
  CHECK(undone.err.find("no checkpoint of this job") != std::string::npos);
}

TEST_CASE("undo: restores the files from before a finished job, and keeps HEAD") {
  Undo bench;
  bench.build();
  const std::string head = bench.git({"rev-parse", "HEAD"});
  CHECK(bench.run({"undo"}).out.find("already in their state before its first round") !=
        std::string::npos);
  bench.folder.write("project/mine.txt", "after the job\n");
  CHECK(bench.run({"undo", "-to", "99"}).exit_code == 0);
  CHECK(bench.a() == "good\n");
  const ProcessResult undone = bench.run({"undo", "-json"});
  CAPTURE(undone.err);
  CHECK(undone.exit_code == 0);
  CHECK(bench.a() == "bad\n");
  CHECK(bench.git({"rev-parse", "HEAD"}) == head);
  const auto told = parse_json(trim(undone.out));
  REQUIRE(told.ok());
  CHECK((*told)["rounds"] == 0);
  CHECK((*told)["files"] == 1);
  const std::string kept = (*told)["kept"];
  CHECK(bench.git({"show", kept + ":a.txt"}) == "good\n");
  CHECK(bench.folder.read("project/mine.txt") == "after the job\n");
  CHECK(bench.run({"undo"}).out.find("already in their state before its first round") !=
        std::string::npos);

  const ProcessResult forgotten = bench.run({"undo", "-forget"});
  CHECK(forgotten.out.find(": 4 refs removed; ") != std::string::npos);
  CHECK(bench.git({"for-each-ref", "refs/pedrocli"}).empty());
  CHECK(bench.a() == "bad\n");
  const ProcessResult none = bench.run({"undo"});
  CHECK(none.exit_code == 2);
  CHECK(none.err.find(": no checkpoint of this job is in ") != std::string::npos);
}

TEST_CASE("undo: a killed job's files come back to any of its rounds, but not while it runs") {
  Undo bench;
  bench.folder.write("replies",
                     typed({kAnalyzed, kPlanned, edit("bad", "worse"), edit("worse", "worst")}));
  const ProcessResult killed = bench.shell(std::string(kKilled));
  CAPTURE(killed.err);
  CHECK(killed.out == "exit 2\n");
  CHECK(killed.err.find("another pedrocli is working here") != std::string::npos);
  CHECK(bench.a() == "worst\n");
  CHECK(bench.run({"status"}).out.find("state    died") != std::string::npos);

  CHECK(bench.run({"undo", "-to", "3"}).exit_code == 0);
  CHECK(bench.a() == "worse\n");
  CHECK(bench.git({"branch", "--show-current"}) == "pedrocli/be-good\n");
  CHECK(bench.run({"undo"}).err == "pedrocli: HEAD is restored to its state before the job\n");
  CHECK(bench.a() == "bad\n");
  CHECK(bench.git({"status", "--porcelain", "--branch"}) == "## main\n");
  const ProcessResult last = bench.run({"undo", "-to", "99"});
  CHECK(last.out.find("the files are in their state after its round 4: 1 changed") !=
        std::string::npos);
  CHECK(bench.a() == "worst\n");
}

// PEDROCLI_KILLS sets the number of kills.
TEST_CASE(
    "undo: whenever a job is killed, every round it kept comes back, and the next job works") {
  const char* asked = ::getenv("PEDROCLI_KILLS");
  const int kills = asked == nullptr ? 6 : std::stoi(asked);
  std::mt19937 random(11);  // NOLINT: the same times each time
  int kept = 0;
  for (int kill = 0; kill < kills; ++kill) {
    Undo bench;
    std::vector<std::string> replies = {kAnalyzed, kPlanned, edit("bad", "v3,")};
    for (int round = 4; round <= 10; ++round) {
      replies.push_back(
          edit("v" + std::to_string(round - 1) + ",", "v" + std::to_string(round) + ","));
    }
    bench.folder.write("replies", typed(replies));
    const std::string after = std::to_string(0.02 + 0.001 * static_cast<double>(random() % 1000));
    CAPTURE(after);
    // The first job has at least two checkpoints, even on a slow machine.
    const std::string checkpoints = kill == 0 ? "2" : "0";
    Command command{
        .argv = {"sh", "-c", std::string(kKilledAfter), PEDROCLI_PROGRAM, after, checkpoints},
        .folder = bench.project()};
    command.environment = bench.environment();
    REQUIRE(bench.processes.run(command, bench.cancel).ok());
    const std::string left = bench.a();
    int last = -1;
    for (int round = 10; round >= 0; --round) {  // all kept rounds, from the last one
      const ProcessResult undone = bench.run({"undo", "-to", std::to_string(round), "-json"});
      if (undone.exit_code != 0) break;  // it was killed before its first checkpoint
      const auto told = parse_json(trim(undone.out));
      REQUIRE(told.ok());
      const int to = (*told)["rounds"];
      last = std::max(last, to);
      CHECK(to <= round);
      round = to;
      CHECK(bench.a() == (to < 3 ? "bad\n" : "v" + std::to_string(to) + ",\n"));
    }
    if (last >= 0) {
      kept += last;
      CHECK(bench.a() == "bad\n");
    } else {
      CHECK(left == "bad\n");
    }
    const ProcessResult next =
        bench.run({"build", "-description", "Be good", "-backend", "manual", "-test-cmd",
                   "grep -q good a.txt", "-allow-dirty"},
                  typed({kAnalyzed, kPlanned, edit("bad", "good"), kDone, kDelivered}));
    CAPTURE(next.err);
    CHECK(next.exit_code == 0);
  }
  CHECK(kept > 0);
}

TEST_CASE("undo: changes only the repository that it is called in") {
  Undo bench;
  bench.build();
  CHECK(bench.run({"undo", "-to", "99"}).exit_code == 0);
  const std::string id = std::string(trim(bench.run({"list"}).out)).substr(0, 30);
  bench.folder.write("other/a.txt", "mine\n");
  bench.folder.write("plain/a.txt", "mine\n");
  const auto undo_in = [&](const char* folder, const std::string& arguments) {
    Command command{.argv = {"bash", "-c", "\"$0\" undo " + arguments, PEDROCLI_PROGRAM},
                    .folder = bench.folder.at(folder)};
    command.environment = bench.environment();
    return bench.processes.run(command, bench.cancel)->exit_code;
  };
  bench.git({"init", "-q", bench.folder.at("other")});
  bench.git({"-C", bench.folder.at("other"), "add", "-A"});
  bench.git({"-C", bench.folder.at("other"), "commit", "-q", "-m", "x"});
  const std::string refs = bench.git({"for-each-ref", "refs/pedrocli"});
  for (const char* folder : {"other", "plain"}) {
    for (const std::string& arguments :
         {std::string(), id, std::string("-forget"), id + " -forget"}) {
      CAPTURE(folder);
      CAPTURE(arguments);
      CHECK(undo_in(folder, arguments) == 2);
    }
  }
  CHECK(bench.a() == "good\n");
  CHECK(bench.git({"for-each-ref", "refs/pedrocli"}) == refs);
  CHECK(undo_in("project", id) == 0);
  CHECK(bench.a() == "bad\n");
}

TEST_CASE("resume: a finished job stays finished, whatever its journal has lost") {
  Undo bench;
  bench.build();
  const std::string head = bench.git({"rev-parse", "HEAD"});
  for (const auto& [path, text] : bench.files_below("state/pedrocli/jobs")) {
    if (!path.ends_with("journal.jsonl")) continue;
    for (const std::size_t bytes :
         {text.size() - 5, text.size() / 2, std::size_t{777}, std::size_t{0}}) {
      CAPTURE(bytes);
      REQUIRE(RealFileSystem().write_atomic(path, text.substr(0, bytes), 0600).ok());
      CHECK(bench.run({"resume"}, "\n").exit_code == 2);
      CHECK(bench.git({"rev-parse", "HEAD"}) == head);
      CHECK(bench.a() == "bad\n");
    }
  }
}

TEST_CASE("undo: reports why it cannot undo") {
  Undo bench;
  const ProcessResult none = bench.run({"undo"});
  CHECK(none.exit_code == 2);
  CHECK(none.err == "pedrocli: no job has worked in " + bench.project() + "\n");
  const ProcessResult odd = bench.run({"undo", "-to", "-1"});
  CHECK(odd.exit_code == 2);
}

TEST_CASE("cancel: ends a running job and keeps its work; an ended job is reported as ended") {
  Undo bench;
  bench.folder.write("replies",
                     typed({kAnalyzed, kPlanned, edit("bad", "worse"), edit("worse", "worst")}));
  std::string script(kKilled);
  script = script.substr(0, script.find("\"$0\" undo;"));
  script += R"(id=$(basename "$XDG_STATE_HOME"/pedrocli/jobs/*)
"$0" cancel $id; echo "exit $?"
until grep -qs '"thread.completed"' "$XDG_STATE_HOME"/pedrocli/jobs/*/journal.jsonl; do
  sleep 0.02
done
while "$0" cancel $id >/dev/null 2>&1; do sleep 0.02; done
"$0" cancel $id; echo "exit $?"
"$0" list
)";
  Command command{.argv = {"sh", "-c", script, PEDROCLI_PROGRAM}, .folder = bench.project()};
  command.environment = bench.environment();
  command.timeout_s = 60;
  const auto ended = bench.processes.run(command, bench.cancel);
  REQUIRE(ended.ok());
  CAPTURE(ended->out);
  CAPTURE(ended->err);
  CHECK(ended->out.find(": was asked to stop; ") != std::string::npos);
  CHECK(ended->out.find("exit 0\nexit 2\n") != std::string::npos);
  CHECK(bench.run({"status"}).out.find("exit     143") != std::string::npos);
  CHECK(ended->out.find("  interrupted     Be good\n") != std::string::npos);
  CHECK(ended->err.find(": is not running; it is interrupted\n") != std::string::npos);
  CHECK(bench.git({"show", bench.job_branch() + ":a.txt"}) == "worst\n");
}

TEST_CASE("cancel: a process that reuses a job's process number is not touched") {
  Undo bench;
  const std::string id = "20261121-214500-build-7f3a";
  const std::string line = R"({"type":"thread.started","thread_id":")" + id + R"(","pid":PID})";
  Command command{.argv = {"sh", "-c", R"(sleep 60 & pid=$!
mkdir -p "$XDG_STATE_HOME/pedrocli/jobs/$1"
echo "$2" | sed "s/PID/$pid/" > "$XDG_STATE_HOME/pedrocli/jobs/$1/journal.jsonl"
"$0" cancel $1; echo "exit $?"
kill -0 $pid && echo alive)",
                           PEDROCLI_PROGRAM, id, line},
                  .folder = bench.project()};
  command.environment = bench.environment();
  const auto done = bench.processes.run(command, bench.cancel);
  REQUIRE(done.ok());
  CAPTURE(done->err);
  CHECK(done->out == "exit 2\nalive\n");
  CHECK(done->err.find(": is not running\n") != std::string::npos);
}

TEST_CASE("undo: after a job with -base, the files of the user's branch stay") {
  Undo bench;
  bench.git({"switch", "-qc", "other"});
  bench.folder.write("project/b.txt", "other\n");
  bench.git({"add", "-A"});
  bench.git({"commit", "-qm", "other"});
  bench.git({"switch", "-q", "main"});
  const ProcessResult built =
      bench.run({"build", "-description", "Be good", "-backend", "manual", "-test-cmd",
                 "grep -q good a.txt", "-base", "other"},
                typed({kAnalyzed, kPlanned, edit("bad", "good"), kDone, kDelivered}));
  CAPTURE(built.err);
  REQUIRE(built.exit_code == 0);
  CHECK(bench.git({"status", "--porcelain", "--branch"}) == "## main\n");
  const ProcessResult undone = bench.run({"undo"});
  CHECK(undone.exit_code == 0);
  CHECK(undone.out.find("the files are already in their state before its first round") !=
        std::string::npos);
  CHECK(bench.a() == "bad\n");
  CHECK(bench.git({"status", "--porcelain", "--branch"}) == "## main\n");
  const ProcessResult later = bench.run({"undo", "-to", "3"});
  CHECK(later.exit_code == 2);
  CHECK(later.err.find("first: git switch pedrocli/be-good") != std::string::npos);
}

}  // namespace pedro
