// `pedrocli doctor` and `sandbox`, without a server.
#include "cli/program.h"

namespace pedro {

TEST_CASE("doctor: examines the prompts of every agent, as a job reads them") {
  Program bench;
  bench.folder.write("project/.pedro/agents/mine/1-look.md",
                     "---\ntools: search\nmax_round: 3\n---\nLook.\n");
  bench.folder.write("project/.pedro/agents/mine/system.md", "You look.\n\n{{calls}}\n");
  bench.commit_project();
  bench.extra_environment["PEDROCLI_MODEL_MAX_RETRIES"] = "0";
  const ProcessResult result = bench.run({"doctor", "-model-url", "http://127.0.0.1:1"});
  CAPTURE(result.out);
  CHECK(result.exit_code == 4);
  CHECK(result.out.find("did you mean 'max_rounds'?") != std::string::npos);
  CHECK(result.out.find("build has 5 phases, debug has ") != std::string::npos);
}

TEST_CASE("sandbox: a person's own command may be silent") {
  Program bench;
  bench.extra_environment["PEDROCLI_LIMITS_IDLE_SECONDS"] = "1";
  const ProcessResult result = bench.run({"sandbox", "--", "sleep", "4"});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
}

}  // namespace pedro
