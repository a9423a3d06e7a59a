// Tests `pedrocli doctor` and `sandbox` without a server.
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
  CHECK(result.out.find("build has 7 phases, debug has ") != std::string::npos);
}

TEST_CASE("sandbox: a person's own command may be silent") {
  Program bench;
  bench.extra_environment["PEDROCLI_LIMITS_IDLE_SECONDS"] = "1";
  const ProcessResult result = bench.run({"sandbox", "--", "sleep", "4"});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
}

TEST_CASE("doctor: shows the sandbox's level and what it was tried with") {
  Program bench;
  bench.extra_environment["PEDROCLI_MODEL_MAX_RETRIES"] = "0";
  const ProcessResult result = bench.run({"doctor", "-model-url", "http://127.0.0.1:1"});
  CAPTURE(result.out);
  CHECK(result.out.find("tried and refused: ") != std::string::npos);
  CHECK(result.out.find("tried and possible: ") == std::string::npos);
  const std::string level = bench.run({"sandbox"}).out;
  for (const std::string_view gap : split_lines(level)) {
    const std::size_t but = gap.find("but ");
    if (but != gap.npos) CHECK(result.out.find(gap.substr(but)) != std::string::npos);
  }
}

TEST_CASE("sandbox: a network for the commands that the configuration names") {
  Program bench;
  const std::string ours = std::filesystem::read_symlink("/proc/self/ns/net").string();
  const std::vector<std::string> ask = {"sandbox", "--", "readlink", "/proc/self/ns/net"};
  if (bench.run({"sandbox"}).out.find("bubblewrap") == std::string::npos) {
    MESSAGE("skipped: there is no bwrap, or it does not work here");
    return;
  }
  CHECK(bench.run(ask).out != ours + "\n");
  bench.extra_environment["PEDROCLI_SANDBOX_NET_COMMANDS"] = R"(["readlink"])";
  CHECK(bench.run(ask).out == ours + "\n");
  CHECK(bench.run({"sandbox", "--", "sh", "-c", "readlink /proc/self/ns/net | cat"}).out !=
        ours + "\n");
}

TEST_CASE("sandbox: that it is off is said each time, and no project can say so") {
  Program bench;
  bench.folder.write("project/.pedrocli.json", R"({"sandbox": {"mode": "off"}})");
  const ProcessResult projects = bench.run({"sandbox", "--", "true"});
  CHECK(projects.exit_code == 3);
  CHECK(projects.err.find("sandbox.mode") != std::string::npos);
  std::filesystem::remove(bench.folder.at("project/.pedrocli.json"));
  bench.extra_environment["PEDROCLI_SANDBOX_MODE"] = "off";
  for (int i = 0; i < 2; ++i) {
    const ProcessResult result = bench.run({"sandbox", "--", "true"});
    CHECK(result.exit_code == 0);
    CHECK(result.err.find("sandbox: off: commands run with all your rights") != std::string::npos);
  }
}

}  // namespace pedro
