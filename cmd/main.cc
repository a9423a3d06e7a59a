#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"
#include "command.h"
#include "help_format.h"
#include "normalize_args.h"
#include "sys/environment.h"
#include "sys/terminal.h"

namespace pedro {
namespace {

const std::vector<CommandEntry>& commands() {
  static const std::vector<CommandEntry> kCommands = {
      {"build", "Work on an issue or a description until the project's checks pass",
       add_build_command},
      {"blog", "Write a post from notes and sources, checked against them", add_blog_command},
      {"debug", "Reproduce a fault with a failing command, and fix it", add_debug_command},
      {"review", "Find what is wrong with a change; changes nothing", add_review_command},
      {"triage", "Classify a report and recommend what to do; changes nothing", add_triage_command},
      {"ask", "Answer a question about the project; changes nothing", add_ask_command},
      {"chat", "Talk about the project, and have it changed; on a terminal", add_chat_command},
      {"run", "Run an agent of .pedro/agents, or a command of .pedro/command", add_run_command},
      {"commands", "List the commands of .pedro/command", add_commands_command},
      {"batch", "Run the tasks of a file, several at once; continues where it stopped",
       add_batch_command},
      {"status", "Show one job: what it did, how it ended", add_status_command},
      {"list", "List jobs, newest first", add_list_command},
      {"logs", "Show what a job did, line by line; -json prints its journal", add_logs_command},
      {"resume", "Resume a stopped job after its last complete round", add_resume_command},
      {"tell", "Send a message to a running job; it is read before the next round",
       add_tell_command},
      {"plan", "Show or edit the plan of a job that stopped after it (`build -until plan`)",
       add_plan_command},
      {"acp", "Serve an editor through the Agent Client Protocol", add_acp_command},
      {"cancel", "Ask a running job to stop", add_cancel_command},
      {"rm", "Remove jobs, and what they keep in their repositories", add_rm_command},
      {"gc", "Remove old jobs and the remains of dead processes", add_gc_command},
      {"undo", "Restore the files to their state before a job, or after one of its rounds",
       add_undo_command},
      {"stats", "Sum up tokens, time and cost of jobs, by model, phase and tool",
       add_stats_command},
      {"report", "Write a page about a job, or about all: context, cache, time, tools, cost",
       add_report_command},
      {"tools", "List the tools a model can call, or show one", add_tools_command},
      {"mcp", "List, test and call tools of MCP servers", add_mcp_command},
      {"mcp-serve", "Serve other agents through the Model Context Protocol", add_mcp_serve_command},
      {"skills", "List, show and check the skills that agents may read", add_skills_command},
      {"grammar", "Print, make, check and try the grammars that constrain replies",
       add_grammar_command},
      {"context", "Show the contents of a conversation, and why messages were removed",
       add_context_command},
      {"tokens", "Count, encode, decode, show and compare tokens", add_tokens_command},
      {"format", "Write a conversation in the format of a model family", add_format_command},
      {"eval", "Measure how well a model calls tools and solves tasks, and compare measurements",
       add_eval_command},
      {"models", "List the server's models, and what is known about each", add_models_command},
      {"serve", "Start llama-server with flags for this model and machine", add_serve_command},
      {"vocab", "List, add and verify vocabularies", add_vocab_command},
      {"config", "Show the settings and where each comes from", add_config_command},
      {"sandbox", "Run a command confined like a model's commands, or show the confinement",
       add_sandbox_command},
      {"doctor", "Examine server, model, git and project; suggest changes", add_doctor_command},
      {"completion", "Print a completion script for bash, zsh or fish", add_completion_command},
      {"docs", "Write the reference pages, man pages and completion scripts", add_docs_command},
      {"version", "Print the version", add_version_command},
  };
  return kCommands;
}

void add_global_flags(CLI::App& app, GlobalOptions& global) {
  app.add_option("--config", global.config, "Read this configuration file and no other");
  app.add_flag("--verbose", global.verbose, "Show more of what happens");
  app.add_flag("--quiet", global.quiet, "Show errors and the result only");
  app.add_flag("--json", global.json, "Print JSON lines on stdout");
  app.add_flag("--live", global.live,
               "With the lines of -json, also print the answer while it is written, and the\n"
               "policy's questions, which standard input answers (docs/journal.md)");
  app.add_option("--debug", global.debug,
                 "Trace on stderr: all, or some of tokens,grammar,http,prompt (default: all)");
  app.add_option("--model-url", global.model_url,
                 "Address of the model's server: http://, https:// or unix:/PATH");
  app.add_option("--model", global.model, "Name of the model, for a server with several");
  app.add_option("--context", global.context, "Tokens of context to use, at most the server's");
  app.add_option("--api-key-file", global.api_key_file, "Read the server's API key from this file");
  app.add_option("--backend", global.backend,
                 "Kind of server: llamacpp, openai, anthropic, ollama, vllm, lmstudio, or manual "
                 "(you reply)");
  app.add_option("--record", global.record, "Write the session's replies to this file");
  app.add_option("--replay", global.replay, "Take the replies from a recorded session");
}

std::vector<FlagSpec> flags_of(const CLI::App& app) {
  std::vector<FlagSpec> flags;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      flags.push_back({name, option->get_items_expected_max() > 0});
    }
  }
  return flags;
}

