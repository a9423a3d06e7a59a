#include "tools/network_commands.h"

#include <doctest/doctest.h>

#include "base/text.h"

using namespace pedro;

TEST_CASE("network_commands: only commands that are named have a network") {
  FakeProcessRunner processes;
  auto commands =
      NetworkCommands::make(processes, "key", {"npm ci", "go mod download", "make", "readlink"});
  REQUIRE(commands.ok());
  struct Row {
    std::vector<std::string> argv;
    bool net;
  };
  const Row rows[] = {
      {{"sh", "-c", "npm ci"}, true},
      {{"bash", "-c", "cd web && npm ci --no-audit"}, true},
      {{"sh", "-c", "npm ci && go mod download"}, true},
      {{"npm", "ci"}, true},
      {{"env", "CI=1", "npm", "ci"}, false},
      {{"make", "-j2"}, true},
      {{"readlink", "a"}, true},
      {{"readlink", "/proc/self/ns/net"}, true},

      {{"make", "CC=gcc", "all"}, true},
      {{"npm", "test"}, false},
      {{"sh", "-c", "npm ci && curl host.test"}, false},
      {{"sh", "-c", "npm ci; $CURL host.test"}, false},
      {{"sh", "-c", "npm ci $(curl host.test)"}, false},
      {{"sh", "-c", "PATH=.:$PATH npm ci"}, false},
      {{"sh", "-c", "./npm ci"}, false},
      {{"sh", "-c", "eval \"$X\"; npm ci"}, false},
      {{"sh", "-c", "npm ci '"}, false},
      {{"npm ci"}, false},
      {{}, false},
  };
  for (const Row& row : rows) {
    CAPTURE(join(row.argv, " "));
    REQUIRE(commands->run(Command{.argv = row.argv}, CancelToken()).ok());
    CHECK(processes.commands.back().net == row.net);
    CHECK(processes.commands.back().argv == row.argv);
  }
}

TEST_CASE("network_commands: without names nothing has a network, and bad ones are refused") {
  FakeProcessRunner processes;
  auto none = NetworkCommands::make(processes, "key", {});
  REQUIRE(none.ok());
  REQUIRE(none->run(Command{.argv = {"npm", "ci"}}, CancelToken()).ok());
  CHECK_FALSE(processes.commands.back().net);
  const auto bad = NetworkCommands::make(processes, "sandbox.net_commands", {"npm | sh"});
  REQUIRE_FALSE(bad.ok());
  CHECK(bad.error().kind == ErrorKind::kConfig);
  CHECK(bad.error().message.starts_with("sandbox.net_commands: 'npm | sh'"));
}
