// Tests `pedrocli debug` end to end with prepared replies, and with real commands, checks and git.
#include "base/json.h"
#include "cli/program.h"
#include "cli/replies.h"

namespace pedro {
namespace {

std::string reproduced(const std::string& command) {
  return to_line(Json{{"tool", "phase_complete"},
                      {"args",
                       {{"reproduced", true},
                        {"command", command},
                        {"observed", "bad"},
                        {"expected", "good"},
                        {"tried", ""}}}});
}

std::string not_reproduced(const Json& tried) {
  Json args = {{"reproduced", false}, {"command", ""}, {"observed", ""}, {"expected", ""}};
  if (!tried.is_null()) args["tried"] = tried;
  return call("phase_complete", args);
}

const std::string kInvestigated =
    R"({"tool":"phase_complete","args":{"file":"a.txt","line":1,"cause":"a typo","change":"say good"}})";
const std::string kFixed = R"({"tool":"phase_complete","args":{"summary":"it says good"}})";
const std::string kCommitted =
    R"({"tool":"phase_complete","args":{"subject":"Say good","body":"It said bad."}})";

// Creates the evidence of the fault, and weakens it so that it always passes.
const std::string kWrite =
    call("file", {{"action", "write"}, {"path", "check.sh"}, {"content", "grep -q good a.txt\n"}});
const std::string kSoften =
    call("file", {{"action", "write"}, {"path", "check.sh"}, {"content", "exit 0\n"}});

struct Debug : Program {
  Debug() {
    folder.write("project/a.txt", "bad\n");
    commit_project();
  }
  ProcessResult debug(const std::vector<std::string>& replies,
                      std::vector<std::string> more = {"-test-cmd", "test -s a.txt"}) {
    std::vector<std::string> args = {"debug", "-symptoms", "It says bad", "-backend", "manual"};
    args.insert(args.end(), more.begin(), more.end());
    return run(args, typed(replies));
  }
};

}  // namespace

TEST_CASE("debug: the command that failed has to pass, with the checks, and is in the report") {
  Debug bench;
  const ProcessResult result =
      bench.debug({reproduced("grep -q good a.txt"), kInvestigated, kEdit, kFixed, kCommitted});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(bench.git({"log", "-1", "--format=%s", bench.job_branch()}) == "Say good\n");
  CHECK(bench.git({"show", bench.job_branch() + ":a.txt"}) == "good\n");
  CHECK(result.out.find("## Reproduction\n\n- `grep -q good a.txt` before the change: failed, "
                        "exit 1\n") != std::string::npos);
  CHECK(result.out.find("- `grep -q good a.txt` (from the reproduction): passed, exit 0\n"
                        "- `test -s a.txt` (from -test-cmd): passed, exit 0; before the work: "
                        "passed, exit 0\n") != std::string::npos);
}

TEST_CASE("debug: a check that is red before the work, and that the task names, is the proof") {
  Debug bench;
  const std::string command = "grep -q good a.txt";
  const ProcessResult result =
      bench.run({"debug", "-symptoms", "It says bad: `" + command + "` fails", "-backend", "manual",
                 "-test-cmd", command},
                typed({kInvestigated, kEdit, kFixed, kCommitted}));
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(result.out.find("## Reproduction\n\n- `grep -q good a.txt` before the change: failed, "
                        "exit 1\n") != std::string::npos);
  CHECK(bench.git({"show", bench.job_branch() + ":a.txt"}) == "good\n");
}

TEST_CASE("debug: a command that passes, or cannot be run, shows no fault") {
  Debug bench;
  const ProcessResult result =
      bench.debug({reproduced("true"), reproduced("no-such-command-here"),
                   reproduced("grep -q good a.txt"), kInvestigated, kEdit, kFixed, kCommitted});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(result.err.find("The command passes, so it does not show the fault: "
                        "`true`") != std::string::npos);
  CHECK(result.err.find("The command cannot be run here") != std::string::npos);
}

TEST_CASE("debug: a better command replaces the first one if it fails on the base and passes now") {
  Debug bench;
  const auto fixed = [](const std::string& command) {
    return call("phase_complete", {{"summary", "it says good"}, {"reproduction", command}});
  };
  const std::string test = call(
      "file",
      {{"action", "write"}, {"path", "tests/a.sh"}, {"content", "test \"$(cat a.txt)\" = good\n"}});
  const ProcessResult result =
      bench.debug({reproduced("grep -q good a.txt"), kInvestigated, kEdit, fixed("true"), test,
                   fixed("grep -q better a.txt"), fixed("sh tests/a.sh"), kCommitted});
  CAPTURE(result.err);
  CAPTURE(result.out);
  CHECK(result.exit_code == 0);
  CHECK(result.err.find("does not show the fault: `true`") != std::string::npos);
  CHECK(result.err.find("must pass with your change, but it fails: `grep -q better a.txt`") !=
        std::string::npos);
  CHECK(result.out.find("## Reproduction\n\n- `sh tests/a.sh` before the change: failed, exit 1\n"
                        "- it replaces `grep -q good a.txt` before the change: failed, exit 1\n") !=
        std::string::npos);
  CHECK(result.out.find("- `sh tests/a.sh` (from the reproduction): passed, exit 0\n") !=
        std::string::npos);
  CHECK(result.out.find("- `grep -q good a.txt` (from the reproduction)") == std::string::npos);
}

TEST_CASE("debug: a command that only reads text does not replace one that runs code") {
  const auto fixed = [](const std::string& command) {
    return call("phase_complete", {{"summary", "it says good"}, {"reproduction", command}});
  };
  for (const char* weak :
       {"grep -q good a.txt", "! grep -q bad a.txt", "test \"$(head -n 1 a.txt)\" = good",
        "cat a.txt | sed 1q | grep good"}) {
    CAPTURE(weak);
    Debug bench;
    const ProcessResult result =
        bench.debug({reproduced("/usr/bin/python3 -c \"assert 'good' in open('a.txt').read()\""),
                     kInvestigated, kEdit, fixed(weak), kFixed, kCommitted});
    CHECK(result.exit_code == 0);
    CAPTURE(result.err);
    CHECK(result.err.find("only reads text") != std::string::npos);
    CHECK(result.out.find("it replaces") == std::string::npos);
  }
}

TEST_CASE("debug: a command that no shell can read shows no fault") {
  Debug bench;
  const ProcessResult result = bench.debug({reproduced("("), reproduced("grep -q good a.txt"),
                                            kInvestigated, kEdit, kFixed, kCommitted});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(result.err.find("The command cannot be run here, so its failure says nothing about the "
                        "fault: `(`") != std::string::npos);
}

TEST_CASE("debug: no phase ends while the evidence is another, not even one that git ignores") {
  Debug bench;
  bench.folder.write("project/.gitignore", "check.sh\n");
  bench.git({"add", "-A"});
  bench.git({"commit", "-qm", "ignore"});
  const ProcessResult result =
      bench.debug({kWrite, reproduced("sh check.sh"), kInvestigated, kSoften, kFixed, kEdit, kFixed,
                   kWrite, kFixed, kCommitted});
  CAPTURE(result.err);
  CHECK(result.exit_code == 5);  // git ignores the evidence, so the commit lacks it
  CHECK(result.err.find(
            "The files that `sh check.sh` uses to show the fault have changed, so it no longer "
            "shows the fault:\n- check.sh\n") != std::string::npos);
  CHECK(bench.git({"show", bench.job_branch() + ":a.txt"}) == "good\n");
}

TEST_CASE("debug: softened evidence is never verified, and the report names it") {
  Debug bench;
  const ProcessResult result =
      bench.debug({kWrite, reproduced("sh check.sh"), kInvestigated, kSoften, kFixed},
                  {"-test-cmd", "test -s a.txt", "-max-rounds", "5"});
  CAPTURE(result.err);
  CHECK(result.exit_code == 6);
  CHECK(result.out.find("Done and verified") == std::string::npos);
  CHECK(result.out.find("- changed afterwards, so it proves nothing: check.sh\n") !=
        std::string::npos);
}

TEST_CASE("debug: a test may be in the fixed file, and stays there") {
  Debug bench;
  bench.folder.write("project/run.sh", "word=bad\n");
  bench.git({"add", "-A"});
  bench.git({"commit", "-qm", "run"});
  const auto replace = [](const char* from, const char* to) {
    return call("file", {{"action", "replace"}, {"path", "run.sh"}, {"old", from}, {"new", to}});
  };
  const ProcessResult result = bench.debug(
      {replace("word=bad", "word=bad\ntest $word = good"), reproduced("sh run.sh"), kInvestigated,
       replace("test $word = good", "true"), kFixed, replace("true", "test $word = good"),
       replace("word=bad", "word=good"), kFixed, kCommitted});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(result.err.find("The files that `sh run.sh` uses to show the fault have changed") !=
        std::string::npos);
  CHECK(bench.git({"show", bench.job_branch() + ":run.sh"}) == "word=good\ntest $word = good\n");
}

TEST_CASE("debug: a resumed job remembers the original evidence") {
  Debug bench;
  const ProcessResult first = bench.debug({kWrite, reproduced("sh check.sh"), kInvestigated});
  CHECK(first.exit_code == 4);  // standard input ended
  const ProcessResult last =
      bench.run({"resume"}, typed({kSoften, kFixed, kWrite, kEdit, kFixed, kCommitted}));
  CAPTURE(last.err);
  CHECK(last.exit_code == 0);
  CHECK(last.err.find("The files that `sh check.sh` uses to show the fault have changed") !=
        std::string::npos);
  CHECK(bench.git({"show", bench.job_branch() + ":a.txt"}) == "good\n");
}

TEST_CASE("debug: files that the command writes are not evidence, and may change") {
  Debug bench;
  const std::string made =
      call("file", {{"action", "write"}, {"path", "out.txt"}, {"content", "bad\n"}});
  const ProcessResult result =
      bench.debug({made, reproduced("cp a.txt out.txt && cp a.txt new.txt && grep -q good out.txt"),
                   kInvestigated, kEdit, kFixed, kCommitted});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(bench.git({"show", bench.job_branch() + ":out.txt"}) == "good\n");
}

TEST_CASE("debug: a fault that is not reproduced ends with exit 5, the attempts, and no branch") {
  Debug bench;
  const ProcessResult result = bench.debug({not_reproduced("Ran it ten times.")});
  CAPTURE(result.err);
  CHECK(result.exit_code == 5);
  CHECK(result.out.find("Not reproduced: Ran it ten times.") != std::string::npos);
  CHECK(bench.git({"branch", "--list"}) == "* main\n");
}

TEST_CASE("debug: a report without a reproduced fault must describe the attempts") {
  Debug bench;
  const ProcessResult result =
      bench.debug({not_reproduced(""), not_reproduced(" \n"), not_reproduced("Ran it twice.")});
  CAPTURE(result.err);
  CHECK(result.exit_code == 5);
  CHECK(result.out.find("Not reproduced: Ran it twice.") != std::string::npos);
  const std::string refused =
      "`phase_complete` was not accepted: `reproduced` is false, so `tried` must describe your "
      "attempts";
  const std::size_t first = result.err.find(refused);
  REQUIRE(first != std::string::npos);
  CHECK(result.err.find(refused, first + 1) != std::string::npos);
}

TEST_CASE("debug: the project's own prompts may end without a description of the attempts") {
  Debug bench;
  bench.folder.write(
      "project/.pedro/prompts/debug/reproduce.schema.json",
      R"({"type":"object","properties":{"reproduced":{"type":"boolean"},"command":{"type":"string"},"observed":{"type":"string"},"expected":{"type":"string"}},"required":["reproduced"]})");
  bench.git({"add", "-A"});
  bench.git({"commit", "-qm", "prompts"});
  const ProcessResult result = bench.debug({not_reproduced(nullptr)});
  CAPTURE(result.err);
  CHECK(result.exit_code == 5);
  CHECK(result.out.find("Not reproduced: no attempt showed the fault.") != std::string::npos);
}

TEST_CASE("debug: the end of a log is in the first prompt only, and the fault is fixed") {
  Debug bench;
  std::string log;
  for (int i = 0; i < 4000; ++i) log += "line " + std::to_string(i) + "\n";
  const std::string path = bench.folder.write("app.log", log);
  const ProcessResult result =
      bench.debug({reproduced("grep -q good a.txt"), kInvestigated, kEdit, kFixed, kCommitted},
                  {"-logs", path, "-test-cmd", "test -s a.txt"});
  CAPTURE(result.exit_code);
  CHECK(result.exit_code == 0);
  CHECK(bench.git({"log", "-1", "--format=%s", bench.job_branch()}) == "Say good\n");
  const std::size_t begin = result.err.find(" begins]\n(14314 bytes before this omitted)\n");
  CHECK(begin != std::string::npos);
  const std::size_t last = result.err.find("line 3999\n");
  CHECK(last != std::string::npos);
  CHECK(result.err.find("line 3999\n", last + 1) == std::string::npos);
  CHECK(result.err.find("line 3\n") == std::string::npos);
}

TEST_CASE("debug: a change that does not fix the fault is not verified") {
  Debug bench;
  const std::string wrong =
      R"({"tool":"file","args":{"action":"replace","path":"a.txt","old":"bad","new":"worse"}})";
  const ProcessResult result =
      bench.debug({reproduced("grep -q good a.txt"), kInvestigated, wrong, kFixed, kFixed},
                  {"-test-cmd", "test -s a.txt", "-max-rounds", "5"});
  CAPTURE(result.err);
  CHECK(result.exit_code == 6);
  CHECK(bench.git({"log", "-1", "--format=%s", bench.job_branch()}) == "wip: It says bad\n");
  CHECK(result.out.find("- `grep -q good a.txt` (from the reproduction): failed, exit 1\n") !=
        std::string::npos);
}

}  // namespace pedro
