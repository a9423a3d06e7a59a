#include "command.h"

#include <fmt/format.h>

#include <csignal>
#include <cstdio>

namespace pedro {

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

int report_error(const Error& error, const CancelToken& cancel) {
  const bool interrupted = error.kind == ErrorKind::kInterrupted || cancel.cancelled();
  const std::string text =
      fmt::format("pedrocli: {}\n", interrupted ? "interrupted" : error.message);
  std::fwrite(text.data(), 1, text.size(), stderr);
  return exit_code_of(error, cancel);
}

void print(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
}

int flush_output(int code) {
  const bool flushed = std::fflush(stdout) == 0;
  if (flushed && std::ferror(stdout) == 0) return code;
  std::fputs("pedrocli: standard output could not be written\n", stderr);
  return code == kExitDone ? kExitInternal : code;
}

void print_note(const GlobalOptions& global, std::string_view text) {
  if (global.quiet) return;
  const std::string line = fmt::format("{}\n", text);
  std::fwrite(line.data(), 1, line.size(), stderr);
}

Result<LoadedConfig> load_command_config(CommandContext& context,
                                         const std::string& project_folder) {
  ConfigSources sources{
      context.files, context.environment, project_folder, context.global.config, {}};
  const auto override_with = [&](const char* key, const std::string& value, const char* flag) {
    if (!value.empty()) sources.flags.push_back({key, value, flag});
  };
  override_with("model.server_url", context.global.model_url, "-model-url");
  if (context.global.backend != "manual") {
    override_with("model.type", context.global.backend, "-backend");
  }
  Result<LoadedConfig> loaded = load_config(sources);
  if (loaded) {
    for (const std::string& warning : loaded->warnings) {
      print_note(context.global, "pedrocli: warning: " + warning);
    }
  }
  return loaded;
}

Result<std::string> find_project(CommandContext& context, const std::string& workdir) {
  if (!workdir.empty()) {
    if (context.files.info(workdir).kind != FileKind::kFolder) {
      return Error{ErrorKind::kUsage, fmt::format("-workdir {}: no such folder", workdir)};
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

}  // namespace pedro
