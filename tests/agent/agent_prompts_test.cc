// The prompts of all agents that come with the program.
#include <doctest/doctest.h>

#include "agent/agent_terms.h"
#include "agent/feedback.h"
#include "agent/silent_observer.h"
#include "agent/tool_set.h"
#include "agent/tool_world.h"
#include "agent/workflow_run.h"

namespace pedro {
namespace {

struct Unasked : Model {
  Result<ModelInfo> open() override { return ModelInfo{}; }
  Result<Reply> generate(const GenerateRequest&) override {
    return Error{ErrorKind::kInternal, "never asked"};
  }
  void begin_anew() override {}
};

// Says a short text for everything that is asked of it.
struct AnyPlace : Workplace {
  Result<std::string> value(const std::string& variable, const PhaseItem&) override {
    return "(" + variable + ")";
  }
  Result<std::optional<std::string>> refusal(const Phase&, const PhaseItem&, const Json&) override {
    return std::optional<std::string>();
  }
};

struct Bench : ToolWorld {
  FakeClock clock;
  Trace trace;
  SilentObserver observer;
  Unasked model;
  ModelInfo info{"m", "test", 8000, true};
  Registry registry = std::move(*Registry::open(files, ""));
  PromptLibrary library = *PromptLibrary::open(files, "");
  Feedback feedback = *Feedback::load(library);
};

// A prompt has about so many tokens: three and a half bytes each, as English has them.
std::size_t tokens_of(const std::vector<ChatMessage>& messages) {
  std::size_t bytes = 0;
  for (const ChatMessage& message : messages) bytes += text_of(message).size();
  return bytes * 2 / 7;
}

}  // namespace

TEST_CASE("prompts: every agent loads; no first prompt of a phase is long") {
  Bench bench;
  const std::vector<std::string> agents = agent_names(bench.library);
  CHECK(agents == std::vector<std::string>{"blog", "build", "debug", "review", "triage"});
  for (const std::string& agent : agents) {
    CAPTURE(agent);
    const auto workflow = load_workflow(bench.library, bench.registry, agent);
    const std::string problem = workflow.ok() ? "" : workflow.error().message;
    REQUIRE_MESSAGE(workflow.ok(), problem);
    const ExecutorParts parts{bench.model, bench.info,     bench.registry,
                              bench.tools, bench.feedback, bench.observer,
                              bench.trace, bench.clock,    bench.cancel};
    Executor executor(parts, {});
    AnyPlace place;
    WorkflowRun run(*workflow, {"Title", "Task"}, Bodies::kAuto, place, executor, parts);
    const std::size_t most = agent == "blog" ? 1500 : 2500;
    for (const Phase& phase : workflow->phases) {
      const auto prompt = run.first_prompt(phase, {"thing", 1, 2});
      REQUIRE(prompt.ok());
      const std::size_t tokens = tokens_of(*prompt);
      MESSAGE(agent, " ", phase.name, ": about ", tokens, " tokens");
      CHECK(tokens > 100);
      CHECK(tokens <= most);
      CHECK(text_of(prompt->back()).find("{{") == std::string::npos);
      CHECK(text_of(prompt->back()).find("phase_complete") != std::string::npos);
    }
  }
}

TEST_CASE("prompts: every file of an agent is used") {
  Bench bench;
  for (const std::string& agent : agent_names(bench.library)) {
    std::string all;
    for (const std::string& file : bench.library.list(agent)) {
      if (file.ends_with(".md")) all += *bench.library.read(file);
    }
    for (const std::string& file : bench.library.list(agent)) {
      CAPTURE(file);
      const bool schema = file.ends_with(".schema.json");
      if (schema) CHECK(all.find("output: " + file + "\n") != std::string::npos);
      CHECK((schema || file.ends_with(".md")));
    }
  }
}

TEST_CASE("prompts: agents that only read have nothing that changes something") {
  Bench bench;
  for (const char* agent : {"review", "triage", "blog"}) {
    CAPTURE(agent);
    CHECK_FALSE(writes(*load_workflow(bench.library, bench.registry, agent)));
  }
  for (const char* agent : {"build", "debug"}) {
    CAPTURE(agent);
    CHECK(writes(*load_workflow(bench.library, bench.registry, agent)));
  }
}

TEST_CASE("prompts: what an agent cannot have is an error with its place") {
  struct Row {
    const char* name;
    const char* front;
    const char* body;
    const char* expected;
  };
  for (const Row& row : {
           Row{"a variable of other agents", "", "{{diff}}", "unknown variable 'diff'"},
           Row{"evidence of other agents", "evidence: checks\n", "x",
               "evidence: 'checks' is nothing that this agent can show"},
           Row{"a list that is none", "for_each: a.things\n", "{{item}}",
               "for_each: expected PHASE.MEMBER"},
           Row{"an item without for_each", "", "{{item}}", "unknown variable 'item'"},
           Row{"an unknown tool", "tools: serach\n", "x", "unknown tool 'serach'"},
       }) {
    CAPTURE(row.name);
    Bench bench;
    bench.folder.write("agents/own/system.md", "{{calls}}");
    bench.folder.write("agents/own/x.schema.json", R"({"type":"object","properties":{}})");
    bench.folder.write("agents/own/1-a.md", std::string("---\noutput: own/x.schema.json\n") +
                                                row.front + "---\n" + row.body + "\n");
    const auto library = PromptLibrary::open(bench.files, "", bench.folder.at("agents"));
    REQUIRE(library.ok());
    const auto workflow = load_workflow(*library, bench.registry, "own");
    REQUIRE_FALSE(workflow.ok());
    CHECK_MESSAGE(workflow.error().message.find(row.expected) != std::string::npos,
                  workflow.error().message);
    CHECK(workflow.error().message.find("1-a.md") != std::string::npos);
  }
}

}  // namespace pedro
