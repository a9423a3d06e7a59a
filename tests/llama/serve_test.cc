// Runs `pedrocli serve` with a real llama-server and the model of with-server.
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>

#include "llama/session.h"

namespace pedro {

TEST_CASE("serve: a real server on a Unix socket, which other commands find") {
  Session session;
  const char* program = std::getenv("WITH_SERVER_PROGRAM");
  const char* model = std::getenv("WITH_SERVER_MODEL");
  REQUIRE(program != nullptr);
  REQUIRE(model != nullptr);
  const std::string folder = std::filesystem::path(program).parent_path();
  Command command{
      .argv = {"bash", "-c",
               "\"$0\" serve \"$1\" -context 4096 >out 2>err & serve=$!\n"
               "for i in $(seq 600); do grep -q ^ready out && break; kill -0 $serve || break; "
               "sleep 0.1; done\n"
               "cat out\n\"$0\" serve -status\n\"$0\" models -json\n"
               "echo 'hello world' | \"$0\" tokens count -server \"unix:$XDG_STATE_HOME"
               "/pedrocli/serve/model.sock\" -\n"
               "\"$0\" serve -stop\nwait $serve; echo \"exit $?\"; tail -n 20 err >&2",
               PEDROCLI_PROGRAM, model},
      .folder = session.folder.path()};
  command.environment = {{"HOME", session.folder.path()},
                         {"XDG_STATE_HOME", session.folder.at("state")},
                         {"PEDROCLI_SERVER_URL", ""},
                         {"PATH", folder + ":" + std::getenv("PATH")}};
  const auto result = session.processes.run(command, session.cancel);
  REQUIRE(result.ok());
  CAPTURE(result->out);
  CAPTURE(result->err);
  const std::string url = "unix:" + session.folder.at("state/pedrocli/serve/model.sock");
  CHECK(result->out.starts_with("ready: model at " + url + ", window 4096 tokens, 1 slot"));
  CHECK(result->out.find("\nready: model at " + url + ", window 4096 tokens\n") !=
        std::string::npos);
  CHECK(result->out.find(R"("property":"window","value":4096,"source":"the server")") !=
        std::string::npos);
  CHECK(result->out.find("\nended: model at " + url + "\n") != std::string::npos);
  CHECK(result->out.ends_with("exit 143\n"));
  CHECK(result->err.find("-c 4096 -np 1 --cache-ram ") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(session.folder.at("state/pedrocli/serve/server.json")));
}

}  // namespace pedro
