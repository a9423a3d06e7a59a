#include "agent/tool_set.h"

#include <doctest/doctest.h>

#include "agent/forwarding_tool.h"
#include "agent/prompt_bench.h"
#include "json_schema/validate.h"

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
           Row{"file", R"({"start_line":1})", R"(file needs an "action", first in its args: read)"},
           Row{"bash", R"({"command":"ls"})",
               "does not allow bash run: not before phase implement; to get there, finish"},
           Row{"file", R"({"path":"a","old":"b","new":"c"})",
               "does not allow file replace: not before phase implement; to get there, finish"},
       }) {
    CAPTURE(row.args);
    const std::string told = tools.check_call({"", row.tool, *parse_json(row.args)}).problem;
    CHECK_MESSAGE(told.find(row.told) != std::string::npos, told);
  }
}

TEST_CASE("tool set: a phase calls only the tools that it offers, through `mcp` or directly") {
  PromptBench bench;
  add_forwarding_tool(bench.registry);
  Phase phase;
  phase.name = "look";
  phase.tools = {"mcp"};
  phase.offered = {"x_tree"};
  const ToolSet tools(bench.registry, phase, bench.feedback, ToolStyle::kDeclared);
  struct Row {
    const char* tool;
    const char* args;
    const char* problem;  // a part of it; "": none
  };
  for (const Row& row : {
           Row{"mcp", R"({"action":"find","query":"trees"})", ""},  // needs no `allow`
           Row{"mcp", R"({"action":"call","tool":"x_tree","arguments":{"root":{}}})", ""},
           Row{"x_tree", R"({"root":{"next":{}}})", ""},
           Row{"mcp", R"({"action":"call","tool":"x_other","arguments":{"root":{}}})",
               "This phase has no tool \"x_other\""},
           Row{"x_other", R"({"root":{}})", "This phase has no tool \"x_other\""},
           Row{"mcp", R"({"action":"call","tool":"x_tre","arguments":{"root":{}}})",
               "there is no tool 'x_tre' (did you mean 'x_tree'?)"},
           Row{"mcp", R"({"action":"call","tool":"x_tree","arguments":{"root":{"next":3}}})",
               "It is called as call {\"tool\": \"x_tree\", \"arguments\": {"},
       }) {
    CAPTURE(row.args);
    const std::string problem = tools.check_call({"", row.tool, *parse_json(row.args)}).problem;
    CHECK(problem.empty() == (*row.problem == '\0'));
    CHECK_MESSAGE(problem.find(row.problem) != std::string::npos, problem);
  }
  const ToolCall forwarded = bench.registry.resolved(
      {"7", "mcp", *parse_json(R"({"action":"call","tool":"x_tree","arguments":{"root":{}}})")});
  CHECK(forwarded.id == "7");
  CHECK(forwarded.tool == "x_tree");
  CHECK(to_line(forwarded.args) == R"({"root":{}})");
}

TEST_CASE("tool set: a missing action is the one that the arguments imply") {
  PromptBench bench;
  const auto workflow = load_workflow(bench.library, bench.registry, "build");
  REQUIRE(workflow.ok());
  const ToolSet tools(bench.registry, phase_of(*workflow, "implement"), bench.feedback,
                      ToolStyle::kDeclared, Bodies::kJson, &*workflow);
  const std::string replaced = R"({"action":"replace","path":"a","old":"b","new":"c"})";
  struct Row {
    const char* tool;
    const char* args;
    std::string meant;
    const char* repair;
  };
  for (const Row& row : {
           Row{"bash", R"({"command":"ls"})", R"({"action":"run","command":"ls"})",
               "'action' is added: run"},
           Row{"file", R"({"path":"a","old":"b","new":"c"})", replaced,
               "'action' is added: replace"},
           Row{"file", R"({"action":null,"path":"a","old":"b","new":"c"})", replaced,
               "'action' is added: replace"},
           Row{"file", R"({"command":"replace","path":"a","old":"b","new":"c"})", replaced,
               "'action' from 'command'"},
           Row{"file", R"({"operation":"read","path":"a"})", R"({"action":"read","path":"a"})",
               "'action' from 'operation'"},
           Row{"file", R"({"arguments":{"action":"replace","path":"a","old":"b","new":"c"}})",
               replaced, "taken out of 'arguments'"},
           Row{"file", R"({"name":"file","args":{"action":"read","path":"a"}})",
               R"({"action":"read","path":"a"})", "taken out of 'args'"},
           Row{"file", R"({"action":"read","parameters":"{\"path\": \"a\"}"})",
               R"({"path":"a","action":"read"})", "taken out of 'parameters'"},
       }) {
    CAPTURE(row.args);
    const CheckedArgs checked = tools.check_call({"", row.tool, *parse_json(row.args)});
    CHECK(checked.problem == "");
    CHECK(to_line(checked.args) == row.meant);
    CHECK(checked.repairs == std::vector<std::string>{row.repair});
  }
  for (const char* args :
       {R"({"path":"a"})", R"({"path":"a","content":"b"})", "{}", R"({"old":"b","new":"c"})"}) {
    CAPTURE(args);
    const std::string problem = tools.check_call({"", "file", *parse_json(args)}).problem;
    CHECK_MESSAGE(problem.starts_with(R"(file needs an "action", first in its args: read, )"),
                  problem);
  }
}

TEST_CASE("tool set: an end inside of arguments is unwrapped") {
  PromptBench bench;
  const auto workflow = load_workflow(bench.library, bench.registry, "build");
  REQUIRE(workflow.ok());
  const ToolSet tools(bench.registry, phase_of(*workflow, "deliver"), bench.feedback,
                      ToolStyle::kDeclared);
  const std::string end = R"({"subject":"Say good","body":"As asked."})";
  for (const std::string& args :
       {R"({"arguments":)" + end + "}", R"({"name":"phase_complete","arguments":)" + end + "}",
        R"({"arguments":)" + to_line(Json(end)) + "}"}) {
    CAPTURE(args);
    const CheckedArgs checked = tools.check_finish(*parse_json(args));
    CHECK(checked.problem == "");
    CHECK(to_line(checked.args) == end);
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
