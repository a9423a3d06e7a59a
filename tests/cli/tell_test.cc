// Sends messages to running and stopped jobs.
#include "base/json.h"
#include "cli/program.h"
#include "cli/replies.h"

namespace pedro {
namespace {

struct TellBench : Program {
  TellBench() {
    folder.write("project/a.txt", "bad\n");
    commit_project();
  }

  ProcessResult build(const std::vector<std::string>& replies, const char* rounds) {
    return run({"build", "-description", "x", "-test-cmd", "grep -q good a.txt", "-backend",
                "manual", "-max-rounds", rounds},
               typed(replies));
  }
};

}  // namespace

TEST_CASE("tell: a running job reads the message before its next round") {
  TellBench bench;
  const std::string wait = "touch started; until [ -e go ]; do sleep 0.02; done; rm -f go started";
  bench.folder.write(
      "replies", typed({kAnalyzed, kPlanned, call("bash", {{"action", "run"}, {"command", wait}}),
                        kEdit, kDone, kDelivered}));
  const std::string out =
      bench
          .shell(
              "\"$0\" build -description x -test-cmd 'grep -q good a.txt' -backend manual "
              "<../replies "
              ">../out 2>../err & job=$!\n"
              "until [ -e started ]; do sleep 0.02; done\n"
              "id=$(\"$0\" list | cut -d' ' -f1)\n"
              "\"$0\" tell $id 'mind the tests'; echo $?\n"
              "echo and the docs | \"$0\" tell $id -json; touch go; wait $job; echo $?")
          .out;
  const std::string err = bench.folder.read("err");
  CAPTURE(err);
  CHECK(out.find(": reads the message before its next round\n0\n") != std::string::npos);
  CHECK(out.ends_with("\n0\n"));
  const std::size_t first = err.find("The user says:\nmind the tests");
  CHECK(first != std::string::npos);
  CHECK(err.find("The user says:\nand the docs", first) != std::string::npos);
  CHECK(bench.run({"logs"}).out.find("the user says: mind the tests") != std::string::npos);
}

TEST_CASE("tell: a stopped job gets the message by resume, and keeps it on the next resume") {
  TellBench bench;
  REQUIRE(bench.build({kAnalyzed}, "1").exit_code == 6);
  const ProcessResult told =
      bench.run({"resume", "", "keep it short", "-max-rounds", "2"}, typed({kPlanned}));
  CAPTURE(told.err);
  CHECK(told.exit_code == 6);
  CHECK(told.err.find("The user says:\nkeep it short") != std::string::npos);
  const ProcessResult ended =
      bench.run({"resume", "-max-rounds", "9"}, typed({kEdit, kDone, kDelivered}));
  CAPTURE(ended.err);
  CHECK(ended.exit_code == 0);
  CHECK(bench.git({"show", bench.job_branch() + ":a.txt"}) == "good\n");
  const std::string logs = bench.run({"logs"}).out;
  const std::size_t message = logs.find("the user says: keep it short");
  CHECK(message != std::string::npos);
  CHECK(logs.find("the user says: keep it short", message + 1) == std::string::npos);
}

TEST_CASE("tell: names the command to use for a stopped job, and for an empty message") {
  TellBench bench;
  REQUIRE(bench.build({kAnalyzed}, "1").exit_code == 6);
  const std::string id = text_of(*parse_json(bench.run({"status", "-json"}).out), "id");
  const ProcessResult stopped = bench.run({"tell", id, "hello"});
  CHECK(stopped.exit_code == 2);
  CHECK(stopped.err.find("try `pedrocli resume " + id + " MESSAGE`") != std::string::npos);
  REQUIRE(bench.run({"resume", "-max-rounds", "9"}, typed({kPlanned, kEdit, kDone, kDelivered}))
              .exit_code == 0);
  CHECK(bench.run({"tell", id, "hello"}).err.find("it is done") != std::string::npos);
  CHECK(bench.run({"tell", "no-such-job", "hello"}).exit_code == 2);
}

}  // namespace pedro
