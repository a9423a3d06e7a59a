// `pedrocli context` plans as a job does.
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
  CHECK(failed("4096"));       // a quarter for a reply: 7499
}

}  // namespace pedro
