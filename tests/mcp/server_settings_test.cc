#include "mcp/server_settings.h"

#include <doctest/doctest.h>

namespace pedro::mcp {
namespace {

const Environment kEnvironment{.variables = {{"HOME", "/home/u"}, {"KEY", "k-1"}}};

Result<ServerTable> read(std::string_view text) {
  const auto json = parse_json(text);
  REQUIRE_MESSAGE(json.ok(), text);
  return read_servers("f:3", *json, kEnvironment);
}

}  // namespace

TEST_CASE("mcp settings: the format of other agents, with variables") {
  const auto table = read(R"({
      "//": "a comment",
      "memory": {"command": "${HOME}/bin/memory", "args": ["-k", "${KEY}", "${NO:-none}", "$KEY"],
                 "env": {"A_KEY": "${KEY}"}, "autoApprove": ["x"], "disabled": false},
      "web": {"type": "http", "url": "https://example.com/mcp",
              "headers": {"Authorization": "Bearer ${KEY}"}},
      "own": {"command": "x", "net": true, "read": ["~/x"], "write": ["/y"]}})");
  REQUIRE_MESSAGE(table.ok(), (table.ok() ? "" : table.error().message));
  REQUIRE(table->size() == 3);
  const ServerSettings& memory = table->at("memory");
  CHECK(memory.command == "/home/u/bin/memory");
  CHECK(memory.args == std::vector<std::string>{"-k", "k-1", "none", "$KEY"});
  CHECK(memory.env.at("A_KEY") == "k-1");
  CHECK_FALSE(memory.net);
  CHECK(table->at("web").url == "https://example.com/mcp");
  CHECK(table->at("web").headers == std::vector<std::string>{"Authorization: Bearer k-1"});
  CHECK(table->at("own").net);
  CHECK(table->at("own").read == std::vector<std::string>{"~/x"});
  CHECK(table->at("own").write == std::vector<std::string>{"/y"});
}

TEST_CASE("mcp settings: mistakes are errors with their place") {
  struct Row {
    const char* server;
    const char* error;
  };
  const Row rows[] = {
      {R"({"comand": "x"})", "unknown key 'comand' (did you mean 'command'?)"},
      {R"({})", "command: expected a program"},
      {R"({"command": 3})", "command: expected a string, got 3"},
      {R"({"command": "x", "args": "y"})",
       "args: expected a list of at most 256 strings, got \"y\""},
      {R"({"command": "x", "args": [1]})", "args: expected a list of strings, got [1]"},
      {R"({"command": "x", "env": {"A": 1}})",
       "env: expected an object with strings, got {\"A\":1}"},
      {R"({"command": "${NO}"})", "command: the environment variable 'NO' is not set"},
      {R"({"command": "x", "url": "http://h"})", "command: is not for type http"},
      {R"({"type": "stdio", "url": "http://h"})", "command: expected a program"},
      {R"({"type": "sse", "url": "http://h"})",
       "type: the transport 'sse' of 2024 is not supported; use 'http'"},
      {R"({"type": "pigeon", "url": "http://h"})", "type: expected stdio or http, got 'pigeon'"},
      {R"({"command": "x", "net": "yes"})", "net: expected true or false, got \"yes\""},
      {R"({"command": "x", "write": ["data"]})",
       "'data': expected a path that begins with '/' or '~/'"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.server);
    const auto table = read(std::string("{\"a\": ") + row.server + "}");
    REQUIRE_FALSE(table.ok());
    CHECK(table.error().kind == ErrorKind::kConfig);
    CHECK(table.error().message == std::string("f:3: mcpServers: a: ") + row.error);
  }
  const auto named = read(R"({"a b": {"command": "x"}})");
  REQUIRE_FALSE(named.ok());
  CHECK(named.error().message ==
        "f:3: mcpServers: 'a b': a name has at most 32 letters, digits, '-' and '_'");
}

}  // namespace pedro::mcp
