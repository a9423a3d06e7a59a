#include "agent/read_run.h"

#include <fmt/format.h>

#include "agent/kept_task_files.h"
#include "agent/output_text.h"
#include "agent/places.h"
#include "agent/project_summary.h"
#include "base/utf8.h"

namespace pedro {

void ReadPlace::use(Executor& executor, const ExecutorParts& parts) {
  executor_ = &executor;
  parts_ = &parts;
}

void ReadPlace::take_up(const std::string& message) {
  task_ = message;
  if (shown_) earlier_.insert(shown_->whole.begin(), shown_->whole.end());
  shown_.reset();
}

// Selects the files once. Those that are complete count as read.
Result<std::string> ReadPlace::files() {
  if (!shown_) {
    const TaskClues clues{task_, ""};
    PEDRO_TRY(std::vector<TaskFile> files, kept_task_files(*parts_, clues));
    std::erase_if(files, [&](const TaskFile& file) { return earlier_.contains(file.path); });
    shown_ = show_files(files, clues, file_tokens(parts_->model_info, files_share_),
                        [&](std::string_view text) { return parts_->model.count_text(text); });
  }
  for (const std::string& path : shown_->whole) executor_->show_file(path);
  return shown_->text;
}

Result<std::string> ReadPlace::value(const std::string& variable, const PhaseItem&) {
  if (variable == "files") return files();
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
