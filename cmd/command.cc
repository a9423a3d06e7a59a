#include "command.h"

#include <fmt/format.h>

#include <cstdio>

namespace pedro {

int report_error(const Error& error, const CancelToken& cancel) {
  if (error.kind == ErrorKind::kInterrupted || cancel.cancelled()) {
    std::fputs("pedrocli: interrupted\n", stderr);
    return kExitSignal + (cancel.cancelled() ? cancel.signal() : 2);
  }
  const std::string text = fmt::format("pedrocli: {}\n", error.message);
  std::fwrite(text.data(), 1, text.size(), stderr);
  switch (error.kind) {
    case ErrorKind::kUsage:
      return kExitUsage;
    case ErrorKind::kConfig:
      return kExitConfig;
    case ErrorKind::kModel:
      return kExitModel;
    case ErrorKind::kLimit:
      return kExitLimit;
    case ErrorKind::kDenied:
      return kExitDenied;
    case ErrorKind::kInternal:
    case ErrorKind::kInterrupted:
      break;
  }
  return kExitInternal;
}

void print(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
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
