#pragma once

#include <string>
#include <vector>

#include "agent/executor.h"
#include "agent_job.h"
#include "agent_setup.h"
#include "chat/chat_request.h"
#include "command.h"
#include "llm/model.h"
#include "model_factory.h"
#include "progress.h"
#include "tools/checks.h"
#include "tools/note_store.h"

namespace pedro {

/// A placeholder model for dry runs, which only render prompts.
struct UnaskedModel : Model {
  Result<ModelInfo> open() override { return ModelInfo{}; }
  Result<Reply> generate(const GenerateRequest&) override {
    return Error{ErrorKind::kInternal, "a dry run does not generate"};
  }
  void begin_anew() override {}
};

/// The parts of a job that runs, writes and requests nothing. `setup`: a BuildSetup or a ReadSetup,
/// borrowed.
struct DryParts {
  template <typename Setup>
  DryParts(CommandContext& context, Setup& setup)
      : progress(make_progress(context, setup.config.config)),
        notes(context.files, ""),
        tools{setup.tree,          context.processes, context.processes,     notes,
              context.environment, context.cancel,    setup.secrets->mask(), &setup.checks},
        info(model_by_format(setup.config)),
        executor_parts{model,    info,        setup.kit.registry, tools,  setup.kit.feedback,
                       progress, setup.trace, context.cancel,     answers},
        executor(executor_parts, {}) {}
  DryParts(const DryParts&) = delete;
  DryParts& operator=(const DryParts&) = delete;

  Progress progress;
  NoteStore notes;
  ToolContext tools;
  UnaskedModel model;
  AnswerLog answers;
  ModelInfo info;
  ExecutorParts executor_parts;
  Executor executor;
};

/// The inputs of a job for the output of a dry run.
struct DryRun {
  std::string task;  ///< its title
  std::string base = {};
  std::string branch = {};
  std::vector<Check> checks = {};
};

/// Prints the plan and the first prompt: text, or one object with -json. Adds the tools if `info`
/// declares them. Base and branch apply to agents that change files. Adds the size of the prompt,
/// and its cost, if the vocabulary of model.model_name is known.
void print_dry_run(const CommandContext& context, const LoadedConfig& config, const AgentKit& kit,
                   const ModelInfo& info, const DryRun& run, std::vector<ChatMessage> first_prompt);

}  // namespace pedro
