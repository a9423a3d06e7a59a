#include "agent/tool_set.h"

#include <doctest/doctest.h>

#include "agent/prompt_bench.h"
#include "grammar/validate.h"

namespace pedro {
namespace {

const Phase& phase_of(const Workflow& workflow, std::string_view name) {
  return *std::find_if(workflow.phases.begin(), workflow.phases.end(),
                       [&](const Phase& phase) { return phase.name == name; });
}

}  // namespace

TEST_CASE("tool set: a call of a later phase is refused with that phase") {
  PromptBench bench;
  const auto workflow = load_workflow(bench.library, bench.registry, "build");
  REQUIRE(workflow.ok());
  const ToolSet tools(bench.registry, phase_of(*workflow, "analyze"), bench.feedback,
                      ToolStyle::kDeclared, Bodies::kJson, &*workflow);
  struct Row {
    const char* tool;
    const char* args;
    const char* told;
  };
  for (const Row& row : {
           Row{"bash", R"({"action":"run","command":"ls"})",
               "does not allow bash run: not before phase implement; to get there, finish"},
           Row{"file", R"({"action":"write","path":"a","content":"b"})",
               "does not allow file write: not before phase implement; to get there, finish"},
           Row{"nothing", R"({})", "This phase has no tool \"nothing\""},
           Row{"file", R"({"action":"fly"})", "file has no action 'fly'"},
       }) {
    CAPTURE(row.args);
    const std::string told = tools.check_call({"", row.tool, *parse_json(row.args)}).problem;
    CHECK_MESSAGE(told.find(row.told) != std::string::npos, told);
  }
}

TEST_CASE("tool set: the declared end has the outputs of all phases, without lengths") {
  PromptBench bench;
  const auto workflow = load_workflow(bench.library, bench.registry, "build");
  REQUIRE(workflow.ok());
  const auto end_of = [&](EndSchema end) {
    const DeclaredTool tool = declared_tools(bench.registry, *workflow, bench.feedback, end).back();
    CHECK(tool.name == kPhaseComplete);
    return *parse_json(tool.parameters);
  };
  CHECK(end_of(EndSchema::kAnyObject) == *parse_json(R"({"type":"object","properties":{}})"));
  const Json schema = end_of(EndSchema::kOutputs);
  CHECK(text_of(schema, "type") == "object");
  const auto parsed = parse_schema(schema);
  REQUIRE(parsed.ok());
  for (const char* output : {R"({"summary":"s","files":["a"]})", R"({"subject":"s","body":"b"})",
                             R"({"blocked":"there is no such file"})"}) {
    CHECK_FALSE(validate(*parsed, *parse_json(output)).has_value());
  }
  CHECK(validate(*parsed, *parse_json(R"({"anything":1})")).has_value());
  const std::string text = to_line(schema);
  CHECK(text.find("maxLength") == std::string::npos);
  CHECK(text.find("x-names") == std::string::npos);
}

}  // namespace pedro
