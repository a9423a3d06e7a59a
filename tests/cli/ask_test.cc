// Tests `pedrocli ask` end to end with prepared replies.
#include "base/json.h"
#include "base/text.h"
#include "cli/program.h"

namespace pedro {
namespace {

std::string answered(const Json& args) {
  return to_line({{"tool", "phase_complete"}, {"args", args}});
}

struct Ask : Program {
  Ask() {
    folder.write("project/fare.c", "int fare(int age) {\n  return age < 6 ? 0 : 250;\n}\n");
    folder.write("project/main.c", "int main(void) { return 0; }\n");
    commit_project();
    before = all_files();
  }
  ProcessResult ask(const std::string& question, const std::vector<std::string>& replies,
                    const std::vector<std::string>& more = {}) {
    std::vector<std::string> args = {"ask", question, "-backend", "manual"};
    args.insert(args.end(), more.begin(), more.end());
    return run(args, typed(replies));
  }
  std::string schema(const char* text) { return folder.write("schema.json", text); }
  std::map<std::string, std::string> before;
};

}  // namespace

TEST_CASE("ask: the answer alone is on stdout, after one round, and nothing changes") {
  Ask bench;
  const ProcessResult result =
      bench.ask("Who rides free in fare()?", {answered({{"answer", "Children under 6.\n"}})});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(result.out == "Children under 6.\n");
  CHECK(result.err.find("return age < 6 ? 0 : 250;") != std::string::npos);  // in the first prompt
  CHECK(bench.all_files() == bench.before);
}

TEST_CASE("ask: files may be read first; a job at a limit prints nothing on stdout") {
  Ask bench;
  const std::string look = R"({"tool":"file","args":{"action":"read","path":"main.c"}})";
  const ProcessResult result = bench.ask("What is main?", {look, answered({{"answer", "Empty"}})});
  CHECK(result.exit_code == 0);
  CHECK(result.out == "Empty\n");
  const ProcessResult limited = bench.ask("What is main?", {look}, {"-max-rounds", "1"});
  CHECK(limited.exit_code == 6);
  CHECK(limited.out == "");
  CHECK(limited.err.find("Stopped at a limit: ") != std::string::npos);
}

TEST_CASE("ask: with -schema the answer is JSON that fits it; others are refused") {
  Ask bench;
  const std::string object = bench.schema(
      R"({"type":"object","properties":{"age":{"type":"integer"}},"required":["age"]})");
  const ProcessResult result =
      bench.ask("From which age is it not free?",
                {answered({{"age", "six"}}), answered({{"age", 6}})}, {"-schema", object});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(*parse_json(result.out) == Json{{"age", 6}});
  CHECK(result.err.find("/age") != std::string::npos);
}

TEST_CASE("ask: a schema of any type works, with definitions at its root") {
  Ask bench;
  const std::string list = bench.schema(
      R"({"type":"array","items":{"$ref":"#/$defs/price"},"$defs":{"price":{"enum":[0,250]}}})");
  const ProcessResult result = bench.ask(
      "Which prices are there?", {answered({{"answer", {0, 3}}}), answered({{"answer", {0, 250}}})},
      {"-schema", list});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(*parse_json(result.out) == Json({0, 250}));
  const std::string nested = bench.schema(R"({"type":"array","items":{"$ref":"#"}})");
  const ProcessResult deep =
      bench.ask("How deep?", {answered({{"answer", {3}}}), answered({{"answer", {Json::array()}}})},
                {"-schema", nested, "-json"});
  const auto events = split_lines(deep.out);
  REQUIRE(!events.empty());
  CHECK(member(*parse_json(events.back()), "result") == Json::array({Json::array()}));
  const ProcessResult wrong = bench.ask("?", {}, {"-schema", bench.schema("{\n  \"type\": 3}")});
  CHECK(wrong.exit_code == 3);
  CHECK(wrong.err.find("schema.json") != std::string::npos);
}

TEST_CASE("ask: piped input belongs to the question, between marks") {
  Ask bench;
  const ProcessResult result = bench.run({"ask", "Which change needs a test?", "-dry-run"},
                                         "diff --git a/fare.c b/fare.c\n");
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  const std::size_t question = result.out.find("Which change needs a test?");
  const std::size_t begins = result.out.find(" begins]\ndiff --git a/fare.c");
  CHECK(question != std::string::npos);
  CHECK(begins != std::string::npos);
  CHECK(question < begins);
}

}  // namespace pedro
