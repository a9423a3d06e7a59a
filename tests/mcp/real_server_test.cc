// Connects to published MCP servers and holds the grammar of each tool against its schema.
// PEDROCLI_MCP_SERVERS is a file with `mcpServers`; without it, the test is skipped. With
// PEDROCLI_GBNF_VALIDATOR, llama.cpp's engine judges the same texts.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

#include "gbnf/llama_validator.h"
#include "gbnf/match.h"
#include "json_schema/validate.h"
#include "mcp/http_transport.h"
#include "mcp/remote_tool.h"
#include "mcp/server.h"
#include "mcp/server_settings.h"
#include "mcp/stdio_transport.h"
#include "schema_to_gbnf/instance_maker.h"
#include "schema_to_gbnf/tool_calls.h"
#include "support/read_file.h"
#include "sys/process.h"

namespace pedro::mcp {
namespace {

constexpr int kSets = 20;
constexpr int kMaxTries = 4000;

ServerTable servers() {
  const char* file = std::getenv("PEDROCLI_MCP_SERVERS");
  const auto json = parse_json(read_file(file));
  REQUIRE_MESSAGE(json.ok(), file);
  auto table = read_servers(file, member(*json, "mcpServers"), real_environment());
  REQUIRE_MESSAGE(table.ok(), (table.ok() ? "" : table.error().message));
  return *std::move(table);
}

struct Counts {
  int tools = 0;
  int accepted = 0;
  int refused = 0;
};

// Compares the grammar of a tool with its schema: generated arguments, and changed ones.
class ToolComparison {
 public:
  ToolComparison(const Manifest& manifest, LlamaValidator& llama)
      : manifest_(manifest), llama_(llama) {
    const ActionManifest& action = manifest.actions.front();
    const CallBranch branch{manifest.name, "", &action.schema, {}, &action.schema_json};
    grammar_ = tool_call_grammar(std::span(&branch, 1), {}, &loosened_);
    auto compiled = Matcher::compile(grammar_);
    REQUIRE(compiled.ok());
    matcher_.emplace(*std::move(compiled));
    if (llama_.there()) llama_.use(print(grammar_));
  }

  void run(Counts& counts) {
    CAPTURE(manifest_.name);
    CHECK(loosened_.empty());
    InstanceMaker maker(7);
    const Schema& schema = manifest_.actions.front().schema;
    std::vector<Json> valid;
    for (int i = 0; i < kSets; ++i) {
      const std::string text = maker.derived(grammar_);
      CAPTURE(text);
      const auto call = parse_json(text);
      REQUIRE(call.ok());
      valid.push_back(member(*call, "args"));
      CHECK_FALSE(validate(schema, valid.back()).has_value());
      CHECK(judge(text));
      ++counts.accepted;
    }
    int broken = 0;
    for (int i = 0; i < kMaxTries && broken < kSets; ++i) {
      const Json args = maker.changed(valid[static_cast<std::size_t>(i % kSets)]);
      if (!validate(schema, args)) continue;
      const std::string text =
          fmt::format(R"({{"tool": "{}", "args": {}}})", manifest_.name, to_spaced_line(args));
      CAPTURE(text);
      CHECK_FALSE(judge(text));
      ++broken;
      ++counts.refused;
    }
    ++counts.tools;
  }

 private:
  // Asks both engines, which must agree.
  bool judge(const std::string& text) {
    Matcher matcher = *matcher_;
    const auto taken = matcher.accept(text);
    REQUIRE(taken.ok());
    const bool fits = *taken == text.size() && matcher.is_complete();
    if (llama_.there()) CHECK(llama_.judge(text) == (fits ? "valid" : "invalid"));
    return fits;
  }

  const Manifest& manifest_;
  LlamaValidator& llama_;
  std::vector<Loosened> loosened_;
  Gbnf grammar_;
  std::optional<Matcher> matcher_;
};

}  // namespace

TEST_CASE("real mcp servers: every tool's grammar accepts exactly the values of its schema") {
  LlamaValidator llama;
  const ServerTable table = servers();
  for (const auto& entry : table) {
    const std::string& name = entry.first;
    const ServerSettings& settings = entry.second;
    CAPTURE(name);
    RealProcessRunner runner;
    const RealClock clock;
    const CancelToken cancel;
    CurlHttp http;
    CurlHttp replies;
    std::unique_ptr<Transport> transport;
    if (settings.command.empty()) {
      transport = std::make_unique<HttpTransport>(http, replies,
                                                  HttpAddress{settings.url, settings.headers});
    } else {
      Command command{.argv = {settings.command}, .environment = settings.env, .timeout_s = 600};
      command.argv.insert(command.argv.end(), settings.args.begin(), settings.args.end());
      auto started = StdioTransport::start(runner, std::move(command), clock);
      REQUIRE(started.ok());
      transport = *std::move(started);
    }
    const auto server = Server::connect(name, Client(std::move(transport), "test", clock), cancel);
    REQUIRE_MESSAGE(server.ok(), (server.ok() ? "" : server.error().message));
    CHECK_FALSE((*server)->tools().empty());
    Counts counts;
    for (const ToolDeclaration& tool : (*server)->tools()) {
      const auto manifest = manifest_of(name, tool);
      CAPTURE(tool.name);
      REQUIRE_MESSAGE(manifest.ok(), (manifest.ok() ? "" : manifest.error().message));
      ToolComparison(*manifest, llama).run(counts);
    }
    std::printf("%s: protocol %s, %d tools, %d argument sets accepted, %d refused%s\n",
                name.c_str(), (*server)->client().protocol().c_str(), counts.tools, counts.accepted,
                counts.refused, llama.there() ? ", by llama.cpp too" : "");
  }
}

}  // namespace pedro::mcp

int main(int argc, char** argv) {
  if (std::getenv("PEDROCLI_MCP_SERVERS") == nullptr) {
    std::fprintf(stderr, "SKIPPED: set PEDROCLI_MCP_SERVERS to a file with mcpServers\n");
    return 77;
  }
  return doctest::Context(argc, argv).run();
}
