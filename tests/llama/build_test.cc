// `pedrocli build` against a real llama-server whose model writes noise: the grammar has to turn it
// into valid calls, and the server must not evaluate a token twice.
#include <doctest/doctest.h>

#include <cstdlib>

#include "base/json.h"
#include "base/text.h"
#include "support/temp_folder.h"
#include "sys/file_system.h"
#include "sys/process.h"

namespace pedro {
namespace {

// A small project that `make test` fails on, as one commit.
void write_project(const TempFolder& folder) {
  folder.write("project/Makefile", "test:\n\t@grep -q fixed main.c\n");
  folder.write("project/main.c", "int main(void) { return 1; }\n");
  folder.write("project/.pedro/issues/7.md", "# main fails\n\nIt must return 0.\n");
}

struct Session {
  Session() {
    write_project(folder);
    for (const std::vector<std::string>& args : std::vector<std::vector<std::string>>{
             {"init", "-q", "-b", "main"}, {"add", "-A"}, {"commit", "-q", "-m", "init"}}) {
      Command git{.argv = {"git", "-C", folder.at("project"), "-c", "user.name=t", "-c",
                           "user.email=t@localhost"}};
      git.argv.insert(git.argv.end(), args.begin(), args.end());
      REQUIRE(processes.run(git, cancel)->ok());
    }
  }

  ProcessResult pedrocli(std::vector<std::string> args) {
    const char* url = std::getenv("PEDROCLI_SERVER_URL");
    REQUIRE(url != nullptr);
    Command command{.argv = {PEDROCLI_PROGRAM}, .folder = folder.at("project")};
    command.argv.insert(command.argv.end(), args.begin(), args.end());
    command.argv.insert(command.argv.end(), {"-model-url", url});
    command.environment = {{"HOME", folder.path()}, {"XDG_STATE_HOME", folder.at("state")}};
    command.timeout_s = 200;
    auto result = processes.run(command, cancel);
    REQUIRE(result.ok());
    return *result;
  }

  // The journal of the only job.
  std::vector<Json> journal() {
    const auto jobs = files.list(folder.at("state/pedrocli/jobs"));
    REQUIRE(jobs.ok());
    REQUIRE(jobs->size() == 1);
    const std::string text =
        folder.read("state/pedrocli/jobs/" + jobs->front().name + "/journal.jsonl");
    std::vector<Json> events;
    for (const std::string_view line : split_lines(text)) events.push_back(*parse_json(line));
    return events;
  }

  TempFolder folder;
  RealFileSystem files;
  RealProcessRunner processes;
  CancelToken cancel;
};

}  // namespace

TEST_CASE("llama: ten rounds of noise are valid calls, and the cache misses nothing") {
  Session session;
  const ProcessResult result =
      session.pedrocli({"build", "-issue", "7", "-max-rounds", "10", "-debug=http"});
  CAPTURE(result.err);
  CAPTURE(result.out);
  CHECK((result.exit_code == 5 || result.exit_code == 6));

  // No request was refused.
  for (const std::string_view line : split_lines(result.err)) {
    const bool refused = line.starts_with("debug http: 4") || line.starts_with("debug http: 5");
    CHECK_MESSAGE(!refused, line);
  }

  int turns = 0;
  int calls = 0;
  for (const Json& event : session.journal()) {
    const std::string type = text_of(event, "type");
    if (type == "turn.completed") {
      const Json& usage = member(event, "usage");
      const Json& cache = member(event, "cache");
      if (++turns == 1) {
        CHECK(number_of(usage, "input_tokens") < 2500);
        MESSAGE("first prompt: ", number_of(usage, "input_tokens"), " tokens");
      } else {
        CHECK(number_of(cache, "expected_tokens") > 0);
        CHECK(number_of(usage, "cached_input_tokens") == number_of(cache, "expected_tokens"));
      }
    } else if (type == "item.completed" && text_of(member(event, "item"), "type") == "tool_call") {
      ++calls;
      CHECK_MESSAGE(truth_of(member(event, "item"), "valid", false), to_line(event));
    }
  }
  CHECK(turns == 10);
  CHECK(calls > 0);
  MESSAGE(calls, " calls reached a tool, all of them valid");
}

TEST_CASE("llama: doctor finds the server ready") {
  Session session;
  const ProcessResult result = session.pedrocli({"doctor"});
  CAPTURE(result.out);
  CHECK(result.exit_code == 0);
  CHECK(result.out.find("ok   grammar    obeyed") != std::string::npos);
  CHECK(result.out.find("ok   cache") != std::string::npos);
}

TEST_CASE("llama: the debug flag shows that `action` is token 1311") {
  Session session;
  const ProcessResult result =
      session.pedrocli({"build", "-description", "action", "-max-rounds", "1", "-debug=tokens"});
  CAPTURE(result.err);
  CHECK(result.err.find("1311:\"action\"") != std::string::npos);
}

TEST_CASE("llama: a wrong model address is exit 4 and says what to do") {
  Session session;
  Command command{
      .argv = {PEDROCLI_PROGRAM, "build", "-issue", "7", "-model-url", "http://127.0.0.1:1"},
      .folder = session.folder.at("project")};
  command.environment = {{"HOME", session.folder.path()},
                         {"XDG_STATE_HOME", session.folder.at("state")}};
  const auto result = session.processes.run(command, session.cancel);
  REQUIRE(result.ok());
  CHECK(result->exit_code == 4);
  CHECK(result->err.find("http://127.0.0.1:1/health: connection refused; is the server running?") !=
        std::string::npos);
}

}  // namespace pedro
