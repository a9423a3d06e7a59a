#include "vocabulary_setup.h"

#include <fmt/format.h>

namespace pedro {
namespace {

// Returns the vocabulary folder of the installation, relative to the program.
std::string installed_folder(const CommandContext& context) {
  const auto program = context.files.canonical("/proc/self/exe");
  if (!program) return "";
  return normal_path(join_path(folder_name(*program), PEDROCLI_VOCAB_FROM_PROGRAM));
}

std::string below(const std::string& folder, const char* name) {
  return folder.empty() ? "" : folder + "/" + name;
}

}  // namespace

std::string cache_folder(const CommandContext& context) {
  const std::string set = context.environment.get("PEDROCLI_CACHE");
  return set.empty() ? context.environment.cache_folder() : set;
}

std::string fetched_vocabularies(const CommandContext& context) {
  return below(cache_folder(context), "vocab-files");
}

std::string known_servers(const CommandContext& context) {
  return below(cache_folder(context), "servers");
}

VocabularyFolders vocabulary_folders(const CommandContext& context) {
  VocabularyFolders folders{below(cache_folder(context), "vocab"), {}};
  for (const std::string& folder : {below(context.environment.data_folder(), "vocab"),
                                    fetched_vocabularies(context), installed_folder(context)}) {
    if (!folder.empty()) folders.named.push_back(folder);
  }
  return folders;
}

Result<std::string> added_vocabularies(const CommandContext& context) {
  std::string folder = below(context.environment.data_folder(), "vocab");
  if (!folder.empty()) return folder;
  return usage_error(
      "neither HOME nor XDG_DATA_HOME is set: vocabularies cannot be stored; name a folder with "
      "-to");
}

Result<ModelRegistry> load_registry(CommandContext& context) {
  PEDRO_TRY(const LoadedConfig loaded, load_project_config(context));
  return registry_of(loaded);
}

Result<ModelRegistry> registry_of(const LoadedConfig& loaded) {
  const Config& config = loaded.config;
  Result<ModelRegistry> registry = ModelRegistry::with({{"vocabularies", config.vocabularies},
                                                        {"models", config.models},
                                                        {"answers", config.answers}});
  if (registry) return registry;
  const std::string& message = registry.error().message;  // "/models/0/window: ..."
  const std::string key = message.substr(1, message.find('/', 1) - 1);
  return registry.error().at(loaded.origin_of(key).place);
}

}  // namespace pedro
