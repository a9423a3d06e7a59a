// Continues finished builds with messages: on their branch, in their conversation.
#include <csignal>

#include "base/json.h"
#include "base/text.h"
#include "cli/program.h"
#include "cli/replies.h"
#include "cli/scripted_model.h"
#include "sys/child_program.h"

namespace pedro {
namespace {

const std::string kMessage = "Add b.txt, which says better";
const std::string kBetter =
    call("file", {{"action", "write"}, {"path", "b.txt"}, {"content", "better\n"}});
const std::string kBetterDone = call("phase_complete", {{"summary", "b.txt says better"}});
const std::string kBetterDelivered =
    call("phase_complete", {{"subject", "Say better"}, {"body", "As the message asks."}});
const std::vector<std::string> kFirst = {kAnalyzed, kPlanned, kEdit, kDone, kDelivered};
const std::vector<std::string> kSecond = {kBetter, kBetterDone, kBetterDelivered};

struct AfterBench : Program {
  AfterBench() {
    folder.write("project/a.txt", "bad\n");
    commit_project();
    extra_environment["PEDROCLI_MODEL_TRIES"] = "0";
  }

  ProcessResult build(const std::vector<std::string>& replies,
                      const std::vector<std::string>& more = {}) {
    std::vector<std::string> args = {"build",     "-description",       "Be good",
                                     "-test-cmd", "grep -q good a.txt", "-backend",
                                     "manual"};
    args.insert(args.end(), more.begin(), more.end());
    return run(args, typed(replies));
  }
  ProcessResult after(const std::string& message, const std::vector<std::string>& replies,
                      const std::vector<std::string>& more = {}) {
    std::vector<std::string> args = {"build", "-after", id(), message, "-backend", "manual"};
    args.insert(args.end(), more.begin(), more.end());
    return run(args, typed(replies));
  }
  // The arguments for a job with a model server.
  static std::vector<std::string> with_server(const ScriptedModel& model,
                                              std::vector<std::string> args) {
    args.insert(args.begin(), "build");
    args.insert(args.end(), {"-backend", "openai", "-model-url", model.url()});
    return args;
  }
  ProcessResult build(ScriptedModel& model) {
    model.add(kFirst);
    return run(with_server(model, {"-description", "Be good", "-test-cmd", "grep -q good a.txt"}));
  }
  Json status() { return *parse_json(run({"status", "-json"}).out); }
  std::string id() { return text_of(status(), "id"); }
  std::string in_job(const std::string& file) {
    return read_file(folder.at("state/pedrocli/jobs/" + id() + "/" + file));
  }
  std::string subjects() { return git({"log", "--format=%s", "main.." + kBranch}); }
  std::string tip() { return std::string(trim(git({"rev-parse", kBranch}))); }
  // The branch with its commits, and the user's checkout.
  std::string outcome() {
    return git({"log", "--format=%s%n%b%n%T", "main.." + kBranch}) +
           git({"status", "--porcelain", "--branch"}) + git({"branch", "--list"});
  }

