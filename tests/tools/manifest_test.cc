#include "tools/manifest.h"

#include <doctest/doctest.h>

#include <optional>

#include "gbnf/match.h"
#include "json_schema/validate.h"
#include "schema_to_gbnf/tool_calls.h"
#include "sys/file_system.h"
#include "tools/registry.h"

namespace pedro {
namespace {

constexpr const char* kManifest = R"({
  "name": "probe",
  "permission": "read",
  "timeout_s": 7,
  "max_output_bytes": 999,
  "actions": [
    {
      "name": "look",
      "about": "Look at it.",
      "parameters": {
        "path": {"type": "string", "minLength": 1, "maxLength": 400},
        "names": {"type": "array", "items": {"type": "string"}, "description": "of files"},
        "depth": {"type": "integer", "minimum": 1}
      },
      "required": ["path"],
      "examples": [{"action": "look", "path": "a", "depth": 2}],
      "rejects": [{"action": "look"}]
    },
    {
      "name": "touch",
      "about": "Touch it.",
      "permission": "write",
      "parameters": {"how": {"enum": ["soft", "hard"]}}
    }
  ]
})";

std::string render(const std::string& tool, const Json& args) {
  return "{\"tool\": \"" + tool + "\", \"args\": " + to_spaced_line(args) + "}";
}

// The grammar of a reply in a phase that offers all tools.
Gbnf grammar_of_all(const Registry& registry, std::vector<Loosened>& loosened) {
  std::vector<CallBranch> branches;
  for (const Manifest& manifest : registry.manifests()) {
    for (const ActionManifest& action : manifest.actions) {
      branches.push_back({manifest.name, action.name, &action.schema});
    }
  }
  return tool_call_grammar(branches, {}, &loosened);
}

bool accepts(const Gbnf& grammar, const std::string& text) {
  const auto matched = matches(grammar, text);
  REQUIRE_MESSAGE(matched.ok(), text);
  return *matched;
}

}  // namespace

TEST_CASE("manifest: parses to schemas with the action first") {
  const auto manifest = parse_manifest("probe.json", kManifest, "Probes things.\n");
  REQUIRE_MESSAGE(manifest.ok(), (manifest.ok() ? "" : manifest.error().message));
  CHECK(manifest->name == "probe");
  CHECK(manifest->timeout_s == 7);
  CHECK(manifest->max_output_bytes == 999);
  REQUIRE(manifest->actions.size() == 2);
  const ActionManifest& look = manifest->actions[0];
  CHECK(look.permission == Permission::kRead);
  CHECK(manifest->actions[1].permission == Permission::kWrite);
  CHECK(to_line(look.schema_json) ==
        R"({"type":"object","properties":{"action":{"const":"look"},)"
        R"("path":{"type":"string","minLength":1,"maxLength":400},)"
        R"("names":{"type":"array","items":{"type":"string"},"description":"of files"},)"
        R"("depth":{"type":"integer","minimum":1}},)"
        R"("required":["action","path"],"additionalProperties":false})");
  CHECK(!validate(look.schema, Json{{"action", "look"}, {"path", "x"}}));
  CHECK(validate(look.schema, Json{{"action", "touch"}, {"path", "x"}}));
  CHECK(manifest->find("touch") == &manifest->actions[1]);
  CHECK(manifest->find("tuch") == nullptr);
}

TEST_CASE("manifest: the prompt teaches it in a line per action") {
  const auto manifest = parse_manifest("probe.json", kManifest, "Probes things.\n");
  REQUIRE(manifest.ok());
  CHECK(describe(*manifest) ==
        "## probe\n"
        "Probes things.\n"
        "- look {\"path\": str, \"names\"?: [str] (of files), \"depth\"?: int}: Look at it.\n"
        "- touch {\"how\"?: \"soft\"|\"hard\"}: Touch it.\n");
}

