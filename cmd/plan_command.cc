#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "agent/phase.h"
#include "agent_setup.h"
#include "base/text.h"
#include "base/utf8.h"
#include "build_start.h"
#include "command.h"
#include "job/read_journal.h"
#include "json_schema/validate.h"
#include "sys/folder_lock.h"
#include "sys/scratch_folder.h"
#include "sys/terminal.h"
#include "sys/terminal_program.h"

namespace pedro {
namespace {

constexpr const char* kPlan = "plan";
constexpr std::size_t kMaxPlanBytes = 256u << 10;

/// The plan of a job: the user's if there is one, else the model's.
struct JobPlan {
  std::string job;
  std::string folder;
  Json plan;
};

Result<JobPlan> plan_of(CommandContext& context, const JobStore& store, const std::string& given) {
  JobPlan found;
  PEDRO_TRY(found.job, choose_job(store, given));
  found.folder = store.folder(found.job);
  PEDRO_TRY(found.plan, edited_output(context.files, found.folder, kPlan));
  if (!found.plan.is_null()) return found;
  PEDRO_RETURN_IF_ERROR(
      read_journal(context.files, store.journal_path(found.job), [&](const Json& event) {
        if (text_of(event, "type") != "phase.completed" || text_of(event, "phase") != kPlan) return;
        found.plan = member(event, "output");
      }));
  if (found.plan.is_null()) {
    return usage_error(
        fmt::format("{}: has no plan; start a job with `pedrocli build -until plan`", found.job));
  }
  return found;
}

Result<int> show_plan(CommandContext& context, const std::string& given) {
  PEDRO_TRY(const JobStore store, open_job_store(context));
  PEDRO_TRY(const JobPlan found, plan_of(context, store, given));
  print((context.global.json ? to_line(found.plan) : make_printable(to_pretty(found.plan))) + "\n");
  return kExitDone;
}

// Removes lines that begin with "//".
std::string without_comments(std::string_view text) {
  std::string kept;
  for (const std::string_view line : split_lines(text)) {
    if (!trim(line).starts_with("//")) kept.append(line) += '\n';
  }
  return kept;
}

// Opens the text in the user's editor and returns it afterwards.
Result<std::string> edited_by_user(CommandContext& context, const std::string& text) {
  std::string editor = context.environment.get("VISUAL");
  if (editor.empty()) editor = context.environment.get("EDITOR");
  if (editor.empty()) editor = "vi";
  PEDRO_TRY(const ScratchFolder folder, ScratchFolder::make(context.environment.get("TMPDIR")));
  const std::string path = join_path(folder.path(), "plan.json");
  PEDRO_RETURN_IF_ERROR(context.files.write_atomic(path, text, 0600));
  // The variable may contain arguments.
  PEDRO_TRY(const int code, run_terminal_program({"sh", "-c", editor + " \"$1\"", "sh", path}));
  if (code != 0)
    return usage_error(fmt::format("{}: exit {}; the plan is unchanged", editor, code));
  return context.files.read(path, kMaxPlanBytes);
}

// Returns the schema of plans of the job's agent, with the project's overrides.
Result<Schema> schema_of_plans(CommandContext& context, const JobSummary& job) {
  PEDRO_TRY(const PromptLibrary library, open_prompts(context, job.workdir));
  PEDRO_TRY(const Registry registry, open_tools(context, job.workdir));
  PEDRO_TRY(const Workflow workflow, load_workflow(library, registry, job.agent));
  for (const Phase& phase : workflow.phases) {
    if (phase.name == kPlan) return phase.output_schema;
  }
  return usage_error(fmt::format("{}: the agent '{}' has no phase 'plan'", job.id, job.agent));
}

Result<int> edit_plan(CommandContext& context, const std::string& given) {
  PEDRO_TRY(const JobStore store, open_job_store(context));
  PEDRO_TRY(const JobPlan found, plan_of(context, store, given));
  const Result<FolderLock> lock = FolderLock::take(found.folder);
  if (!lock) {
    return usage_error(found.job + ": is running; send it a message with `pedrocli tell`");
  }
  PEDRO_TRY(const JobSummary job, store.load(found.job));
  if (job.phase != kPlan) {
    return usage_error(
        fmt::format("{}: is past its plan, in the phase '{}'; use `pedrocli resume {} "
                    "MESSAGE`",
                    job.id, job.phase, job.id));
  }
  PEDRO_TRY(const Schema schema, schema_of_plans(context, job));
  std::string text;
  if (is_terminal(StandardStream::kIn)) {
    const std::string note =
        fmt::format("// The plan of the job {}. Lines that begin with // are comments.\n", job.id);
    PEDRO_TRY(text, edited_by_user(context, note + to_pretty(found.plan) + "\n"));
  } else {
    PEDRO_TRY(TextInput input, read_input(context, "-", kMaxPlanBytes));
    text = std::move(input.text);
  }
  const Result<Json> plan = parse_json(without_comments(text));
  const auto violation = plan ? validate(schema, *plan) : std::optional<Violation>();
  if (!plan || violation) {
    const std::string kept = join_path(found.folder, "plan.rejected");
    PEDRO_RETURN_IF_ERROR(context.files.write_atomic(kept, text, 0600));
    return usage_error(fmt::format("the plan: {}; your text is in {}",
                                   plan ? to_string(*violation) : plan.error().message, kept));
  }
  PEDRO_RETURN_IF_ERROR(edit_output(context.files, found.folder, kPlan, *plan));
  print_note(context.global,
             fmt::format("{}: the plan is {}; continue with `pedrocli resume {}`", job.id,
                         *plan == found.plan ? "unchanged" : "changed", job.id));
  return kExitDone;
}

CommandFunction add_plan_part(CLI::App& command,
                              Result<int> (*run)(CommandContext&, const std::string&)) {
  auto id = std::make_shared<std::string>();
  command.add_option("job", *id, "The job's id (default: the newest job)");
  return running(run, id);
}

CommandFunction add_plan_show(CLI::App& command) {
  return add_plan_part(command, show_plan);
}

CommandFunction add_plan_edit(CLI::App& command) {
  command.footer(
      "Opens $VISUAL or $EDITOR on a terminal; otherwise reads the plan from standard input.\n"
      "The plan must fit the schema of the phase. Lines that begin with // are comments.");
  return add_plan_part(command, edit_plan);
}

}  // namespace

CommandFunction add_plan_command(CLI::App& command) {
  static constexpr CommandEntry kCommands[] = {
      {"show", "Print the plan of a job", add_plan_show},
      {"edit", "Change the plan of a job that stopped after it", add_plan_edit},
  };
  return add_commands_below(command, kCommands);
}

}  // namespace pedro
