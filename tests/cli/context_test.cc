// Checks that `pedrocli context` plans like a job.
#include <fmt/format.h>

#include "base/json.h"
#include "cli/program.h"

namespace pedro {
namespace {

const std::string kJob = "state/pedrocli/jobs/20261121-214500-042-build-7f3a/";

}  // namespace

TEST_CASE("context: a simulation keeps as much for a reply as the settings give it") {
  Program bench;
  bench.folder.write(kJob + "journal.jsonl",
                     R"({"type":"thread.started","agent":"build"}
{"type":"context.appended","tokens":8000,"messages":[{"id":1,"role":"system","parts":[{"kind":"system","tokens":7000}]},{"id":2,"role":"user","parts":[{"kind":"task","tokens":900}]}]}
{"type":"turn.completed","tokens":{"window":10000}}
)");
  const auto failed = [&](const std::string& max_tokens) {
    bench.extra_environment["PEDROCLI_MODEL_MAX_TOKENS"] = max_tokens;
    const ProcessResult result = bench.run({"context", "simulate", "-json"});
    CAPTURE(result.err);
    REQUIRE(result.exit_code == 0);
    return !text_of(*parse_json(result.out), "failed").empty();
  };
  CHECK_FALSE(failed("100"));  // 9899 tokens for a prompt
  CHECK(failed("4096"));       // a quarter for a reply: 7499 for a prompt
}

TEST_CASE("context: estimated counts are marked as estimates") {
  Program bench;
  const std::string rest =
      R"("messages":[{"id":1,"role":"system","parts":[{"kind":"system","tokens":7000}]}]}
{"type":"turn.completed","tokens":{"window":10000}}
)";
  for (const bool estimated : {false, true}) {
    bench.folder.write(kJob + "journal.jsonl",
                       R"({"type":"thread.started","agent":"build"}
{"type":"context.appended","tokens":8000,)" +
                           std::string(estimated ? R"("estimated":true,)" : "") + rest);
    const std::string shown = bench.run({"context", "show"}).out;
    CHECK(shown.starts_with(estimated ? "≈ 8000 of 10000 tokens\n" : "8000 of 10000 tokens\n"));
    const Json json = *parse_json(bench.run({"context", "show", "-json"}).out);
    CHECK(json["tokens"] == 8000);
    CHECK(json["estimated"] == estimated);
    CHECK(json["window_tokens"] == 10000);
    CHECK(json["messages"][0]["pinned"] == "head");
  }
}

TEST_CASE("context: a simulation clears nothing if the job's server moved its cache") {
  Program bench;
  struct Seen {
    long long cleared = 0;
    long long entered = 0;
    long long evaluated = 0;
  };
  const auto simulate = [&](const std::string& header, std::vector<std::string> more = {}) {
    std::string lines =
        R"({"type":"thread.started","agent":"build")" + header + "}\n" +
        R"({"type":"context.appended","tokens":100,"messages":[{"id":1,"role":"system","parts":[{"kind":"system","tokens":100}]}]})"
        "\n";
    for (int i = 0; i < 20; ++i) {
      lines += fmt::format(
          R"({{"type":"context.appended","tokens":{},"messages":[{{"id":{},"role":"assistant","parts":[{{"kind":"reply","tokens":50}}]}},{{"id":{},"role":"user","parts":[{{"kind":"result","tokens":950,"call":{{"kind":0,"tool":"file","name":"file read a","target":"a","ok":true}}}}]}}]}})"
          "\n",
          1000 * i + 1100, 2 * i + 2, 2 * i + 3);
    }
    bench.folder.write(kJob + "journal.jsonl", lines);
    std::vector<std::string> args = {"context", "simulate", "-ctx", "12000", "-json"};
    args.insert(args.end(), more.begin(), more.end());
    const ProcessResult result = bench.run(args);
    CAPTURE(result.err);
    REQUIRE(result.exit_code == 0);
    const Json forecast = *parse_json(result.out);
    Seen seen{0, number_of(forecast, "entered_tokens"), number_of(forecast, "evaluated_tokens")};
    for (const Json& cut : forecast["cuts"]) seen.cleared += number_of(cut, "cleared");
    return seen;
  };
  const std::string moves = R"(,"moves_cache":true)";
  CHECK(simulate("").cleared > 0);
  CHECK(simulate("").evaluated > simulate("").entered);
  CHECK(simulate(moves).cleared == 0);
  CHECK(20 * simulate(moves).evaluated <= 21 * simulate(moves).entered);  // notes count too
  CHECK(simulate(moves, {"-strategies", "clear oldest"}).cleared == 0);
  bench.extra_environment["PEDROCLI_CONTEXT_SHIFT_CACHE"] = "off";
  CHECK(simulate(moves).cleared > 0);
}

}  // namespace pedro
