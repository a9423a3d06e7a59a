#pragma once

#include <doctest/doctest.h>

#include <functional>

#include "agent/agent_terms.h"
#include "agent/feedback.h"
#include "agent/silent_observer.h"
#include "agent/tool_set.h"
#include "agent/tool_world.h"
#include "agent/workflow_run.h"

namespace pedro {

/// A model for tests without requests.
struct Unasked : Model {
  Result<ModelInfo> open() override { return ModelInfo{}; }
  Result<Reply> generate(const GenerateRequest&) override {
    return Error{ErrorKind::kInternal, "never asked"};
  }
  void begin_anew() override {}
};

/// Returns a short text for every variable.
struct AnyPlace : Workplace {
  Result<std::string> value(const std::string& variable, const PhaseItem&) override {
    return "(" + variable + ")";
  }
  Result<std::optional<std::string>> refusal(const Phase&, const PhaseItem&, const Json&) override {
    return std::optional<std::string>();
  }
};

/// The prompts of all built-in agents, without a model.
struct PromptBench : ToolWorld {
  FakeClock clock;
  Trace trace;
  SilentObserver observer;
  Unasked model;
  ModelInfo info{"m", "test", 8000, true};
  AnyPlace place;
  Registry registry = std::move(*Registry::open(files, ""));
  PromptLibrary library = *PromptLibrary::open(files, "");
  AnswerLog answers;
  Feedback feedback = *Feedback::load(library);

  /// Passes each phase of an agent and its first prompt to `look`. Short texts replace unknown
  /// values.
  void each_prompt(const Workflow& workflow,
                   const std::function<void(const Phase&, const std::vector<ChatMessage>&)>& look) {
    const ExecutorParts parts{model,    info,  registry, tools,  feedback,
                              observer, trace, cancel,   answers};
    Executor executor(parts, {});
    WorkflowRun run(workflow, {"Title", "Task"}, Bodies::kAuto, place, executor, parts);
    for (const Phase& phase : workflow.phases) {
      if (phase.answers) continue;  // each try of the phase has its own prompt
      const auto prompt = run.first_prompt(phase, {"thing", 1, 2});
      REQUIRE(prompt.ok());
      look(phase, *prompt);
    }
  }
};

}  // namespace pedro