  inline static const std::string kBranch = "pedrocli/be-good";
};

// Starts the program with a model server, and kills it when the server has got `requests`.
void kill_after(const AfterBench& bench, const ScriptedModel& model, std::size_t requests,
                const std::vector<std::string>& args) {
  std::vector<std::string> argv = {"/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", bench.project(),
                                   PEDROCLI_PROGRAM};
  argv.insert(argv.end(), args.begin(), args.end());
  auto environment = bench.environment();
  environment["PEDROCLI_MODEL_TRIES"] = "0";
  std::string errors;
  auto started = ChildProgram::start(
      argv,
      [&errors](StandardStream, std::string_view line) { errors += std::string(line) + "\n"; },
      environment);
  REQUIRE(started.ok());
  ChildProgram& program = **started;
  while (model.bodies().size() < requests && !program.exit_code()) {
    ChildProgram::wait({&program}, 20);
  }
  CAPTURE(errors);
  CHECK_FALSE(program.exit_code());
  program.signal(SIGKILL);
  while (!program.exit_code()) ChildProgram::wait({&program}, 20);
}

Json messages_of(const std::string& body) {
  return member(*parse_json(body), "messages");
}

}  // namespace

TEST_CASE("build -after: a message gets its own commit on the branch, and its own report") {
  AfterBench bench;
  REQUIRE(bench.build(kFirst).exit_code == 0);
  const std::string id = bench.id();
  const std::string first = bench.tip();
  const ProcessResult result = bench.after(kMessage, kSecond, {"-max-rounds", "3"});
  CAPTURE(result.err);
  CAPTURE(result.out);
  CHECK(result.exit_code == 0);
  CHECK(bench.id() == id);
  CHECK(bench.subjects() == "Say better\nSay good\n");
  CHECK(std::string(trim(bench.git({"rev-parse", AfterBench::kBranch + "~1"}))) == first);
  CHECK(bench.git({"show", AfterBench::kBranch + ":b.txt"}) == "better\n");
  CHECK(bench.git({"status", "--porcelain", "--branch"}) == "## main\n");
  // The opening shows the message, and the task only where the conversation has it already.
  const std::size_t opening = result.err.find("# The user's next message\n\n" + kMessage);
  REQUIRE(opening != std::string::npos);
  CHECK(result.err.find("# Task", opening) == std::string::npos);
  // Both reports remain.
  const std::string report = bench.in_job("report.md");
  CHECK(report.find("Done and verified.\n\nThe message:\n\n> " + kMessage) != std::string::npos);
  CHECK(report.find("b.txt says better") != std::string::npos);
  CHECK(report.find("- `grep -q good a.txt` (from -test-cmd): passed, exit 0") !=
        std::string::npos);
  CHECK(bench.in_job("report-1.md").find("a.txt says good now") != std::string::npos);
  // The patch has both commits.
  const std::string patch = bench.in_job("changes.patch");
  CHECK(patch.find("Say good") != std::string::npos);
  CHECK(patch.find("Say better") != std::string::npos);

  const ProcessResult third = bench.after(
      "Now c.txt", {call("file", {{"action", "write"}, {"path", "c.txt"}, {"content", "best\n"}}),
                    kBetterDone, call("phase_complete", {{"subject", "Say best"}, {"body", ""}})});
  CAPTURE(third.err);
  CHECK(third.exit_code == 0);
  CHECK(bench.subjects() == "Say best\nSay better\nSay good\n");
}

TEST_CASE("build -after: the first prompt begins with the earlier conversation") {
  AfterBench bench;
  ScriptedModel model;
  REQUIRE(bench.build(model).exit_code == 0);
  model.add(kSecond);
  const ProcessResult result =
      bench.run(AfterBench::with_server(model, {"-after", bench.id(), kMessage}));
  CAPTURE(result.err);
  REQUIRE(result.exit_code == 0);
  const std::vector<std::string> bodies = model.bodies();
  REQUIRE(bodies.size() == kFirst.size() + kSecond.size());
  for (std::size_t i = 1; i < bodies.size(); ++i) {
    CAPTURE(i);
    const Json before = messages_of(bodies[i - 1]);
    const Json now = messages_of(bodies[i]);
    REQUIRE(now.size() > before.size());
    CHECK(Json(now.begin(), now.begin() + static_cast<std::ptrdiff_t>(before.size())) == before);
  }
}

TEST_CASE("build -after: killed in any round and resumed, it ends like an undisturbed one") {
  std::string expected;
  {
    AfterBench bench;
    REQUIRE(bench.build(kFirst).exit_code == 0);
    REQUIRE(bench.after(kMessage, kSecond).exit_code == 0);
    expected = bench.outcome();
  }
  for (std::size_t done = 0; done < kSecond.size(); ++done) {
    CAPTURE(done);
    AfterBench bench;
    ScriptedModel model;
    REQUIRE(bench.build(model).exit_code == 0);
    const auto at = kSecond.begin() + static_cast<std::ptrdiff_t>(done);
    model.add({kSecond.begin(), at});
    model.add({"stall"});
    kill_after(bench, model, kFirst.size() + done + 1,
               AfterBench::with_server(model, {"-after", bench.id(), kMessage}));
    model.add({at, kSecond.end()});
    const ProcessResult resumed = bench.run({"resume"});
    CAPTURE(resumed.err);
    CHECK(resumed.exit_code == 0);
    CHECK(bench.outcome() == expected);
  }
}

TEST_CASE("build -after: a job that was not verified takes a message too") {
  AfterBench bench;
  const ProcessResult first =
      bench.run({"build", "-description", "Be good", "-backend", "manual"}, typed(kFirst));
  CAPTURE(first.err);
  REQUIRE(first.exit_code == 5);  // there is no check
  const std::string tip = bench.tip();
  const ProcessResult second = bench.after(kMessage, kSecond);
  CAPTURE(second.err);
  CHECK(second.exit_code == 5);
  CHECK(bench.subjects() == "Say better\nSay good\n");
  CHECK(std::string(trim(bench.git({"rev-parse", AfterBench::kBranch + "~1"}))) == tip);
}

TEST_CASE("build -after: the branch and the earlier work stay if the message changes nothing") {
  AfterBench bench;
  REQUIRE(bench.build(kFirst).exit_code == 0);
  const std::string tip = bench.tip();
  const ProcessResult lost = bench.run({"build", "-after", bench.id(), kMessage, "-backend",
                                        "openai", "-model-url", "http://127.0.0.1:1"});
  CHECK(lost.exit_code == 4);
  CHECK(text_of(bench.status(), "state") == "done");
  const ProcessResult limited = bench.after(kMessage, {kAnalyzed}, {"-max-rounds", "1"});
  CAPTURE(limited.err);
  CHECK(limited.exit_code == 6);
  CHECK(bench.tip() == tip);
  CHECK(bench.git({"status", "--porcelain", "--branch"}) == "## main\n");
  const ProcessResult resumed = bench.run({"resume", "-max-rounds", "9"}, typed(kSecond));
  CAPTURE(resumed.err);
  CHECK(resumed.exit_code == 0);
  CHECK(bench.subjects() == "Say better\nSay good\n");
}

TEST_CASE("build -after: the user's uncommitted changes and branch are as before") {
  AfterBench bench;
  bench.folder.write("project/mine.txt", "draft\n");
  REQUIRE(bench.build(kFirst, {"-allow-dirty"}).exit_code == 0);
  bench.folder.write("project/mine.txt", "draft 2\n");
  bench.git({"add", "mine.txt"});
  bench.folder.write("project/other.txt", "new\n");
  const std::string before = bench.git({"status", "--porcelain", "--branch"});
  const ProcessResult result = bench.after(kMessage, kSecond);
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(bench.git({"status", "--porcelain", "--branch"}) == before);
  CHECK(bench.git({"show", "--format=", "--name-only", AfterBench::kBranch}) == "b.txt\n");

  // On the job's branch itself, the checkout moves with it.
  bench.git({"stash", "-u", "-q"});
  bench.git({"switch", "-q", AfterBench::kBranch});
  const ProcessResult there = bench.after(
      "Now c.txt", {call("file", {{"action", "write"}, {"path", "c.txt"}, {"content", "best\n"}}),
                    kBetterDone, call("phase_complete", {{"subject", "Say best"}, {"body", ""}})});
  CAPTURE(there.err);
  CHECK(there.exit_code == 0);
  CHECK(bench.git({"status", "--porcelain", "--branch"}) == "## " + AfterBench::kBranch + "\n");
  CHECK(bench.folder.read("project/c.txt") == "best\n");
  CHECK(bench.subjects() == "Say best\nSay better\nSay good\n");
}

TEST_CASE("build -after: a job in its own work tree continues in one") {
  AfterBench bench;
  REQUIRE(bench.build(kFirst, {"-worktree"}).exit_code == 0);
  bench.folder.write("project/a.txt", "mine\n");
  const ProcessResult result = bench.after(kMessage, kSecond);
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(bench.subjects() == "Say better\nSay good\n");
  CHECK(bench.folder.read("project/a.txt") == "mine\n");
  CHECK(bench.git({"worktree", "list"}).find("worktrees/") == std::string::npos);
}

TEST_CASE("build -after: a weakened check of an earlier commit does not become evidence") {
  AfterBench bench;
  bench.folder.write("project/check.sh", "grep -q good a.txt\n");
  bench.git({"add", "-A"});
  bench.git({"commit", "-q", "-m", "check"});
  const std::string weaken =
      call("file", {{"action", "write"}, {"path", "check.sh"}, {"content", "true\n"}});
  const auto build = [&](const std::vector<std::string>& replies) {
    return bench.run(
        {"build", "-description", "Be good", "-backend", "manual", "-test-cmd", "sh check.sh"},
        typed(replies));
  };
  const ProcessResult first = build({kAnalyzed, kPlanned, weaken, kDone, kDelivered});
  CAPTURE(first.err);
  CAPTURE(first.out);
  REQUIRE(first.exit_code == 5);
  const ProcessResult second = bench.after(kMessage, kSecond);
  CAPTURE(second.out);
  CHECK(second.exit_code == 5);
  CHECK(second.out.find("pass only with the tests or check definitions that the job changed") !=
        std::string::npos);
}

TEST_CASE("build -after: if an answer solved the task, the new conversation has the task") {
  AfterBench bench;
  bench.extra_environment["PEDROCLI_MODEL_TRIES"] = "1";
  const ProcessResult first =
      bench.build({"File: a.txt\nReplace:\n```\nbad\n```\nWith:\n```\ngood\n```"});
  CAPTURE(first.err);
  REQUIRE(first.exit_code == 0);
  const ProcessResult result = bench.after(kMessage, kSecond);
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  const std::size_t opening = result.err.find("# The user's next message\n\n" + kMessage);
  REQUIRE(opening != std::string::npos);
  const std::size_t task = result.err.find("# The task before this message", opening);
  REQUIRE(task != std::string::npos);
  CHECK(result.err.find("Be good", task) != std::string::npos);
  CHECK(bench.git({"log", "--format=%s", "main..HEAD"}) == "");
  CHECK(bench.git({"show", AfterBench::kBranch + ":b.txt"}) == "better\n");
}

TEST_CASE("build: a message that comes during the last round is worked on") {
  AfterBench bench;
  bench.folder.write("replies", typed({kAnalyzed, kPlanned, kEdit, kDone}));
  std::vector<std::string> last = {kDelivered};
  last.insert(last.end(), kSecond.begin(), kSecond.end());
  bench.folder.write("last", typed(last));
  const std::string out =
      bench
          .shell(
              "{ cat ../replies; until grep -q 'Phase 5: deliver' ../err; do sleep 0.02; done\n"
              "  \"$0\" tell \"$(\"$0\" list | cut -d' ' -f1)\" '" +
              kMessage +
              "' >../told\n"
              "  cat ../last; } |\n"
              "PEDROCLI_MODEL_TRIES=0 \"$0\" build -description 'Be good' -backend manual "
              "-test-cmd 'grep -q good a.txt' >../out 2>../err; echo $?")
          .out;
  CAPTURE(bench.folder.read("err"));
  CHECK(out == "0\n");
  CHECK(bench.subjects() == "Say better\n");  // one commit of all the work
  CHECK(bench.git({"show", AfterBench::kBranch + ":b.txt"}) == "better\n");
  CHECK(bench.git({"show", AfterBench::kBranch + ":a.txt"}) == "good\n");
}

TEST_CASE("build -after: unsuitable jobs are refused with the next command") {
  AfterBench bench;
  REQUIRE(bench.build(kFirst).exit_code == 0);
  const std::string job = bench.id();
  const std::string tip = bench.tip();
  const auto refusal = [&](const std::vector<std::string>& more) {
    std::vector<std::string> args = {"build"};
    args.insert(args.end(), more.begin(), more.end());
    args.insert(args.end(), {"-backend", "manual"});
    const ProcessResult result = bench.run(args);
    CAPTURE(result.err);
    CHECK(result.exit_code == 2);
    CHECK(result.out == "");
    return result.err;
  };
  const auto says = [](const std::string& text, const std::string& part) {
    CAPTURE(text);
    CHECK(text.find(part) != std::string::npos);
  };
  says(refusal({"-after", job, " "}), "the message is empty");
  says(refusal({"-after", job}), "the message is empty");
  says(refusal({"a message"}), "add -after JOB, or use -description");
  says(refusal({"-after", job, "x", "-description", "y"}), "-after: the job already has a task");
  says(refusal({"-after", job, "x", "-resume", job}), "-resume for a stopped one: omit one");
  says(refusal({"-after", job, "x", "-branch", "y"}), "-branch is fixed when the job starts");
  says(refusal({"-after", "20200101-000000-000-build-0000", "x"}),
       "'pedrocli list' shows all jobs");
  says(bench.run({"resume", job}).err,
       "is done; continue with `pedrocli build -after " + job + " MESSAGE`");

  bench.folder.write("project/new.txt", "mine\n");
  says(refusal({"-after", job, "x"}), "uncommitted changes:\n  new.txt\ncommit or stash them");
  std::filesystem::remove(bench.folder.at("project/new.txt"));

  bench.git({"branch", "-f", AfterBench::kBranch, "main"});
  says(refusal({"-after", job, "x"}),
       "its branch pedrocli/be-good was moved from " + tip.substr(0, 12));
  bench.git({"branch", "-D", AfterBench::kBranch});
  says(refusal({"-after", job, "x"}),
       "its branch pedrocli/be-good was deleted; to have it back: "
       "git branch pedrocli/be-good " +
           tip.substr(0, 12));
  CHECK(text_of(bench.status(), "state") == "done");

  // Of another project.
  bench.folder.write("else/x", "");
  const std::string other =
      bench.shell("cd ../else && git init -q && \"$0\" build -after " + job + " x 2>&1").out;
  says(other, "is a job of " + bench.project() + ", not of " + bench.folder.at("else"));

  // Of another agent, without a commit, and not finished.
  REQUIRE(bench
              .run({"ask", "What?", "-backend", "manual"},
                   typed({call("phase_complete", {{"answer", "That."}})}))
              .exit_code == 0);
  says(refusal({"-after", bench.id(), "x"}),
       "is a job of ask, not of build; try `pedrocli ask -after");
  REQUIRE(bench.build(kFirst, {"-no-commit"}).exit_code == 0);
  says(refusal({"-after", bench.id(), "x"}), "it left its changes uncommitted (-no-commit)");
  bench.git({"checkout", "-q", "."});
  REQUIRE(bench.build({kAnalyzed}, {"-max-rounds", "1"}).exit_code == 6);
  says(refusal({"-after", bench.id(), "x"}), "is not done; continue with `pedrocli resume");
}

}  // namespace pedro
