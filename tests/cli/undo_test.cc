// `pedrocli undo` after real jobs, one of them killed in the middle of a round.
#include "base/json.h"
#include "base/text.h"
#include "cli/program.h"

namespace pedro {
namespace {

const std::string kAnalyzed =
    R"({"tool":"phase_complete","args":{"summary":"a.txt says bad","files":["a.txt"]}})";
const std::string kPlanned =
    R"({"tool":"phase_complete","args":{"steps":[{"file":"a.txt","change":"say good"}],"test":"the check"}})";
const std::string kDone = R"({"tool":"phase_complete","args":{"summary":"a.txt says good now"}})";
const std::string kDelivered =
    R"({"tool":"phase_complete","args":{"subject":"Say good","body":"It said bad."}})";

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
};

// Runs a build whose model falls silent, says what `undo` says meanwhile, and kills the build.
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

}  // namespace

TEST_CASE("undo: the files are what they were before a job that was done, HEAD is where it was") {
  Undo bench;
  const ProcessResult built = bench.run(
      {"build", "-description", "Be good", "-backend", "manual", "-test-cmd", "grep -q good a.txt"},
      typed({kAnalyzed, kPlanned, edit("bad", "good"), kDone, kDelivered}));
  REQUIRE(built.exit_code == 0);
  const std::string head = bench.git({"rev-parse", "HEAD"});
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
  CHECK(bench.run({"undo"}).out.find("already as before its first round") != std::string::npos);

  const ProcessResult forgotten = bench.run({"undo", "-forget"});
  CHECK(forgotten.out.find(": 3 refs removed; ") != std::string::npos);
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
  Command command{.argv = {"sh", "-c", std::string(kKilled), PEDROCLI_PROGRAM},
                  .folder = bench.project()};
  command.environment = bench.environment();
  command.timeout_s = 60;
  const auto killed = bench.processes.run(command, bench.cancel);
  REQUIRE(killed.ok());
  CAPTURE(killed->err);
  CHECK(killed->out == "exit 2\n");
  CHECK(killed->err.find("another pedrocli is at work here") != std::string::npos);
  CHECK(bench.a() == "worst\n");
  CHECK(bench.run({"status"}).out.find("state    died") != std::string::npos);

  CHECK(bench.run({"undo", "-to", "3"}).exit_code == 0);
  CHECK(bench.a() == "worse\n");
  CHECK(bench.run({"undo"}).exit_code == 0);
  CHECK(bench.a() == "bad\n");
  const ProcessResult last = bench.run({"undo", "-to", "99"});
  CHECK(last.out.find("the files are as after its round 4: 1 changed") != std::string::npos);
  CHECK(bench.a() == "worst\n");
}

TEST_CASE("undo: what cannot be undone is said") {
  Undo bench;
  const ProcessResult none = bench.run({"undo"});
  CHECK(none.exit_code == 2);
  CHECK(none.err == "pedrocli: there are no jobs yet\n");
  const ProcessResult odd = bench.run({"undo", "-to", "-1"});
  CHECK(odd.exit_code == 2);
}

}  // namespace pedro
