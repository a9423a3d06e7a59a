#include "llama/build_phases.h"

#include <utility>

#include "prompts/prompt_library.h"
#include "sys/file_system.h"

namespace pedro {

BuildPhases::BuildPhases(Loaded loaded) : loaded_(std::make_unique<Loaded>(std::move(loaded))) {
  for (const Phase& phase : loaded_->workflow.phases) {
    tools_.emplace_back(loaded_->registry, phase, loaded_->feedback, ToolStyle::kDescribed);
  }
}

Result<BuildPhases> BuildPhases::load() {
  const RealFileSystem files;
  auto registry = Registry::open(files, "");
  if (!registry) return registry.error();
  const auto library = PromptLibrary::open(files, "");
  if (!library) return library.error();
  auto workflow = load_workflow(*library, *registry, "build");
  if (!workflow) return workflow.error();
  std::erase_if(workflow->phases, [](const Phase& phase) { return phase.answers; });
  auto feedback = Feedback::load(*library);
  if (!feedback) return feedback.error();
  return BuildPhases(Loaded{*std::move(registry), *std::move(workflow), *std::move(feedback)});
}

std::string BuildPhases::grammar(std::size_t phase) const {
  return print(tool_call_grammar(tools_[phase].calls()));
}

std::string BuildPhases::check_reply(std::size_t phase, const std::string& reply) const {
  const auto json = parse_json(reply);
  if (!json) return json.error().message;
  ToolCall call;
  call.tool = text_of(*json, "tool");
  call.args = member(*json, "args");
  if (call.tool == kPhaseComplete) return tools_[phase].check_finish(call.args).problem;
  return tools_[phase].check_call(call).problem;
}

}  // namespace pedro
