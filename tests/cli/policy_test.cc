// Tests the policy's restrictions of a model in the real program, with and without a terminal.
#include "base/json.h"
#include "base/text.h"
#include "cli/program.h"
#include "cli/replies.h"
#include "support/terminal_run.h"

namespace pedro {
namespace {

const std::string kCommand =
    R"({"tool":"bash","args":{"action":"run","command":"echo good | tee a.txt"}})";
const std::string kAsk = R"({"tee": "ask"})";

struct PolicyWorld : Program {
  PolicyWorld() {
    folder.write("project/a.txt", "bad\n");
    folder.write("project/.pedro/issues/3.md", "# Be good\n\na.txt should say good.\n");
    commit_project();
  }
  static std::vector<std::string> build(std::vector<std::string> more) {
    std::vector<std::string> args = {"build", "-issue", "3", "-test-cmd", "grep -q good a.txt"};
    args.insert(args.end(), more.begin(), more.end());
    return args;
  }
  ProcessResult build_with(const std::vector<std::string>& replies,
                           std::vector<std::string> more = {}) {
    more.insert(more.end(), {"-backend", "manual"});
    return run(build(std::move(more)), typed(replies));
  }
  /// Records a session that runs the command, for replays.
  std::string recording() {
    const std::string path = folder.at("session.jsonl");
    const ProcessResult made =
        build_with({kAnalyzed, kPlanned, kCommand, kDone, kDelivered}, {"-record", path});
    CAPTURE(made.err);
    REQUIRE(made.exit_code == 0);
    git({"switch", "-q", "main"});
    git({"branch", "-D", "pedrocli/issue-3-be-good"});
    return path;
  }
  /// Replays the session on a terminal. Types `answer` after `prompt` appears.
  TerminalResult replay_on_terminal(const std::string& recording, const std::string& answer,
                                    const std::string& prompt = "y: yes, n: no",
                                    std::vector<std::string> more = {}) {
    more.insert(more.end(), {"-replay", recording});
    std::vector<std::string> argv = build(std::move(more));
    argv.insert(argv.begin(), PEDROCLI_PROGRAM);
    auto variables = environment();
    variables["PEDROCLI_POLICY_COMMANDS"] = kAsk;
    variables["TERM"] = "dumb";
    return run_on_terminal(argv, project(), variables, prompt, answer);
  }
};

}  // namespace

TEST_CASE("policy: a denial is reported to the model and logged in the journal") {
  PolicyWorld world;
  world.folder.write("project/.pedrocli.json", R"({"tools": {"forbidden_commands": ["tee"]}})");
  world.commit_project();
  const ProcessResult result =
      world.build_with({kAnalyzed, kPlanned, kCommand, kEdit, kDone, kDelivered});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(result.err.find("not run: the user does not allow it.") != std::string::npos);
  const std::string journal = world.run({"logs", "-json"}).out;
  CHECK(journal.find(
            R"("type":"policy_decision","action":"bash run","command":"echo good | tee a.txt",)"
            R"("verdict":"deny","allowed":false,"by":"rules","rules":)"
            R"([{"rule":"tools.forbidden_commands \"tee\"","what":"tee a.txt"}])") !=
        std::string::npos);
  CHECK(journal.find(R"("action":"file replace","command":"","verdict":"allow","allowed":true)") !=
        std::string::npos);
}

TEST_CASE("policy: without a terminal the answer is no, exit 7 if the job then fails") {
  PolicyWorld world;
  world.extra_environment["PEDROCLI_POLICY_COMMANDS"] = kAsk;
  const ProcessResult limit =
      world.build_with({kAnalyzed, kPlanned, kCommand}, {"-max-rounds", "3"});
  CAPTURE(limit.err);
  CHECK(limit.exit_code == 7);
  CHECK(limit.err.find("not run: no user is present to ask.") != std::string::npos);
  CHECK(limit.out.find("## Not allowed\n") != std::string::npos);
  CHECK(limit.out.find("- `echo good | tee a.txt`") != std::string::npos);
  CHECK(world.run({"status"}).out.find("exit     7") != std::string::npos);
  const ProcessResult done =
      world.build_with({kAnalyzed, kPlanned, kCommand, kEdit, kDone, kDelivered});
  CAPTURE(done.err);
  CHECK(done.exit_code == 0);
}

TEST_CASE("policy: a limit without anything denied stays exit 6") {
  PolicyWorld world;
  world.extra_environment["PEDROCLI_POLICY_COMMANDS"] = R"({"tee": "deny"})";
  CHECK(world.build_with({kAnalyzed, kPlanned, kCommand}, {"-max-rounds", "3"}).exit_code == 6);
}

namespace {

// Returns the job id in the output: another job may have started in the same second.
std::string job_in(const std::string& shown) {
  const std::size_t begin = shown.find("job ") + 4;
  return shown.substr(begin, shown.find(',', begin) - begin);
}

}  // namespace

TEST_CASE("policy: on a terminal the user sees the command and answers yes or no") {
  PolicyWorld world;
  const std::string recording = world.recording();
  const TerminalResult yes = world.replay_on_terminal(recording, "y");
  CAPTURE(yes.shown);
  CHECK(yes.exit_code == 0);
  CHECK(yes.shown.find("  echo good | tee a.txt") != std::string::npos);
  CHECK(yes.shown.find("policy.commands \"tee\": tee a.txt") != std::string::npos);
  CHECK(world.run({"logs", "-json", job_in(yes.shown)})
            .out.find(R"("verdict":"ask","allowed":true,"by":"person")") != std::string::npos);
  world.git({"switch", "-q", "main"});
  const TerminalResult no = world.replay_on_terminal(recording, "n");
  CAPTURE(no.shown);
  CHECK(no.exit_code != 0);  // the run differs from the recorded session
  CHECK(world.run({"logs", "-json", job_in(no.shown)})
            .out.find(R"("verdict":"ask","allowed":false,"by":"person")") != std::string::npos);
}

TEST_CASE("policy: the job's time also ends the wait for an answer") {
  PolicyWorld world;
  const TerminalResult late =
      world.replay_on_terminal(world.recording(), "", "\n\nnever shown\n\n", {"-max-time", "4s"});
  CAPTURE(late.shown);
  CHECK(late.shown.find("y: yes, n: no") != std::string::npos);
  CHECK(late.exit_code == 6);
  CHECK(world.run({"status", job_in(late.shown)}).out.find("exit     6") != std::string::npos);
}

TEST_CASE("policy: errors in it are found before anything else, with their location") {
  PolicyWorld world;
  world.folder.write("project/.pedrocli.json", "{\n\"policy\": {\"commands\": {\"rm\": \"no\"}}}");
  world.commit_project();
  const ProcessResult result = world.build_with({});
  CHECK(result.exit_code == 3);
  CHECK(result.err.find(".pedrocli.json:2: policy.commands: 'rm': expected allow, ask or deny, got "
                        "\"no\"") != std::string::npos);
}

}  // namespace pedro
