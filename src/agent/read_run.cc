#include "agent/read_run.h"

#include <fmt/format.h>

#include "agent/output_text.h"
#include "agent/places.h"
#include "agent/project_summary.h"
#include "base/utf8.h"

namespace pedro {

Result<std::string> ReadPlace::value(const std::string&, const PhaseItem&) {
  return project_summary(tree_, checks_, feedback_);
}

Result<std::optional<std::string>> ReadPlace::refusal(const Phase& phase, const PhaseItem&,
                                                      const Json& output) {
  if (phase.evidence != Evidence::kPlaces) return std::optional<std::string>();
  return refuse_places(output, tree_, feedback_);
}

std::string read_report(const Workflow& workflow, const std::string& title,
                        const WorkflowResult& result, const PhaseOutputs& outputs) {
  std::string text = fmt::format("# {}\n\n", title);
  if (result.end == WorkflowResult::End::kLimit) {
    text += fmt::format("Stopped at a limit: {}.\n\n", result.reason);
  }
  const auto output = outputs.find(workflow.phases.back().name);
  if (output != outputs.end() && !output->second.is_null()) text += output_text(output->second);
  return make_printable(text);  // printed to a terminal, with text of a model
}

}  // namespace pedro
