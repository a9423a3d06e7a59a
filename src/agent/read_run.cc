#include "agent/read_run.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "agent/places.h"
#include "agent/project_summary.h"
#include "agent/shown_files.h"
#include "base/json.h"
#include "base/text.h"
#include "base/utf8.h"

namespace pedro {
namespace {

constexpr std::size_t kShortBytes = 100;

std::string plain(const Json& value) {
  return value.is_string() ? std::string(trim(value.get<std::string>())) : to_line(value);
}

bool is_short(const Json& value) {
  if (value.is_structured()) return false;
  const std::string text = plain(value);
  return text.size() <= kShortBytes && text.find('\n') == std::string::npos;
}

// Formats an entry of a list. An object's place precedes its other members.
std::string entry_text(const Json& value) {
  if (!value.is_object()) return plain(value);
  std::string text;
  if (member(value, "file").is_string()) {
    text = to_string(NamedPlace{text_of(value, "file"), number_of(value, "line")}) + ": ";
  }
  std::vector<std::string> rest;
  for (const auto& [name, inner] : value.items()) {
    if (name == "file" || name == "line") continue;
    rest.push_back(value.size() > 3 ? fmt::format("{}: {}", name, plain(inner)) : plain(inner));
  }
  return text + join(rest, value.size() > 3 ? "; " : " - ");
}

std::string section(const Json& value) {
  if (!value.is_array()) return plain(value) + "\n";
  std::string text;
  for (const Json& one : value) text += fmt::format("- {}\n", entry_text(one));
  return text.empty() ? "(none)\n" : text;
}

// Formats a phase's output as Markdown: one line per short value ("severity: high"), one section
// per long text or list. An object in a list begins with its place ("src/a.cc:12") if it has one.
std::string output_text(const Json& output) {
  if (!output.is_object()) return section(output);
  std::string head;
  std::string sections;
  for (const auto& [name, value] : output.items()) {
    const std::string title = replace_all(name, "_", " ");
    if (is_short(value)) {
      head += fmt::format("{}: {}\n", title, plain(value));
    } else {
      sections += fmt::format("\n## {}\n\n{}", title, section(value));
    }
  }
  return head + sections;
}

}  // namespace

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
