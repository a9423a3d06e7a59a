#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/cancel.h"
#include "base/clock.h"
#include "base/result.h"
#include "config/load.h"
#include "job/exit_code.h"
#include "job/job_store.h"
#include "options.h"
#include "sys/environment.h"
#include "sys/file_system.h"
#include "sys/process.h"

namespace CLI {
class App;
}

namespace pedro {

/// The world a command works in.
struct CommandContext {
  GlobalOptions& global;  ///< a command adds what flags of its own say
  const Environment& environment;
  RealFileSystem& files;
  RealProcessRunner& processes;
  const Clock& clock;
  CancelToken& cancel;
  /// Set by take_up_job(): the command line of the job global.resume, which is run next, and the
  /// one given now, in `more_folder`, whose flags stand above those in it.
  std::vector<std::string> job_args = {};
  std::vector<std::string> more_args = {};
  std::string more_folder = {};
};

/// Runs a command; the result is the process' exit code.
using CommandFunction = std::function<int(CommandContext&)>;

/// One row of the table of commands. `add` declares the command's flags and gives back what runs
/// it.
struct CommandEntry {
  const char* name;
  const char* help;
  CommandFunction (*add)(CLI::App& command);
};

CommandFunction add_build_command(CLI::App& command);
CommandFunction add_blog_command(CLI::App& command);
CommandFunction add_debug_command(CLI::App& command);
CommandFunction add_review_command(CLI::App& command);
CommandFunction add_triage_command(CLI::App& command);
CommandFunction add_run_command(CLI::App& command);
CommandFunction add_commands_command(CLI::App& command);
CommandFunction add_batch_command(CLI::App& command);
CommandFunction add_status_command(CLI::App& command);
CommandFunction add_list_command(CLI::App& command);
CommandFunction add_logs_command(CLI::App& command);
CommandFunction add_undo_command(CLI::App& command);
CommandFunction add_resume_command(CLI::App& command);
CommandFunction add_cancel_command(CLI::App& command);
CommandFunction add_rm_command(CLI::App& command);
CommandFunction add_gc_command(CLI::App& command);
CommandFunction add_report_command(CLI::App& command);
CommandFunction add_stats_command(CLI::App& command);
CommandFunction add_tools_command(CLI::App& command);
CommandFunction add_grammar_command(CLI::App& command);
CommandFunction add_tokens_command(CLI::App& command);
CommandFunction add_eval_command(CLI::App& command);
CommandFunction add_format_command(CLI::App& command);
CommandFunction add_vocab_command(CLI::App& command);
CommandFunction add_context_command(CLI::App& command);
CommandFunction add_config_command(CLI::App& command);
CommandFunction add_sandbox_command(CLI::App& command);
CommandFunction add_doctor_command(CLI::App& command);
CommandFunction add_completion_command(CLI::App& command);
CommandFunction add_version_command(CLI::App& command);

/// The exit code that belongs to an error; 128 plus the signal where the program was interrupted.
int exit_code_of(const Error& error, const CancelToken& cancel);

/// A line to stderr, made printable.
void print_error(std::string_view text);
/// Writes "pedrocli: MESSAGE" to stderr and gives back the exit code.
int report_error(const Error& error, const CancelToken& cancel);
/// The code itself, or that of its error, which is reported.
int exit_code(const Result<int>& code, const CancelToken& cancel);

/// Text to stdout, as it is: what comes from a repository, a server or a model is made printable
/// before.
void print(std::string_view text);
/// At the end: `code`, or 1 with a message where something printed did not arrive (a full disk).
int flush_output(int code);
/// A line to stderr, made printable, unless -quiet.
void print_note(const GlobalOptions& global, std::string_view text);

/// The configuration for a project folder, the global flags laid over it; warnings are printed.
Result<LoadedConfig> load_command_config(CommandContext& context,
                                         const std::string& project_folder);

/// Where jobs are kept. Error (kUsage): there is no home for them.
Result<JobStore> open_job_store(const CommandContext& context);

/// The folder of the project, whose configuration counts: -workdir, else the root of the git work
/// tree around the current folder, else the current folder.
Result<std::string> find_project(CommandContext& context, const std::string& workdir);

/// The folder to work in: the project's, or what project.workdir says of it, unless -workdir was
/// given. A project's own file cannot lead out of the project.
Result<std::string> work_folder(const CommandContext& context, const std::string& project,
                                const LoadedConfig& config, const std::string& workdir);

}  // namespace pedro
