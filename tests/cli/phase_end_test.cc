// Tests the ends of phases without the model's word: limits, resumes from a limit, blocked tasks.
#include "cli/program.h"
#include "cli/replies.h"

namespace pedro {
namespace {

const std::string kLookAtFile = call("file", {{"action", "read"}, {"path", "a.txt"}});
const std::string kGoodCheck = "grep -q good a.txt";

std::string blocked(const std::string& why) {
  return call("phase_complete", {{"blocked", why}});
}

struct PhaseEndBench : Program {
  PhaseEndBench() {
    folder.write("project/a.txt", "bad\n");
    commit_project();
  }
  ProcessResult build(const std::vector<std::string>& replies,
                      const std::string& check = kGoodCheck) {
    return run({"build", "-description", "Say good", "-backend", "manual", "-test-cmd", check},
               typed(replies));
  }
};

}  // namespace

TEST_CASE("phase end: a job continues without a missing analysis") {
  PhaseEndBench bench;
  const ProcessResult result = bench.build(
      {kLookAtFile, kLookAtFile, kLookAtFile, kLookAtFile, kPlanned, kEdit, kDone, kDelivered});
  CAPTURE(result.err);
  CAPTURE(result.out);
  CHECK(result.exit_code == 0);
  CHECK(result.err.find("analyze: stuck") != std::string::npos);
  CHECK(result.err.find("(None: that phase reached its limit before it was complete.)") !=
        std::string::npos);
}

TEST_CASE("phase end: a change not declared complete counts if the checks saw it") {
  const std::vector<std::string> replies = {kAnalyzed,   kPlanned,    kEdit,       kLookAtFile,
                                            kLookAtFile, kLookAtFile, kLookAtFile, kDelivered};
  {
    PhaseEndBench bench;
    const ProcessResult result = bench.build(replies);
    CAPTURE(result.err);
    CHECK(result.exit_code == 0);
  }
  PhaseEndBench bench;
  const ProcessResult result = bench.build(replies, "true");
  CAPTURE(result.err);
  CAPTURE(result.out);
  CHECK(result.exit_code == 6);
  CHECK(result.out.find("Stopped at a limit: the model went round in circles in the phase "
                        "'implement', and the checks did not detect the issue.\n") !=
        std::string::npos);
  CHECK(bench.git({"log", "-1", "--format=%s", bench.job_branch()}) == "wip: Say good\n");
}

TEST_CASE("phase end: a job resumed from a limit has all rounds of the phase again") {
  PhaseEndBench bench;
  const ProcessResult first =
      bench.build({kAnalyzed, kPlanned, kLookAtFile, kLookAtFile, kLookAtFile, kLookAtFile});
  CAPTURE(first.err);
  REQUIRE(first.exit_code == 6);
  CHECK(first.out.find("\nTo continue: pedrocli resume ") != std::string::npos);
  // The same end again, and then the work.
  const ProcessResult second =
      bench.run({"resume"}, typed({kLookAtFile, kLookAtFile, kLookAtFile, kLookAtFile}));
  CAPTURE(second.err);
  REQUIRE(second.exit_code == 6);
  CHECK(second.err.find("continuing after 6 rounds") != std::string::npos);
  const ProcessResult third = bench.run({"resume"}, typed({kEdit, kDone, kDelivered}));
  CAPTURE(third.err);
  CAPTURE(third.out);
  CHECK(third.exit_code == 0);
  CHECK(third.err.find("continuing after 10 rounds") != std::string::npos);
}

TEST_CASE("phase end: a refused end is shown like a failed call, in the log and the report") {
  PhaseEndBench bench;
  const ProcessResult result = bench.build({kAnalyzed, kPlanned, kDone, kEdit, kDone, kDelivered});
  CAPTURE(result.err);
  CAPTURE(result.out);
  CHECK(result.exit_code == 0);
  CHECK(result.err.find("  failed phase_complete") != std::string::npos);
  CHECK(result.out.find("- refused phase ends: 1\n") != std::string::npos);
  CHECK(bench.run({"logs"}).out.find("no file in the project has changed") != std::string::npos);
}

TEST_CASE("phase end: a blocked task ends with exit 9, its reason and the findings about it") {
  PhaseEndBench bench;
  const ProcessResult result = bench.build(
      {kAnalyzed, kPlanned, kDone, blocked("this is impossible on this machine"), kLookAtFile,
       blocked("`no-such-compiler` is not installed, and `b.txt` does not exist")});
  CAPTURE(result.err);
  CAPTURE(result.out);
  CHECK(result.exit_code == 9);
  CHECK(result.out.find(
            "Blocked, says the model: `no-such-compiler` is not installed, and `b.txt` does not "
            "exist.\n\n- `no-such-compiler`: this machine has no such program\n"
            "- `b.txt`: is not in the project\n") != std::string::npos);
  CHECK(result.err.find("you have not called a tool in this phase yet") != std::string::npos);
  CHECK(result.out.find("with the same failures as before the work") != std::string::npos);
  CHECK(bench.git({"branch", "--list", "--format=%(refname:short)"}) == "main\n");
  CHECK(bench.run({"status"}).out.find("exit     9") != std::string::npos);
}

TEST_CASE("phase end: a blocked job can be resumed, and blocked again") {
  PhaseEndBench bench;
  const std::string why = blocked("the file cannot say good on this machine");
  const ProcessResult first = bench.build({kAnalyzed, kPlanned, kLookAtFile, why});
  CAPTURE(first.err);
  REQUIRE(first.exit_code == 9);
  CHECK(first.out.find("\nTo continue: pedrocli resume ") != std::string::npos);
  const ProcessResult second = bench.run({"resume"}, typed({kLookAtFile, why}));
  CAPTURE(second.err);
  REQUIRE(second.exit_code == 9);
  const ProcessResult third = bench.run({"resume"}, typed({kEdit, kDone, kDelivered}));
  CAPTURE(third.err);
  CAPTURE(third.out);
  CHECK(third.exit_code == 0);
  CHECK(third.err.find("the user wants you to continue") != std::string::npos);
}

TEST_CASE("phase end: a task is not blocked by failures that the job caused") {
  PhaseEndBench bench;
  const std::string worse =
      call("file", {{"action", "replace"}, {"path", "a.txt"}, {"old", "bad"}, {"new", "worse"}});
  const std::string back =
      call("file", {{"action", "replace"}, {"path", "a.txt"}, {"old", "worse"}, {"new", "bad"}});
  const std::string why = blocked("the file cannot say good on this machine");
  const ProcessResult result =
      bench.build({kAnalyzed, kPlanned, worse, why, back, why}, "grep -q bad a.txt");
  CAPTURE(result.err);
  CAPTURE(result.out);
  CHECK(result.exit_code == 9);
  CHECK(result.err.find("these checks passed before your change") != std::string::npos);
}

}  // namespace pedro