CommandSpec spec_of(const CLI::App& command) {
  CommandSpec spec{command.get_name(), flags_of(command)};
  const std::vector<const CLI::Option*> options = command.get_options();
  spec.takes_words = std::any_of(options.begin(), options.end(),
                                 [](const CLI::Option* one) { return one->get_positional(); });
  for (const CLI::App* below : command.get_subcommands([](const CLI::App*) { return true; })) {
    spec.commands.push_back(spec_of(*below));
  }
  return spec;
}

// The parser of the program. Every command also accepts the global flags, before or after its name.
struct Program {
  CLI::App app{"Runs an agent of a local model over your repository.", "pedrocli"};
  GlobalOptions global;
  std::vector<CommandFunction> functions;
  std::vector<CLI::App*> parsers;

  Program() {
    add_global_flags(app, global);
    app.set_help_flag("--help", "Show this help");
    app.set_version_flag("--version", "pedrocli " PEDROCLI_VERSION, "Print the version");
    auto format = std::make_shared<HelpFormat>();
    format->label("Positionals", "Arguments");
    app.formatter(format);  // subcommands inherit it
    for (const CommandEntry& entry : commands()) {
      CLI::App* command = app.add_subcommand(entry.name, entry.help);
      command->set_help_flag("--help", "Show this help");
      command->fallthrough();
      functions.push_back(entry.add(*command));
      parsers.push_back(command);
    }
    app.require_subcommand(0, 1);
    name_flag_values(app);
  }

  std::vector<CommandSpec> specs() const {
    std::vector<CommandSpec> specs;
    for (const CLI::App* parser : parsers) specs.push_back(spec_of(*parser));
    return specs;
  }
};

// Converts `help` to -help, and `help COMMAND` to `COMMAND -help`.
std::vector<std::string> without_help_word(std::vector<std::string> args) {
  if (args.empty() || args.front() != "help") return args;
  args.erase(args.begin());
  args.emplace_back("-help");
  return args;
}

// Removes the Go program's -skip-checks, which skipped its examination of the machine.
std::vector<std::string> without_skip_checks(std::vector<std::string> args) {
  const auto words = std::find(args.begin(), args.end(), "--");
  const auto end = std::remove_if(args.begin(), words, [](const std::string& arg) {
    return arg == "-skip-checks" || arg == "--skip-checks";
  });
  if (end == words) return args;
  args.erase(end, words);
  print_error(
      "pedrocli: warning: -skip-checks has no effect: only `pedrocli doctor` examines the machine");
  return args;
}

// Returns the parsed commands: "pedrocli eval diff".
std::string name_of_parsed(const CLI::App& app) {
  std::string name = app.get_name();
  for (const CLI::App* at = &app; !at->get_subcommands().empty();) {
    at = at->get_subcommands().front();
    name += " " + at->get_name();
  }
  return name;
}

// The command line of a resumed job.
struct Resumed {
  std::string job;
  std::string message;
  std::vector<std::string> args;
  std::vector<std::string> more;  // the current command line; its flags override those in `args`
  std::string folder;             // folder of the current command line
};

