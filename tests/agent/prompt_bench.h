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

/// A model that is never asked.
struct Unasked : Model {
  Result<ModelInfo> open() override { return ModelInfo{}; }
  Result<Reply> generate(const GenerateRequest&) override {
    return Error{ErrorKind::kInternal, "never asked"};
  }
  void begin_anew() override {}
};

/// Says a short text for everything that is asked of it.
struct AnyPlace : Workplace {
  Result<std::string> value(const std::string& variable, const PhaseItem&) override {
    return "(" + variable + ")";
  }
  Result<std::optional<std::string>> refusal(const Phase&, const PhaseItem&, const Json&) override {
    return std::optional<std::string>();
  }
};

/// Prompts of all agents that come with the program, without a model.
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

  /// Of an agent that loads: gives `look` each phase and its first prompt, with short words in the
  /// place of what is not known yet.
  void each_prompt(const Workflow& workflow,
                   const std::function<void(const Phase&, const std::vector<ChatMessage>&)>& look) {
    const ExecutorParts parts{model,    info,  registry, tools,  feedback,
                              observer, trace, cancel,   answers};
    Executor executor(parts, {});
    WorkflowRun run(workflow, {"Title", "Task"}, Bodies::kAuto, place, executor, parts);
    for (const Phase& phase : workflow.phases) {
      if (phase.answers) continue;  // its prompt is that of a try
      const auto prompt = run.first_prompt(phase, {"thing", 1, 2});
      REQUIRE(prompt.ok());
      look(phase, *prompt);
    }
  }
};

}  // namespace pedro
