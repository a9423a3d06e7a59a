#include "command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <utility>
#include <vector>

#include "base/text.h"
#include "base/utf8.h"
#include "sandbox/kept_copy.h"
#include "sandbox/protected_paths.h"
#include "sandbox_setup.h"
#include "sys/read_parts.h"
#include "sys/terminal.h"
#include "template_learner/choose_format.h"

namespace pedro {
namespace {

constexpr std::uint64_t kMaxKeyBytes = 16u << 10;

}  // namespace

int exit_code_of(const Error& error, const CancelToken& cancel) {
  if (cancel.cancelled()) return kExitSignal + cancel.signal();
  switch (error.kind) {
    case ErrorKind::kUsage:
      return kExitUsage;
    case ErrorKind::kConfig:
      return kExitConfig;
    case ErrorKind::kModel:
      return kExitModel;
    case ErrorKind::kLimit:
      return kExitLimit;
    case ErrorKind::kInterrupted:
      return kExitSignal + SIGINT;
    case ErrorKind::kRefused:
    case ErrorKind::kInternal:
      break;
  }
  return kExitInternal;
}

// Clears a status line on a terminal first.
void print_error(std::string_view text) {
  const char* begin = is_terminal(StandardStream::kError) ? "\r\x1b[K" : "";
  const std::string line = fmt::format("{}{}\n", begin, make_printable(text));
  std::fwrite(line.data(), 1, line.size(), stderr);
}

int report_error(const Error& error, const CancelToken& cancel) {
  const bool interrupted = error.kind == ErrorKind::kInterrupted || cancel.cancelled();
  print_error(fmt::format("pedrocli: {}", interrupted ? "interrupted" : error.message));
  return exit_code_of(error, cancel);
}

int exit_code(const Result<int>& code, const CancelToken& cancel) {
  return code ? *code : report_error(code.error(), cancel);
}

void print(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
}

void print_json(const Json& json) {
  print(to_line(json) + "\n");
}

int flush_output(int code) {
  const bool flushed = std::fflush(stdout) == 0;
  if (flushed && std::ferror(stdout) == 0) return code;
  std::fputs("pedrocli: cannot write standard output\n", stderr);
  return code == kExitDone ? kExitInternal : code;
}

void print_note(const GlobalOptions& global, std::string_view text) {
  if (global.quiet) return;
  print_error(text);
}

namespace {

// Checks the format's name, which the configuration parser does not know. The setting has no effect
// for servers with message APIs.
Status check_format(const LoadedConfig& loaded) {
  if (loaded.config.model.type != "llamacpp") return {};
  const Status known = check_format_name(loaded.config.model.format);
  if (known) return known;
  const ConfigOrigin origin = loaded.origin_of("model.format");
  const bool is_flag = origin.layer == ConfigLayer::kFlag;
  return Error{is_flag ? ErrorKind::kUsage : ErrorKind::kConfig,
               fmt::format("{}: model.format: {}", origin.place, known.error().message)};
}

// Reads the key of -api-key-file once. Error (kUsage): the file is unreadable or not one line.
Status read_key_file(CommandContext& context) {
  GlobalOptions& global = context.global;
  if (global.api_key_file.empty() || !global.api_key.empty()) return {};
  const Result<std::string> text = context.files.read(global.api_key_file, kMaxKeyBytes);
  if (!text) return usage_error("-api-key-file " + text.error().message);
  const std::string_view key = trim(*text);
  if (key.empty() || key.find_first_of("\r\n") != std::string_view::npos) {
    return usage_error(
        fmt::format("-api-key-file {}: expected one line with a key", global.api_key_file));
  }
  global.api_key = key;
  return {};
}

}  // namespace

void put_back_copies(const CommandContext& context) {
  for (const std::string& undone : put_back_left_copies(kept_copies_folder(context.environment))) {
    print_error("pedrocli: warning: " + undone);
  }
}

Result<LoadedConfig> load_command_config(CommandContext& context,
                                         const std::string& project_folder) {
  put_back_copies(context);
  remove_left_placeholders(protected_paths(project_folder, {}));
  ConfigSources sources{
      context.files, context.environment, project_folder, context.global.config, {}};
  const auto override_with = [&](const char* key, const std::string& value, const char* flag) {
    if (!value.empty()) sources.flags.push_back({key, value, flag});
  };
  PEDRO_RETURN_IF_ERROR(read_key_file(context));
  override_with("model.server_url", context.global.model_url, "-model-url");
  override_with("model.model_name", context.global.model, "-model");
  override_with("model.context_size", context.global.context, "-context");
  override_with("model.format", context.global.format, "-format");
  override_with("model.mode", context.global.mode, "-mode");
  if (context.global.no_grounding) override_with("model.grounding", "false", "-no-grounding");
  override_with("monitor.metrics_file", context.global.metrics_file, "-metrics-file");
  if (context.global.allow_net) override_with("sandbox.allow_net", "true", "-allow-net");
  if (context.global.backend != "manual") {
    override_with("model.type", context.global.backend, "-backend");
  }
  Result<LoadedConfig> loaded = load_config(sources);
  if (!loaded) return loaded;
  for (const std::string& warning : loaded->warnings) {
    print_note(context.global, "pedrocli: warning: " + warning);
  }
  PEDRO_RETURN_IF_ERROR(check_format(*loaded));
  return loaded;
}

Result<LoadedConfig> load_project_config(CommandContext& context, const std::string& workdir) {
  PEDRO_TRY(const std::string project, find_project(context, workdir));
  return load_command_config(context, project);
}

Result<std::string> find_project(CommandContext& context, const std::string& workdir) {
  if (!workdir.empty()) {
    if (context.files.info(workdir).kind != FileKind::kFolder) {
      return usage_error(fmt::format("-workdir {}: no such folder", workdir));
    }
    return context.files.canonical(workdir);
  }
  Result<std::string> folder = context.files.canonical(".");
  if (!folder) return folder;
  for (std::string at = *folder; at != "/"; at = std::string(folder_name(at))) {
    if (context.files.info(join_path(at, ".git")).kind != FileKind::kMissing) return at;
  }
  return folder;
}

Result<std::string> work_folder(const CommandContext& context, const LoadedConfig& config,
                                const std::string& workdir) {
  const std::string& project = config.project_folder;
  const std::string& configured = config.config.project.workdir;
  if (configured.empty() || !workdir.empty()) return project;
  const ConfigOrigin origin = config.origin_of("project.workdir");
  Result<std::string> folder = context.files.canonical(join_path(project, configured));
  if (!folder) {
    return config_error(
        fmt::format("{}: project.workdir: {}", origin.place, folder.error().message));
  }
  if (origin.layer != ConfigLayer::kProjectFile || is_below(*folder, project)) {
    return folder;
  }
  return config_error(fmt::format("{}: project.workdir: is outside the project; give -workdir {}",
                                  origin.place, *folder));
}

Status require_several_jobs(const GlobalOptions& global, std::string_view owner) {
  if (global.backend == "manual") {
    return usage_error(fmt::format("-backend manual: standard input belongs to {}", owner));
  }
  if (global.record.empty()) return {};
  return usage_error("-record: several jobs would write one recording; record a single job");
}

Result<JobStore> open_job_store(const CommandContext& context) {
  const std::string folder = context.environment.state_folder();
  if (!folder.empty()) return JobStore(context.files, folder);
  return usage_error("neither HOME nor XDG_STATE_HOME is set: jobs cannot be stored");
}

Result<std::string> choose_job(const JobStore& store, const std::string& given) {
  if (!given.empty()) return store.find(given);
  PEDRO_TRY(const std::vector<JobSummary> jobs, store.list(1));
  if (jobs.empty()) return usage_error("there are no jobs yet");
  return jobs.front().id;
}

Result<TextInput> read_input(const CommandContext& context, const std::string& path,
                             std::uint64_t max_bytes) {
  const bool standard = path == "-";
  const bool stream = standard || context.files.info(path).kind == FileKind::kOther;
  Result<std::string> text =
      stream ? read_stream(path, max_bytes, context.cancel) : context.files.read(path, max_bytes);
  if (!text) {
    const bool stopped = text.error().kind == ErrorKind::kInterrupted;
    return Error{stopped ? ErrorKind::kInterrupted : ErrorKind::kUsage, text.error().message};
  }
  return TextInput{standard ? "standard input" : path, std::move(*text)};
}

std::vector<std::string> passed_on(const GlobalOptions& global) {
  std::vector<std::string> flags;
  for (const auto& [name, value] : {std::pair{"config", &global.config},
                                    {"model-url", &global.model_url},
                                    {"model", &global.model},
                                    {"context", &global.context},
                                    {"api-key-file", &global.api_key_file},
                                    {"backend", &global.backend},
                                    {"replay", &global.replay},
                                    {"debug", &global.debug}}) {
    if (!value->empty()) flags.push_back(std::string("--") + name + "=" + *value);
  }
  return flags;
}

CommandFunction add_commands_below(CLI::App& command, std::span<const CommandEntry> entries,
                                   const std::string& notes) {
  std::vector<std::pair<const CLI::App*, CommandFunction>> rows;
  for (const CommandEntry& entry : entries) {
    CLI::App* below = command.add_subcommand(entry.name, entry.help);
    below->footer("");  // do not inherit the notes of the group
    rows.emplace_back(below, entry.add(*below));
  }
  command.footer(notes);
  command.require_subcommand(0, 1);
  const CLI::App* self = &command;
  return [self, rows](CommandContext& context) {
    for (const auto& [below, run] : rows) {
      if (below->parsed()) return run(context);
    }
    print(self->help(self->get_parent()->get_name()));
    return static_cast<int>(kExitUsage);
  };
}

}  // namespace pedro
