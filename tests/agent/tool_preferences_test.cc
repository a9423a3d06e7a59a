#include <doctest/doctest.h>

#include "agent/tool_steering.h"
#include "sys/file_system.h"

namespace pedro {

TEST_CASE("tool preferences: biases, blocked tools, and invalid values") {
  const RealFileSystem files;
  const auto registry = Registry::open(files, "");
  REQUIRE(registry.ok());
  const auto read = [&](const char* json) {
    return read_tool_preferences(*parse_json(json), *registry);
  };
  const auto good = read(R"({"search": 1.5, "bash": false, "git": -10})");
  REQUIRE(good.ok());
  REQUIRE(good->biases.size() == 2);
  CHECK(good->biases[0].tool == "search");
  CHECK(good->biases[0].bias == 1.5);
  CHECK(good->blocked == std::set<std::string>{"bash"});
  const std::pair<const char*, const char*> bad[] = {
      {R"({"serch": 1})", "tool_bias: 'serch': there is no such tool (did you mean 'search'?); "},
      {R"({"bash": true})", "tool_bias: 'bash': expected a number from -10 to 10, or false"},
      {R"({"bash": 11})", "tool_bias: 'bash': expected a number from -10 to 10, or false"},
      {R"({"bash": {"bias": 1}})", "tool_bias: 'bash': expected a number"},
  };
  for (const auto& [json, message] : bad) {
    CAPTURE(json);
    const auto result = read(json);
    REQUIRE_FALSE(result.ok());
    CHECK(result.error().kind == ErrorKind::kConfig);
    CHECK_MESSAGE(result.error().message.starts_with(message), result.error().message);
  }
}

TEST_CASE("tool preferences: a blocked tool is in no phase") {
  Workflow workflow;
  workflow.phases.resize(2);
  workflow.phases[0].tools = {"search", "bash"};
  workflow.phases[1].tools = {"bash"};
  block_tools(workflow, {"bash"});
  CHECK(workflow.phases[0].tools == std::vector<std::string>{"search"});
  CHECK(workflow.phases[1].tools.empty());
}

}  // namespace pedro
