// Tests `pedrocli` without a command.
#include <chrono>

#include "base/text.h"
#include "cli/program.h"
#include "support/loopback_server.h"

namespace pedro {

TEST_CASE("first screen: in a project it shows its findings, and runs no check") {
  Program bench;
  LoopbackServer server([](const LoopbackRequest& request) -> LoopbackReply {
    if (request.target == "/props") {
      return {.body = R"({"default_generation_settings":{"n_ctx":16384}})"};
    }
    return {.body = R"({"data":[{"id":"qwen","owned_by":"llamacpp"}]})"};
  });
  bench.folder.write("project/Makefile", "test:\n\ttouch ran\n");
  bench.commit_project();
  bench.extra_environment["PEDROCLI_SERVER_URL"] = server.url("");
  const ProcessResult result = bench.run({});
  CAPTURE(result.out);
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  for (const std::string& line :
       {"  project  " + bench.project() + "\n",
        "  server   http://127.0.0.1:" + std::to_string(server.port()) + " (llamacpp)\n",
        std::string("  model    qwen, window 16384 tokens\n"),
        std::string("  checks   make test (not run now)\n"),
        std::string("\nType next:\n  pedrocli doctor "),
        std::string("\n  pedrocli build -description \"...\"  work on a task\n")}) {
    CAPTURE(line);
    CHECK(result.out.find(line) != std::string::npos);
  }
  CHECK(split_lines(result.out).size() <= 14);
  CHECK_FALSE(std::filesystem::exists(bench.folder.at("project/ran")));
}

TEST_CASE("first screen: an interrupted job is offered first, a done one is not shown") {
  Program bench;
  bench.folder.write("project/a.txt", "a");
  bench.commit_project();
  bench.extra_environment["PEDROCLI_SERVER_URL"] = "http://127.0.0.1:1";
  const auto write_job = [&](const std::string& id, int exit_code) {
    const std::string at = "state/pedrocli/jobs/" + id + "/";
    bench.folder.write(at + "journal.jsonl", to_line({{"type", "thread.started"},
                                                      {"ts", "2026-11-27T01:00:00.000Z"},
                                                      {"thread_id", id},
                                                      {"agent", "build"},
                                                      {"task", "Fix the fare"},
                                                      {"workdir", bench.project()}}) +
                                                 "\n" +
                                                 to_line({{"type", "thread.completed"},
                                                          {"ts", "2026-11-27T01:00:01.000Z"},
                                                          {"exit_code", exit_code}}) +
                                                 "\n");
  };
  write_job("20261127-010000-build-1111", 0);
  const ProcessResult done = bench.run({});
  CHECK(done.exit_code == 0);
  CHECK(done.out.find("open job") == std::string::npos);
  write_job("20261127-020000-build-7f3a", 130);
  const ProcessResult result = bench.run({});
  CAPTURE(result.out);
  CAPTURE(result.err);
  CHECK(result.out.find("open job 20261127-020000-build-7f3a interrupted: Fix the fare\n") !=
        std::string::npos);
  CHECK(result.out.find("\n  pedrocli resume 7f3a ") != std::string::npos);
  CHECK(result.out.find("http://127.0.0.1:1 (llamacpp) does not answer\n") != std::string::npos);
}

TEST_CASE("first screen: outside a project it is short") {
  Program bench;
  const ProcessResult result = bench.run({});
  CAPTURE(result.out);
  CHECK(result.exit_code == 0);
  CHECK(result.out.find("  project  none: this folder is in no git repository\n") !=
        std::string::npos);
  CHECK(result.out.find("\n`pedrocli help` lists all commands.\n") != std::string::npos);
  CHECK(split_lines(result.out).size() <= 12);
}

TEST_CASE("first screen: does not wait for a server that never answers") {
  Program bench;
  bench.folder.write("project/a.txt", "a");
  bench.commit_project();
  LoopbackServer server({{.chunks = {"{"}, .after = AfterReply::kStall}});
  bench.extra_environment["PEDROCLI_SERVER_URL"] = server.url("");
  const auto began = std::chrono::steady_clock::now();
  CHECK(bench.run({}).exit_code == 0);
  CHECK(std::chrono::steady_clock::now() - began < std::chrono::seconds(2));
}

}  // namespace pedro
