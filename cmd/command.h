#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/cancel.h"
#include "base/clock.h"
#include "base/json.h"
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

/// The environment of a command.
struct CommandContext {
  GlobalOptions& global;  ///< commands add the values of their own flags
  const Environment& environment;
  RealFileSystem& files;
  RealProcessRunner& processes;
  const Clock& clock;
  CancelToken& cancel;
  /// Set by take_up_job(). `job_args`: the command line of the job global.resume, which runs next.
  /// `more_args`: the current command line, given in `more_folder`, whose flags override.
  std::vector<std::string> job_args = {};
  std::vector<std::string> more_args = {};
  std::string more_folder = {};
};

/// Runs a command. Returns the exit code of the process.
using CommandFunction = std::function<int(CommandContext&)>;

/// One row of the table of commands. `add` declares the command's flags and returns its function.
struct CommandEntry {
  const char* name;
  const char* help;
  CommandFunction (*add)(CLI::App& command);
};

/// Declares `entries` as subcommands of `command`, whose help ends with `notes`. The returned
/// function runs the chosen one. Without a subcommand, it prints the help and reports a usage
/// error.
CommandFunction add_commands_below(CLI::App& command, std::span<const CommandEntry> entries,
                                   const std::string& notes = "");

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
CommandFunction add_ask_command(CLI::App& command);
CommandFunction add_tell_command(CLI::App& command);
CommandFunction add_plan_command(CLI::App& command);
CommandFunction add_acp_command(CLI::App& command);
CommandFunction add_chat_command(CLI::App& command);
CommandFunction add_undo_command(CLI::App& command);
CommandFunction add_resume_command(CLI::App& command);
CommandFunction add_cancel_command(CLI::App& command);
CommandFunction add_rm_command(CLI::App& command);
CommandFunction add_gc_command(CLI::App& command);
CommandFunction add_report_command(CLI::App& command);
CommandFunction add_stats_command(CLI::App& command);
CommandFunction add_tools_command(CLI::App& command);
CommandFunction add_mcp_command(CLI::App& command);
CommandFunction add_mcp_serve_command(CLI::App& command);
CommandFunction add_skills_command(CLI::App& command);
CommandFunction add_grammar_command(CLI::App& command);
CommandFunction add_tokens_command(CLI::App& command);
CommandFunction add_eval_command(CLI::App& command);
CommandFunction add_format_command(CLI::App& command);
CommandFunction add_models_command(CLI::App& command);
CommandFunction add_serve_command(CLI::App& command);
CommandFunction add_vocab_command(CLI::App& command);
CommandFunction add_context_command(CLI::App& command);
CommandFunction add_config_command(CLI::App& command);
CommandFunction add_sandbox_command(CLI::App& command);
CommandFunction add_doctor_command(CLI::App& command);
CommandFunction add_completion_command(CLI::App& command);
CommandFunction add_docs_command(CLI::App& command);
CommandFunction add_version_command(CLI::App& command);

/// Prints the first screen of `pedrocli` without a command: its findings in this folder, and three
/// commands to type next. In a project: server, model, window, checks and open jobs. Runs no
/// checks, and waits at most 0.3 s for servers. Returns the exit code.
int show_first_screen(CommandContext& context);

/// Returns the exit code for an error; 128 plus the signal if the program was interrupted.
int exit_code_of(const Error& error, const CancelToken& cancel);

/// Writes a line to stderr. Makes it printable.
void print_error(std::string_view text);
/// Writes "pedrocli: MESSAGE" to stderr and returns the exit code.
int report_error(const Error& error, const CancelToken& cancel);
/// Returns the code, or reports the error and returns its exit code.
int exit_code(const Result<int>& code, const CancelToken& cancel);

/// Returns the function of a command: it calls `run` with the command's options.
template <typename Options>
CommandFunction running(Result<int> (*run)(CommandContext& context, const Options& options),
                        std::shared_ptr<Options> options) {
  return [run, options = std::move(options)](CommandContext& context) {
    return exit_code(run(context, *options), context.cancel);
  };
}
/// The same for a command without options.
inline CommandFunction running(Result<int> (*run)(CommandContext& context)) {
  return [run](CommandContext& context) { return exit_code(run(context), context.cancel); };
}

/// Writes text to stdout verbatim. Callers must make text from repositories, servers and models
/// printable first.
void print(std::string_view text);
/// Writes a line of JSON to stdout.
void print_json(const Json& json);
/// Flushes stdout. Returns `code`, or 1 with a message if output was lost (a full disk).
int flush_output(int code);
/// Writes a line to stderr unless -quiet. Makes it printable.
void print_note(const GlobalOptions& global, std::string_view text);

/// Restores protected files that the commands of a killed pedrocli changed, with a warning for
/// each. Call it before reading settings or opening a repository.
void put_back_copies(const CommandContext& context);

/// Loads the configuration of a project folder, with the global flags on top. Prints warnings.
Result<LoadedConfig> load_command_config(CommandContext& context,
                                         const std::string& project_folder);
/// Loads the configuration of the folder that find_project() returns.
Result<LoadedConfig> load_project_config(CommandContext& context, const std::string& workdir = "");

/// Returns the flags that this process passes to child processes: config, model, recording and
/// debug, each as "--name=value".
std::vector<std::string> passed_on(const GlobalOptions& global);

/// Returns an error (kUsage) if the flags give standard input or the recording to one job. Commands
/// with several jobs call it; `owner` is that of standard input.
Status require_several_jobs(const GlobalOptions& global, std::string_view owner);

/// Opens the folder of jobs. Error (kUsage): no home folder.
Result<JobStore> open_job_store(const CommandContext& context);
/// Returns the job that `given` names (see JobStore::find), or the newest if it is empty.
Result<std::string> choose_job(const JobStore& store, const std::string& given);

/// The text of an input that the user named on the command line.
struct TextInput {
  std::string name;  ///< for messages: the path, or "standard input"
  std::string text;
};

/// Reads a file, a pipe, or standard input ("-") completely. Errors: kInterrupted; kUsage if the
/// file is missing, unreadable, a folder or larger than `max_bytes`.
Result<TextInput> read_input(const CommandContext& context, const std::string& path,
                             std::uint64_t max_bytes);

/// Returns the project folder, which determines the configuration. It is -workdir, else the root of
/// the git work tree around the current folder, else the current folder.
Result<std::string> find_project(CommandContext& context, const std::string& workdir);

/// Returns the folder to work in: -workdir if given, else project.workdir, else the project's
/// folder. The project's own configuration cannot name a folder outside of the project.
Result<std::string> work_folder(const CommandContext& context, const LoadedConfig& config,
                                const std::string& workdir);

}  // namespace pedro
