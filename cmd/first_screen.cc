#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>

#include "base/text.h"
#include "base/utf8.h"
#include "command.h"
#include "seen_server.h"
#include "server_program.h"
#include "tools/project_checks.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxSeenJobs = 50;  // that are looked at
constexpr std::size_t kMaxShownTaskBytes = 60;

// A command to type, and its purpose.
struct TypedCommand {
  std::string line;
  std::string what;
};

std::string checks_in(CommandContext& context, const LoadedConfig& config) {
  std::vector<std::string> commands = config.config.checks;
  const Result<std::string> folder = work_folder(context, config, "");
  if (commands.empty() && folder) {
    const Result<WorkTree> tree = WorkTree::open(context.files, *folder);
    if (!tree) return tree.error().message;
    for (const Check& check : detect_checks(*tree)) commands.push_back(check.command);
  }
  if (commands.empty()) return "none found; name one with -test-cmd, or no result is verified";
  return join(commands, ", ") + " (not run now)";
}

// Returns the newest job of this project that is not done; one without an id if there is none.
JobSummary open_job(const CommandContext& context, const std::string& project) {
  const Result<JobStore> store = open_job_store(context);
  if (!store) return {};
  const Result<std::vector<JobSummary>> jobs = store->list(kMaxSeenJobs, project);
  if (!jobs) return {};
  const auto is_open = [](const JobSummary& job) {
    return job.state != JobState::kDone && job.state != JobState::kFailed;
  };
  const auto first = std::find_if(jobs->begin(), jobs->end(), is_open);
  return first == jobs->end() ? JobSummary() : *first;
}

std::string model_line(const SeenServer& server) {
  if (server.model.empty()) return "";
  if (server.window_tokens == 0) return server.model;
  return fmt::format("{}, window {} tokens", server.model, server.window_tokens);
}

TypedCommand first_step(const CommandContext& context, bool has_server) {
  if (has_server) return {"pedrocli doctor", "examine server, model, sandbox and checks"};
  const ServeAdvice advice = serve_advice(context);
  return {advice.command, advice.what};
}

TypedCommand job_step(const JobSummary& job) {
  if (job.id.empty()) return {"pedrocli ask \"Where is ...?\"", "ask about the project"};
  const std::string id = job.id.substr(job.id.size() - std::min<std::size_t>(4, job.id.size()));
  const bool runs = job.state == JobState::kRunning;
  return {fmt::format("pedrocli {} {}", runs ? "logs -f" : "resume", id),
          runs ? "follow that job" : "continue that job"};
}

std::string facts_text(const std::vector<std::pair<std::string_view, std::string>>& facts) {
  std::string text;
  for (const auto& [name, value] : facts) {
    if (!value.empty()) text += fmt::format("  {:<8} {}\n", name, make_printable(value));
  }
  return text;
}

std::string steps_text(const std::array<TypedCommand, 3>& steps) {
  std::size_t width = 0;
  for (const TypedCommand& step : steps) width = std::max(width, step.line.size());
  std::string text = "\nType next:\n";
  for (const TypedCommand& step : steps) {
    text += fmt::format("  {:<{}}  {}\n", make_printable(step.line), width, step.what);
  }
  return text + "\n`pedrocli help` lists all commands.\n";
}

}  // namespace

int show_first_screen(CommandContext& context) {
  const Result<LoadedConfig> config = load_project_config(context);
  if (!config) return report_error(config.error(), context.cancel);
  const std::string& project = config->project_folder;
  const SeenServer server = see_server(context, *config);
  const std::string place = server.answers         ? server.place
                            : server.place.empty() ? "none answers on this machine"
                                                   : server.place + " does not answer";
  print("pedrocli " PEDROCLI_VERSION
        " works on tasks in a git repository with a local model, and runs the checks itself.\n\n");
  if (context.files.info(join_path(project, ".git")).kind == FileKind::kMissing) {
    print(facts_text({{"project", "none: this folder is in no git repository"},
                      {"server", place},
                      {"model", model_line(server)}}));
    print(steps_text(
        {TypedCommand{"cd PROJECT && pedrocli", "see the server, the model and the checks"},
         first_step(context, server.answers),
         TypedCommand{"pedrocli build -help", "read how to give it a task"}}));
    return kExitDone;
  }
  const JobSummary job = open_job(context, project);
  const std::string job_text = job.id.empty()
                                   ? ""
                                   : fmt::format("{} {}: {}", job.id, to_string(job.state),
                                                 truncate_utf8(job.task, kMaxShownTaskBytes));
  print(facts_text({{"project", project},
                    {"server", place},
                    {"model", model_line(server)},
                    {"checks", checks_in(context, *config)},
                    {"open job", job_text}}));
  print(steps_text({first_step(context, server.answers), job_step(job),
                    TypedCommand{"pedrocli build -description \"...\"", "work on a task"}}));
  return kExitDone;
}

}  // namespace pedro