// Returns true for flags that may change in a resumed job: limits and global flags.
bool may_change(std::string_view flag, const Program& program) {
  const auto is_it = [&](const FlagSpec& spec) { return spec.name == flag; };
  std::vector<FlagSpec> flags = flags_of(program.app);
  for (const CommandSpec& command : program.specs()) {
    if (command.name != "resume") continue;
    flags.insert(flags.end(), command.flags.begin(), command.flags.end());
  }
  return std::any_of(flags.begin(), flags.end(), is_it);
}

// Makes a path in "--NAME=VALUE" absolute, relative to `folder`, because the process now works in
// another folder.
std::string with_whole_path(const std::string& given, const std::string& folder) {
  for (const std::string_view flag : {"--config=", "--record=", "--replay=", "--api-key-file="}) {
    if (given.starts_with(flag))
      return std::string(flag) + join_path(folder, given.substr(flag.size()));
  }
  return given;
}

// Returns the command line in CLI11's format.
Result<std::vector<std::string>> read_args(const Program& program,
                                           const std::vector<std::string>& args,
                                           const Resumed& resumed) {
  const std::vector<std::string>& more = resumed.more;
  const std::vector<FlagSpec> global = flags_of(program.app);
  auto normal = normalize_args(args, global, program.specs());
  if (!normal || more.empty()) return normal;
  std::vector<std::string> with_command = {normal->front()};
  with_command.insert(with_command.end(), more.begin(), more.end());
  const auto above = normalize_args(with_command, global, program.specs());
  if (!above) return above;
  for (const std::string& given : *above) {
    if (given == "--") break;
    const std::string name = given.substr(0, given.find('='));
    if (!name.starts_with("--") || name == "--resume" || name == "--after") continue;
    if (!may_change(name.substr(2), program)) {
      return usage_error(
          fmt::format("{} is fixed when the job starts, and cannot change now", name.substr(1)));
    }
    std::erase_if(*normal, [&](const std::string& arg) {
      return arg == name || arg.starts_with(name + "=");
    });
    // Words after "--" are not flags.
    normal->insert(normal->begin() + 1, with_whole_path(given, resumed.folder));
  }
  return normal;
}

// `resumed`: the command line of a resumed job. A command may fill it in.
int run(const std::vector<std::string>& given, CancelToken& cancel, Resumed& resumed) {
  const std::vector<std::string> args = without_help_word(without_skip_checks(given));
  Program program;
  Result<std::vector<std::string>> normal = read_args(program, args, resumed);
  if (!normal) return report_error(normal.error(), cancel);
  std::vector<std::string> reversed(normal->rbegin(), normal->rend());  // for CLI11
  try {
    program.app.parse(reversed);
  } catch (const CLI::Success& done) {  // -help and -version
    return program.app.exit(done);
  } catch (const CLI::ParseError& error) {
    // CLI11 writes flags with two dashes.
    std::string message = replace_all(error.what(), "--", "-");
    if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
      message += fmt::format("; see `{} -help`", name_of_parsed(program.app));
    }
    return report_error({ErrorKind::kUsage, std::move(message)}, cancel);
  }
  const Environment environment = real_environment();
  RealFileSystem files;
  RealProcessRunner processes;
  const RealClock clock;
  program.global.args = given;
  program.global.json |= program.global.live;
  if (program.global.live && program.global.backend == "manual") {
    return report_error(usage_error("-live: standard input answers the policy's questions, so "
                                    "-backend manual cannot read replies from it"),
                        cancel);
  }
  program.global.resume = resumed.job;
  program.global.message = resumed.message;
  CommandContext context{program.global, environment, files, processes, clock, cancel};
  for (std::size_t i = 0; i < program.parsers.size(); ++i) {
    if (!program.parsers[i]->parsed()) continue;
    const int code = program.functions[i](context);
    resumed = {program.global.resume, program.global.message, std::move(context.job_args),
               std::move(context.more_args), std::move(context.more_folder)};
    return code;
  }
  if (args.empty()) return show_first_screen(context);
  print(program.app.help());
  return kExitDone;
}

}  // namespace
}  // namespace pedro

int main(int argc, char** argv) {
  static pedro::CancelToken cancel;
  pedro::cancel_on_signals(cancel);
  pedro::drop_git_variables();
  pedro::Resumed resumed;
  int code = pedro::run({argv + 1, argv + argc}, cancel, resumed);
  if (!resumed.args.empty()) code = pedro::run(std::exchange(resumed.args, {}), cancel, resumed);
  return pedro::flush_output(code);
}
