// Stops a job after its plan, edits the plan, and continues.
#include "base/json.h"
#include "base/text.h"
#include "cli/program.h"
#include "cli/replies.h"
#include "support/terminal_run.h"

namespace pedro {
namespace {

const std::string kOtherPlan =
    R"({"steps":[{"file":"a.txt","change":"say good, politely"}],"test":"grep good"})";

struct PlanBench : Program {
  PlanBench() {
    folder.write("project/a.txt", "bad\n");
    commit_project();
  }

  ProcessResult plan() {
    return run({"build", "-description", "x", "-test-cmd", "grep -q good a.txt", "-backend",
                "manual", "-until", "plan"},
               typed({kAnalyzed, kPlanned}));
  }
  ProcessResult resume() { return run({"resume"}, typed({kEdit, kDone, kDelivered})); }
  std::size_t completed_plans() {
    std::size_t count = 0;
    const std::string lines = run({"logs", "-json"}).out;
    for (const std::string_view line : split_lines(lines)) {
      const auto event = parse_json(line);
      REQUIRE(event.ok());
      if (text_of(*event, "type") == "phase.completed" && text_of(*event, "phase") == "plan") {
        ++count;
      }
    }
    return count;
  }
};

}  // namespace

TEST_CASE("plan: a job stops after its plan, and resume continues it") {
  PlanBench bench;
  const ProcessResult stopped = bench.plan();
  CAPTURE(stopped.err);
  CHECK(stopped.exit_code == 6);
  CHECK(stopped.out.find("stopped after the phase 'plan', as requested") != std::string::npos);
  CHECK(stopped.out.find("To continue: pedrocli resume") != std::string::npos);
  CHECK(bench.git({"branch", "--list"}) == "* main\n");
  const ProcessResult shown = bench.run({"plan", "show", "-json"});
  CHECK(shown.exit_code == 0);
  CHECK(shown.out.find("\"change\":\"say good\"") != std::string::npos);
  const ProcessResult ended = bench.resume();
  CAPTURE(ended.err);
  CHECK(ended.exit_code == 0);
  CHECK(bench.git({"show", bench.job_branch() + ":a.txt"}) == "good\n");
  CHECK(bench.completed_plans() == 1);
}

TEST_CASE("plan: the user's plan replaces the model's, also after another resume") {
  PlanBench bench;
  REQUIRE(bench.plan().exit_code == 6);
  const ProcessResult edited =
      bench.run({"plan", "edit"}, "// shorter\n" + kOtherPlan + "\n  // the end\n");
  CAPTURE(edited.err);
  CHECK(edited.exit_code == 0);
  CHECK(edited.err.find("the plan is changed; continue with `pedrocli resume") !=
        std::string::npos);
  CHECK(bench.run({"plan", "show"}).out.find("politely") != std::string::npos);
  const ProcessResult limited = bench.run({"resume", "-max-rounds", "3"}, typed({kEdit}));
  CHECK(limited.exit_code == 6);
  CHECK(limited.err.find("say good, politely") != std::string::npos);
  const ProcessResult refused = bench.run({"plan", "edit"}, kOtherPlan);
  CHECK(refused.exit_code == 2);
  CHECK(refused.err.find("is past its plan, in the phase 'implement'") != std::string::npos);
  const ProcessResult ended =
      bench.run({"resume", "-max-rounds", "20"}, typed({kDone, kDelivered}));
  CAPTURE(ended.err);
  CHECK(ended.exit_code == 0);
}

TEST_CASE("plan: an invalid plan is refused, and the old one stays") {
  PlanBench bench;
  CHECK(bench.run({"plan", "show"}).exit_code == 2);  // no job
  REQUIRE(bench.plan().exit_code == 6);
  struct Case {
    std::string text;
    std::string why;
  };
  const Case cases[] = {
      {"{\"steps\": [", "the plan: "},
      {R"({"steps": [], "test": "x"})", "/steps: expected"},
      {R"({"steps": [{"file": "a.txt", "change": "x"}]})", "the plan: /test: expected"},
      {"// nothing\n", "the plan: "},
  };
  for (const Case& row : cases) {
    const ProcessResult result = bench.run({"plan", "edit"}, row.text);
    CAPTURE(row.text);
    CAPTURE(result.err);
    CHECK(result.exit_code == 2);
    CHECK(result.err.find(row.why) != std::string::npos);
    const std::size_t path = result.err.find("; your text is in ");
    REQUIRE(path != std::string::npos);
    CHECK(read_file(std::string(trim(result.err.substr(path + 18)))) == row.text);
  }
  CHECK(bench.run({"plan", "show"}).out.find("say good") != std::string::npos);
}

TEST_CASE("plan: -until names a phase of the agent") {
  PlanBench bench;
  const ProcessResult result =
      bench.run({"build", "-description", "x", "-backend", "manual", "-until", "plann"});
  CHECK(result.exit_code == 2);
  CHECK(result.err.find("-until: expected one of the phases analyze, plan, implement, validate, "
                        "deliver, got 'plann'") != std::string::npos);
}

TEST_CASE("plan: an editor on a terminal changes the plan") {
  PlanBench bench;
  REQUIRE(bench.plan().exit_code == 6);
  bench.folder.write("editor", "#!/bin/sh\nsed -i 's/say good/say good twice/' \"$1\"\n");
  std::map<std::string, std::string> environment = bench.environment();
  environment["EDITOR"] = "sh " + bench.folder.at("editor");
  const TerminalResult result =
      run_on_terminal({PEDROCLI_PROGRAM, "plan", "edit"}, bench.project(), environment, "", "");
  CAPTURE(result.shown);
  CHECK(result.exit_code == 0);
  CHECK(bench.run({"plan", "show"}).out.find("say good twice") != std::string::npos);
}

}  // namespace pedro
