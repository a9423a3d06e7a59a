// Tests `stats`, `report`, -metrics-file and the export to a collector, on a job of the recorded
// session.
#include <doctest/doctest.h>

#include "base/json.h"
#include "base/text.h"
#include "cli/program.h"
#include "support/loopback_server.h"

namespace pedro {
namespace {

const std::string kSource = PEDROCLI_SOURCE;

// Prepares the example's project for a job.
void make_inventory(Program& program) {
  std::filesystem::copy(
      kSource + "/examples/inventory", program.project(),
      std::filesystem::copy_options::recursive | std::filesystem::copy_options::overwrite_existing);
  std::filesystem::remove_all(program.project() + "/build");
  program.commit_project();
  program.extra_environment["PEDROCLI_MODEL_PHASES"] = "auto";
}

std::vector<std::string> replay(std::vector<std::string> more) {
  std::vector<std::string> args = {"build", "-issue", "1", "-replay",
                                   kSource + "/examples/inventory.session.jsonl"};
  args.insert(args.end(), more.begin(), more.end());
  return args;
}

}  // namespace

TEST_CASE("monitoring: a job's figures go to a file, to a collector, to stats and to a page") {
  Program program;
  make_inventory(program);
  LoopbackServer collector({{.status = 200, .body = "{}"}});
  program.extra_environment["OTEL_EXPORTER_OTLP_ENDPOINT"] = collector.url("");
  const std::string file = program.folder.at("pedro.prom");
  const ProcessResult run = program.run(replay({"-metrics-file", file}));
  CAPTURE(run.err);
  REQUIRE(run.exit_code == 0);

  const std::string text = program.folder.read("pedro.prom");
  CHECK(text.find("# TYPE pedrocli_prompt_tokens_total counter\n"
                  "pedrocli_prompt_tokens_total{agent=\"build\",model=\"a person\","
                  "phase=\"solve\"} ") != std::string::npos);
  CHECK(text.find("\npedrocli_job_running{agent=\"build\",model=\"a person\"} 0\n") !=
        std::string::npos);
  CHECK(text.find("\npedrocli_job_exit_code{agent=\"build\",model=\"a person\"} 0\n") !=
        std::string::npos);

  const std::vector<LoopbackRequest> requests = collector.requests();
  REQUIRE(requests.size() == 1);
  CHECK(requests[0].target == "/v1/metrics");
  CHECK(requests[0].body.find("gen_ai.client.token.usage") != std::string::npos);

  const ProcessResult stats = program.run({"stats", "-since", "1h", "-model", "a*", "-json"});
  REQUIRE(stats.exit_code == 0);
  const auto json = parse_json(trim(stats.out));
  REQUIRE(json.ok());
  CHECK(number_of((*json)["total"], "jobs") == 1);
  CHECK(number_of((*json)["total"], "inferences") > 5);
  CHECK(program.run({"stats", "-model", "b*", "-json"}).out.find("\"jobs\":0") !=
        std::string::npos);
  CHECK(program.run({"stats"}).out.find("build implement") != std::string::npos);

  CHECK(program.run({"report"}).out.starts_with("<!doctype html>"));
  CHECK(program.run({"report", "-all", "-o", "all.html"}).exit_code == 0);
  CHECK(program.folder.read("project/all.html").find("Jobs of pedrocli") != std::string::npos);
}

TEST_CASE("monitoring: the user is warned of a job's high use, at their own threshold") {
  Program program;
  make_inventory(program);
  program.extra_environment["PEDROCLI_MONITOR_WARN_AT"] = R"({"budget": 0.1})";
  const ProcessResult run = program.run(replay({"-max-rounds", "40"}));
  CAPTURE(run.err);
  REQUIRE(run.exit_code == 0);
  CHECK(run.err.find("4 of 40 allowed inferences are used") != std::string::npos);
  CHECK(run.err.find("5 of 40") == std::string::npos);

  program.extra_environment["PEDROCLI_MONITOR_WARN_AT"] = R"({"budgets": 0.1})";
  const ProcessResult wrong = program.run(replay({}));
  CHECK(wrong.exit_code == 3);
  CHECK(wrong.err.find("PEDROCLI_MONITOR_WARN_AT: monitor.warn_at: unknown warning 'budgets'") !=
        std::string::npos);
}

TEST_CASE("monitoring: a missing or refusing collector is reported, with no other effect") {
  for (const bool there : {false, true}) {
    Program program;
    make_inventory(program);
    LoopbackServer no({{.status = 500}});
    program.extra_environment["OTEL_EXPORTER_OTLP_ENDPOINT"] =
        there ? no.url("") : "http://127.0.0.1:" + std::to_string(unused_port());
    const ProcessResult run = program.run(replay({}));
    CHECK(run.exit_code == 0);
    CHECK(run.err.find("pedrocli: metrics were not exported: ") != std::string::npos);
  }
}

TEST_CASE("monitoring: mistakes are named") {
  Program program;
  make_inventory(program);
  struct Row {
    std::vector<std::string> args;
    int code;
    const char* message;
  };
  for (const Row& row : {
           Row{replay({"-metrics-file", "nowhere/x.prom"}), 2, "-metrics-file: nowhere/"},
           Row{{"stats", "-since", "7"}, 2, "-since 7: expected a time such as 90m, 24h, 7d or 2w"},
           Row{{"stats", "-since", "-7d"}, 2, "-since"},
           Row{{"stats", "x"}, 2, "no job 'x'; 'pedrocli list' shows all jobs"},
           Row{{"stats", "20260101-000000-build-0000"}, 2, "no job '20260101-000000-build-0000'"},
           Row{{"report"}, 2, "there are no jobs yet"},
           Row{{"report", "-all", "20260101-000000-build-0000"}, 2, "-all covers every job"},
           Row{{"report", "-since", "7d"}, 2, "give -all with them"},
           Row{{"stats", "7f3a", "-since", "7d"}, 2, "give no id with them"},
       }) {
    const ProcessResult result = program.run(row.args);
    CAPTURE(result.err);
    CHECK(result.exit_code == row.code);
    CHECK(result.err.find(row.message) != std::string::npos);
    CHECK(result.out.empty());
  }
  CHECK(program.run({"stats"}).exit_code == 0);
  CHECK(program.run({"report", "-all"}).out.find("There are none") != std::string::npos);
  program.folder.write("project/.pedrocli.json", "{\"monitor\": {\"metrics_file\": \"/x\"}}");
  CHECK(program.run({"config", "show"}).exit_code == 3);
}

}  // namespace pedro
