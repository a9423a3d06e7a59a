#pragma once

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <utility>

#include "tools/registry.h"

namespace pedro {

/// A tool whose calls return an empty result.
class EmptyTool : public Tool {
 public:
  explicit EmptyTool(std::string name) : name_(std::move(name)) {}
  std::string_view name() const override { return name_; }
  Result<ToolResult> run(const ActionManifest&, const Json&, ToolContext&) override {
    return ToolResult{};
  }

 private:
  std::string name_;
};

/// Adds the tool "mcp" with the actions "find" and "call", which calls the tools "x_tree" and
/// "x_other". Their schema refers to itself.
inline void add_forwarding_tool(Registry& registry) {
  const Json parameters = *parse_json(R"({
      "type": "object", "properties": {"root": {"$ref": "#/$defs/node"}}, "required": ["root"],
      "additionalProperties": false, "$defs": {"node": {"type": "object",
        "properties": {"next": {"$ref": "#/$defs/node"}}, "additionalProperties": false}}})");
  Manifest manifest = *parse_manifest("mcp.json", R"({"name": "mcp", "produces": ["text"],
      "actions": [
        {"name": "find", "about": "Find.", "permission": "read",
         "parameters": {"query": {"type": "string"}}, "required": ["query"]},
        {"name": "call", "about": "Call.", "permission": "network",
         "parameters": {"tool": {"type": "string"}, "arguments": {"type": "object"}},
         "required": ["tool", "arguments"]}]})",
                                      "More tools.");
  for (const char* name : {"x_tree", "x_other"}) {
    manifest.actions[1].targets.push_back(*target_for(name, parameters));
    Manifest target;
    target.name = name;
    target.description = "A tool.";
    target.server_tool = std::string("x.") + (name + 2);
    target.actions.emplace_back();
    target.actions[0].schema_json = parameters;
    target.actions[0].schema = *parse_schema(parameters);
    REQUIRE(registry.add(std::move(target), std::make_unique<EmptyTool>(name)));
  }
  REQUIRE(registry.add(std::move(manifest), std::make_unique<EmptyTool>("mcp")));
}

}  // namespace pedro
