// Tests `pedrocli doctor` and `sandbox` without a server.
#include "cli/program.h"
#include "llm/fake_router.h"
#include "support/loopback_server.h"
#include "support/terminal_run.h"

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

TEST_CASE("sandbox: the user's own command may be silent") {
  Program bench;
  bench.extra_environment["PEDROCLI_LIMITS_IDLE_SECONDS"] = "1";
  const ProcessResult result = bench.run({"sandbox", "--", "sleep", "4"});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
}

TEST_CASE("doctor: shows the sandbox's level and the features it tried") {
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

TEST_CASE("doctor, config show: refuse nested settings that build refuses") {
  for (const char* setting :
       {R"({"context": {"weights": {"recenzy": 3}}})",
        R"({"model": {"logit_bias": {"action": 50}}})", R"({"model": {"tool_bias": {"serch": 1}}})",
        R"({"monitor": {"warn_at": {"x": 1}}})", R"({"policy": {"permissions": {"x": "deny"}}})",
        R"({"models": [{"pattern": "x"}]})"}) {
    CAPTURE(setting);
    Program bench;
    bench.folder.write("project/.pedrocli.json", setting);
    bench.commit_project();
    const ProcessResult shown = bench.run({"config", "show"});
    const ProcessResult examined = bench.run({"doctor", "-model-url", "http://127.0.0.1:1"});
    CHECK(shown.exit_code == 3);
    CHECK(examined.exit_code == 3);
    CHECK(shown.err == examined.err);
    CHECK(shown.err.find(".pedrocli.json:1: ") != std::string::npos);
  }
}

TEST_CASE("config: the flags and variables of the server apply to every command") {
  Program bench;
  const std::vector<std::string> show = {"config",     "show",     "-origin", "-model",
                                         "owner/m:Q4", "-context", "4096"};
  bench.extra_environment["PEDROCLI_SERVER_URL"] = "unix:/run/model.sock";
  const std::string shown = bench.run(show).out;
  for (const char* text :
       {"unix:/run/model.sock", "PEDROCLI_SERVER_URL", "owner/m:Q4", "-context"}) {
    CAPTURE(text);
    CHECK(shown.find(text) != std::string::npos);
  }
  bench.extra_environment["PEDROCLI_MODEL_SERVER_URL"] = "http://127.0.0.1:9";
  CHECK(bench.run(show).out.find("http://127.0.0.1:9") != std::string::npos);
  CHECK(bench.run({"config", "show", "-context", "many"}).exit_code == 2);
  CHECK(bench.run({"config", "show", "-model-url", "unix:relative"}).exit_code == 2);
}

TEST_CASE("models: the server's list with the table's rows, and the key from a file") {
  Program bench;
  std::string key;
  LoopbackServer server([&key](const LoopbackRequest& request) -> LoopbackReply {
    const auto found = request.headers.find("authorization");
    if (found != request.headers.end()) key = found->second;
    if (request.target != "/v1/models") return {.status = 404};
    return {.body = R"({"data":[{"id":"gpt-4o"},{"id":"own","max_model_len":5000,)"
                    R"("status":{"value":"unloaded"}}]})"};
  });
  bench.folder.write("key", "secret-key-of-file\n");
  const ProcessResult listed = bench.run({"models", "-json", "-backend", "openai", "-model-url",
                                          server.url(""), "-api-key-file", bench.folder.at("key")});
  CAPTURE(listed.err);
  CHECK(listed.exit_code == 0);
  CHECK(key == "Bearer secret-key-of-file");
  for (
      const char* line :
      {R"({"model":"gpt-4o","property":"window","value":128000,"source":"the built-in row 'gpt-4o*'"})",
       R"({"model":"gpt-4o","property":"vocabulary","value":"o200k_base","source":"the built-in row 'gpt-4o*'"})",
       R"({"model":"own","property":"state","value":"on disk","source":"the server"})",
       R"({"model":"own","property":"window","value":5000,"source":"the server"})"}) {
    CAPTURE(line);
    CHECK(listed.out.find(std::string(line) + "\n") != std::string::npos);
  }
  CHECK(bench.run({"models", "-model-url", server.url(""), "-api-key-file", "none"}).exit_code ==
        2);
  const ProcessResult alone = bench.run({"models", "gpt-4o", "-model-url", "http://127.0.0.1:1"});
  CHECK(alone.exit_code == 0);
  CHECK(alone.out.find("128000") != std::string::npos);
  CHECK(bench.run({"tokens", "show", "-model", "gpt-4o"}).out.find("128000") != std::string::npos);
}

TEST_CASE(
    "router: a terminal is asked for a model, which is loaded; elsewhere the exit code is 4") {
  Program bench;
  FakeRouter router;
  std::string asked_of;
  LoopbackServer server([&](const LoopbackRequest& request) -> LoopbackReply {
    if (request.target != "/tokenize") return router(request);
    asked_of = text_of(*parse_json(request.body), "model");
    return {.body = R"({"tokens":[1,2,3]})"};
  });
  bench.folder.write("project/a.txt", "hello");
  const std::vector<std::string> args = {"tokens", "count", "-server", server.url(""), "a.txt"};
  const ProcessResult alone = bench.run(args);
  CHECK(alone.exit_code == 4);
  CHECK(alone.err.find("it has a (on disk), own/b:Q4 x (on disk); name one with -model") !=
        std::string::npos);
  std::vector<std::string> argv = {PEDROCLI_PROGRAM};
  argv.insert(argv.end(), args.begin(), args.end());
  auto variables = bench.environment();
  variables["TERM"] = "dumb";
  const TerminalResult asked = run_on_terminal(argv, bench.project(), variables, "Which one?", "2");
  CAPTURE(asked.shown);
  CHECK(asked.exit_code == 0);
  CHECK(asked.shown.find("   2  own/b:Q4 x: on disk") != std::string::npos);
  CHECK(asked_of == "own/b:Q4 x");
  router.rows[1].state = "unloaded";
  CHECK(run_on_terminal(argv, bench.project(), variables, "Which one?", "").exit_code == 4);
}

}  // namespace pedro
