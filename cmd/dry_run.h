#pragma once

#include <string>
#include <vector>

#include "agent_setup.h"
#include "chat/chat_request.h"
#include "command.h"
#include "llm/model.h"
#include "tools/checks.h"

namespace pedro {

/// A dry run only renders.
struct UnaskedModel : Model {
  Result<ModelInfo> open() override { return ModelInfo{}; }
  Result<Reply> generate(const GenerateRequest&) override {
    return Error{ErrorKind::kInternal, "a dry run does not generate"};
  }
  void begin_anew() override {}
};

/// What a job would begin with.
struct DryRun {
  std::string task;  ///< its title
  std::string base = {};
  std::string branch = {};
  std::vector<Check> checks = {};
};

/// Prints what would be done and the first prompt, with the tools where `info` says that they are
/// declared: text, or with -json one object. Base and branch are of agents that change files.
void print_dry_run(const CommandContext& context, const AgentKit& kit, const ModelInfo& info,
                   const DryRun& run, std::vector<ChatMessage> first_prompt);

}  // namespace pedro