TEST_CASE("manifest: errors name the fault and its location") {
  struct Row {
    const char* name;
    const char* from;  // a text in kManifest
    const char* to;
    const char* error;
  };
  const Row rows[] = {
      {"no JSON", "\"name\": \"probe\",", "\"name\" \"probe\",",
       "p.json:2:16: syntax error while parsing object separator - unexpected string literal; "
       "expected ':'"},
      {"an unknown key", "\"timeout_s\"", "\"timeout\"",
       "p.json: unknown key 'timeout' (did you mean 'timeout_s'?); known are name, permission, "
       "timeout_s, max_output_bytes, consumes, produces, actions"},
      {"an unknown kind", "\"timeout_s\"", "\"consumes\": [\"plce\"], \"timeout_s\"",
       "p.json: consumes: unknown kind 'plce' (did you mean 'place'?); known are place, text, "
       "change, note"},
      {"an unknown key in an action", "\"about\": \"Look", "\"abuot\": \"Look",
       "p.json: actions[0]: unknown key 'abuot' (did you mean 'about'?); known are name, about, "
       "permission, parameters, required, examples, rejects"},
      {"an unknown keyword of a parameter", "\"maxLength\"", "\"max_length\"",
       "p.json: actions[0] (look): /properties/path/max_length: unknown keyword (did you mean "
       "'maxLength'?)"},
      {"a bad name", "\"probe\"", "\"Probe it\"",
       "p.json: name: expected 1 to 64 lower-case letters and '_'"},
      {"a bad permission", "\"write\"", "\"wirte\"",
       "p.json: actions[1] (touch): permission: expected read, write, execute, history or "
       "network, got \"wirte\""},
      {"no permission at all", "\"permission\": \"read\",", "",
       "p.json: actions[0] (look): permission: expected read, write, execute, history or "
       "network, got nothing"},
      {"a negative limit", "999", "-1",
       "p.json: max_output_bytes: expected a number above 0, got -1"},
      {"two actions of one name", "\"touch\"", "\"look\"",
       "p.json: actions[1]: there are two actions 'look'"},
      {"a required parameter that is none", "[\"path\"]", "[\"pth\"]",
       "p.json: actions[0] (look): required: there is no parameter \"pth\""},
      {"an action among the parameters", "\"depth\":", "\"action\":",
       "p.json: actions[0] (look): parameters: 'action' is added automatically"},
      {"an example that is refused", "\"depth\": 2", "\"depth\": 0",
       "p.json: actions[0] (look): example {\"action\":\"look\",\"path\":\"a\",\"depth\":0} is "
       "refused: /depth: expected an integer >= 1, got 0"},
      {"a reject that is accepted", "[{\"action\": \"look\"}]",
       "[{\"action\": \"look\", \"path\": \"x\"}]",
       "p.json: actions[0] (look): reject {\"action\":\"look\",\"path\":\"x\"} is accepted"},
      {"nothing about it", "\"Touch it.\"", "\"\"",
       "p.json: actions[1] (touch): about: expected a sentence, got nothing"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    std::string text = kManifest;
    const std::size_t at = text.find(row.from);
    REQUIRE(at != std::string::npos);
    text.replace(at, std::string_view(row.from).size(), row.to);
    const auto manifest = parse_manifest("p.json", text, "Probes.");
    REQUIRE(!manifest.ok());
    CHECK(manifest.error().kind == ErrorKind::kConfig);
    CHECK(manifest.error().message == row.error);
  }
  const auto silent = parse_manifest("p.json", kManifest, " \n");
  REQUIRE(!silent.ok());
  CHECK(silent.error().message == "p.json: probe.md is missing or empty");
}

TEST_CASE("manifest: of every tool the grammar and the validator agree with its cases") {
  const RealFileSystem files;
  const auto registry = Registry::open(files, "");
  REQUIRE_MESSAGE(registry.ok(), (registry.ok() ? "" : registry.error().message));
  std::vector<Loosened> loosened;
  const Gbnf grammar = grammar_of_all(*registry, loosened);
  for (const Loosened& one : loosened) {
    FAIL_CHECK("the grammar cannot say " << one.pointer << " " << one.keyword);
  }
  for (const Manifest& manifest : registry->manifests()) {
    for (const ActionManifest& action : manifest.actions) {
      CAPTURE(manifest.name);
      CAPTURE(action.name);
      CHECK_MESSAGE(!action.examples.empty(), "every action needs an example");
      CHECK_MESSAGE(!action.rejects.empty(), "every action needs a reject");
      for (const Json& example : action.examples) {
        CHECK_MESSAGE(!validate(action.schema, example), to_line(example));
        CHECK_MESSAGE(accepts(grammar, render(manifest.name, example)), to_line(example));
        CHECK_MESSAGE(!accepts(grammar, render("nothing", example)), to_line(example));
      }
      for (const Json& reject : action.rejects) {
        CHECK_MESSAGE(validate(action.schema, reject).has_value(), to_line(reject));
        CHECK_MESSAGE(!accepts(grammar, render(manifest.name, reject)), to_line(reject));
      }
    }
  }
}

TEST_CASE("manifest: every text parameter of a name or pattern is bounded") {
  const RealFileSystem files;
  const auto registry = Registry::open(files, "");
  REQUIRE(registry.ok());
  for (const Manifest& manifest : registry->manifests()) {
    for (const ActionManifest& action : manifest.actions) {
      for (const auto& [name, schema] : action.schema_json["properties"].items()) {
        const bool bounded = name == "path" || name == "to" || name == "directory" ||
                             name == "pattern" || name == "file_pattern" || name == "name";
        const std::string place = manifest.name + " " + action.name + ": " + name;
        const bool has_bound = schema.contains("maxLength");
        CHECK_MESSAGE((!bounded || has_bound), place);
      }
    }
  }
}

TEST_CASE("manifest: the tools of the first phase stay cheap") {
  const RealFileSystem files;
  const auto registry = Registry::open(files, "");
  REQUIRE(registry.ok());
  std::string text;
  for (const char* name : {"search", "navigate", "file", "git", "context", "bash"}) {
    text += describe(*registry->find(name));
  }
  // 1,500 tokens: Qwen2.5 has about 3.2 bytes per token in such text.
  CHECK(text.size() < 4800);
}

}  // namespace pedro
