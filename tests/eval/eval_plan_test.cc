#include "eval/eval_plan.h"

#include <doctest/doctest.h>

#include "agent/feedback.h"
#include "eval/eval_run.h"
#include "json_schema/validate.h"
#include "prompts/prompt_library.h"
#include "sys/file_system.h"
#include "tools/registry.h"

namespace pedro {
namespace {

struct Agent {
  static Agent load() {
    RealFileSystem files;
    auto registry = Registry::open(files, "");
    auto library = PromptLibrary::open(files, "");
    REQUIRE((registry.ok() && library.ok()));
    auto workflow = load_workflow(*library, *registry, "build");
    auto feedback = Feedback::load(*library);
    REQUIRE((workflow.ok() && feedback.ok()));
    return {*std::move(registry), *std::move(workflow), *std::move(feedback)};
  }
  Registry registry;
  Workflow workflow;
  Feedback feedback;
};

EvalCalls calls_of(const Agent& agent, bool flat, bool has_tools, int max_text = 0) {
  EvalConfiguration configuration;
  configuration.flat_names = flat;
  ModelInfo model;
  model.has_tools = has_tools;
  auto calls = EvalCalls::make(agent.registry, agent.workflow, agent.feedback, configuration, model,
                               max_text);
  REQUIRE_MESSAGE(calls.ok(), calls.error().message);
  return *std::move(calls);
}

}  // namespace

TEST_CASE("eval plan: the built-in plan is complete, and its expected calls are possible") {
  const auto plan = read_eval_plan("toolcalls.json", builtin_eval_plan());
  REQUIRE_MESSAGE(plan.ok(), plan.error().message);
  CHECK(plan->configurations.size() >= 12);
  CHECK(plan->tasks.size() >= 20);
  const Agent agent = Agent::load();
  const EvalCalls calls = calls_of(agent, false, false);
  std::set<std::string> phases;
  for (const EvalTask& task : plan->tasks) {
    CAPTURE(task.name);
    phases.insert(task.phase);
    const auto offered = calls.of_phase(task.phase);
    REQUIRE_FALSE(offered.empty());
    for (const auto& expected : task.expect) {
      const auto found = std::find_if(offered.begin(), offered.end(), [&](const CallBranch& call) {
        return call.tool == expected.tool && call.action == text_of(expected.args, "action");
      });
      REQUIRE(found != offered.end());
      const Json& properties = member(*found->args_json, "properties");
      for (const auto& [name, value] : expected.args.items()) CHECK(properties.contains(name));
    }
  }
  CHECK(phases.size() >= 4);
}

TEST_CASE("eval plan: errors name the place and the valid names") {
  const std::string tasks =
      R"("tasks":[{"name":"t","phase":"plan","prompt":"p","expect":[{"tool":"f"}]}])";
  struct Row {
    std::string text;
    const char* message;
  };
  for (
      const Row& row : {
          Row{"{", "p: 1:2: syntax error"},
          Row{"{}", "p: configurations: expected a list of 1 to 64"},
          Row{R"({"task":[]})", "p: unknown key 'task' (did you mean 'tasks'?); there are: "},
          Row{R"({"configurations":[{"mode":"grammar"}],)" + tasks + "}",
              "p: configurations[0]: name: expected a string"},
          Row{R"({"configurations":[{"name":"a","mode":"x"}],)" + tasks + "}",
              "p: configurations[0]: mode: expected one of unconstrained, grammar, schema, hybrid"},
          Row{R"({"configurations":[{"name":"a","logit_bias":{"x":15}}],)" + tasks + "}",
              "p: configurations[0]: logit_bias: 'x': "},
          Row{R"({"configurations":[{"name":"a"},{"name":"a"}],)" + tasks + "}",
              "p: configurations[1]: duplicate 'a'"},
          Row{R"({"configurations":[{"name":"a"}],"tasks":[{"name":"t","phase":"x","prompt":"p"}]})",
              "p: tasks[0]: expect: expected a list of correct calls"},
      }) {
    const auto plan = read_eval_plan("p", row.text);
    REQUIRE_FALSE(plan.ok());
    CHECK_MESSAGE(plan.error().message.starts_with(row.message), plan.error().message);
  }
}

TEST_CASE("eval calls: flat names have their actions in them and nowhere else") {
  const Agent agent = Agent::load();
  for (const bool has_tools : {false, true}) {
    CAPTURE(has_tools);
    const EvalCalls flat = calls_of(agent, true, has_tools, 24);
    const EvalCalls plain = calls_of(agent, false, has_tools);
    for (const std::string& phase : flat.phases()) {
      CHECK(flat.of_phase(phase).size() == plain.of_phase(phase).size());
      for (const CallBranch& call : flat.of_phase(phase)) {
        CAPTURE(call.tool);
        CHECK(call.action.empty());
        CHECK_FALSE(member(*call.args_json, "properties").contains("action"));
      }
    }
    std::set<std::string> described;
    const std::string text = flat.describe("analyze", described);
    CHECK((text.find("search_grep") != std::string::npos) == !has_tools);
    CHECK(text.find("phase_complete") != std::string::npos);
    CHECK(flat.describe("analyze", described).empty());
    CHECK(flat.declared().empty() == !has_tools);
    CHECK(flat.system_prompt()->find("\"action\"") == std::string::npos);
  }
}

TEST_CASE("eval calls: texts in arguments can be kept short") {
  const Agent agent = Agent::load();
  const EvalCalls calls = calls_of(agent, false, false, 5);
  for (const CallBranch& call : calls.of_phase("analyze")) {
    if (call.action != "grep") continue;
    CHECK(validate(*call.args, {{"action", "grep"}, {"pattern", "123456"}}).has_value());
    CHECK_FALSE(validate(*call.args, {{"action", "grep"}, {"pattern", "12345"}}).has_value());
  }
}

}  // namespace pedro
