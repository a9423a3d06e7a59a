#include <doctest/doctest.h>

#include "json_schema/validate.h"
#include "sys/file_system.h"
#include "tools/registry.h"
#include "tools/signature.h"

namespace pedro {

TEST_CASE("tool declaration: the arguments of all actions fit the declaration") {
  const RealFileSystem files;
  const auto registry = Registry::open(files, "");
  REQUIRE(registry.ok());
  for (const std::string& name : registry->names()) {
    CAPTURE(name);
    const Manifest& manifest = *registry->find(name);
    const DeclaredTool tool = declare(manifest);
    CHECK(tool.name == name);
    CHECK(tool.description.starts_with(manifest.description));
    CHECK(tool.parameters.find("Length") == std::string::npos);
    const auto schema = parse_schema(*parse_json(tool.parameters));
    REQUIRE(schema.ok());
    for (const ActionManifest& action : manifest.actions) {
      CHECK(tool.description.find("\n" + action.name + "(") != std::string::npos);
      for (const Json& example : action.examples) CHECK_FALSE(validate(*schema, example));
    }
    CHECK(validate(*schema, Json::object()));
    CHECK(validate(*schema, Json{{"action", "no such action"}}));
  }
}

TEST_CASE("tool declaration: rules on which two actions differ are left out") {
  const auto manifest = parse_manifest("t.json", R"({"name": "t", "permission": "read", "actions": [
      {"name": "a", "about": "First.", "parameters": {
         "n": {"type": "integer", "minimum": 1, "description": "lines"},
         "s": {"type": "string", "minLength": 1, "maxLength": 9}},
       "required": ["s"], "examples": [{"action": "a", "s": "x"}], "rejects": [{"action": "a"}]},
      {"name": "b", "about": "Second.", "parameters": {"n": {"type": "integer", "minimum": 2}},
       "required": ["n"], "examples": [{"action": "b", "n": 2}], "rejects": [{"action": "b"}]}]})",
                                       "Does things.");
  REQUIRE_MESSAGE(manifest.ok(), manifest.error().message);
  const DeclaredTool tool = declare(*manifest);
  CHECK(tool.description == "Does things.\na(n?, s): First.\nb(n): Second.");
  CHECK(tool.parameters ==
        R"({"type":"object","properties":{"action":{"type":"string","enum":["a","b"]},)"
        R"("n":{"type":"integer"},"s":{"type":"string"}},"required":["action"]})");
}

}  // namespace pedro
