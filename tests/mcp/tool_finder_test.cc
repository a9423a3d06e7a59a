#include "mcp/tool_finder.h"

#include "json_schema/validate.h"
#include "mcp/remote_tool.h"
#include "tools/command_bench.h"

namespace pedro {
namespace {

Manifest tool(const std::string& name, const std::string& about, Json properties) {
  mcp::ToolDeclaration declared{
      name, about, {{"type", "object"}, {"properties", std::move(properties)}}, nullptr};
  auto manifest = mcp::manifest_of("forge", declared);
  REQUIRE_MESSAGE(manifest.ok(), manifest.error().message);
  return *std::move(manifest);
}

std::vector<Manifest> forge_tools() {
  const Json text = {{"type", "string"}};
  return {tool("create_issue", "Opens a new issue.", {{"title", text}, {"body", text}}),
          tool("listIssues", "Lists the open issues of a repository.", {{"owner", text}}),
          tool("merge_pull_request", "Merges a pull request.", {{"number", {{"type", "integer"}}}}),
          tool("get_weather", "Returns the weather of a city.", {{"city", text}})};
}

}  // namespace

TEST_CASE("tool finder: the tools that fit best come first, by words of any form") {
  struct Row {
    const char* query;
    std::vector<std::string> first;
  };
  const Row rows[] = {
      {"create issue", {"forge_create_issue", "forge_listIssues"}},
      {"list issues", {"forge_listIssues", "forge_create_issue"}},
      {"Pull Requests", {"forge_merge_pull_request"}},
      {"city", {"forge_get_weather"}},
      {"forge.get_weather", {"forge_get_weather"}},
      {"open", {"forge_create_issue", "forge_listIssues"}},
  };
  CommandBench bench(mcp::make_tool_finder(forge_tools(), {}));
  std::vector<std::string> left_out;
  std::vector<Manifest> tools = forge_tools();
  const Manifest manifest = mcp::finder_manifest(tools, {}, left_out);
  CHECK(left_out.empty());
  CHECK(tools.size() == 4);
  CHECK(manifest.description.ends_with("They come from: forge (4 tools)"));
  CHECK(manifest.find("read") == nullptr);  // there are no resources
  // Without grounding, the grammar has this form for all tools.
  const Json any = {{"action", "call"}, {"tool", "x"}, {"arguments", {{"a", {1, 2}}}}};
  CHECK_FALSE(validate(manifest.find("call")->schema, any).has_value());
  for (const Row& row : rows) {
    CAPTURE(std::string(row.query));
    const ToolResult result = bench.run("find", to_line({{"query", row.query}}));
    CHECK(result.ok);
    CHECK(result.pinned);
    REQUIRE(result.found.size() >= row.first.size());
    for (std::size_t i = 0; i < row.first.size(); ++i) CHECK(result.found[i] == row.first[i]);
    CHECK(result.text.starts_with("## " + row.first[0] + "\n"));
  }
  const ToolResult none = bench.run("find", R"({"query": "xyzzy"})");
  CHECK_FALSE(none.ok);
  CHECK(none.found.empty());
  CHECK(
      none.text.ends_with("forge_create_issue, forge_listIssues, forge_merge_pull_request, "
                          "forge_get_weather"));
}

TEST_CASE("tool finder: its results are bounded") {
  std::vector<Manifest> tools;
  for (int i = 0; i < 1000; ++i) {
    tools.push_back(tool("t" + std::to_string(i), "Does a thing. " + std::string(900, 'x'),
                         {{"a", {{"type", "string"}, {"description", std::string(290, 'y')}}}}));
  }
  CommandBench bench(mcp::make_tool_finder(tools, {}));
  const ToolResult found = bench.run("find", R"({"query": "thing"})");
  CHECK(found.found.size() == 5);
  CHECK(found.text.size() <= 12u << 10);
  const ToolResult none = bench.run("find", R"({"query": "xyzzy"})");
  CHECK(none.text.size() < 1200);
  CHECK(none.text.ends_with("forge_t99, and others"));
}

}  // namespace pedro
