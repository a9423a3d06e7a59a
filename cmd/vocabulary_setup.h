#pragma once

#include <string>

#include "command.h"
#include "config/load.h"
#include "tokenizer/model_registry.h"
#include "tokenizer/vocabulary_store.h"

namespace pedro {

/// What was compiled is kept in the cache. By name vocabularies are found where `vocab add` puts
/// them, then among the files of scripts/fetch-vocab, then where they were installed with the
/// program.
VocabularyFolders vocabulary_folders(const CommandContext& context);

/// Where scripts/fetch-vocab puts vocabulary files; "" where there is no home for them.
std::string fetched_vocabularies(const CommandContext& context);

/// Where is kept what servers were seen to do; "" where there is no home for it.
std::string known_servers(const CommandContext& context);

/// Where `vocab add` puts them. Error (kUsage): there is no home for them.
Result<std::string> added_vocabularies(const CommandContext& context);

/// What is known of models and vocabularies, the rows of `loaded` before those that are built in.
/// Errors (kConfig) name the place.
Result<ModelRegistry> registry_of(const LoadedConfig& loaded);

/// The configuration of the project around the current folder; warnings are printed.
Result<LoadedConfig> load_project_config(CommandContext& context);

/// What is known of models and vocabularies, the rows of that configuration before those that are
/// built in. Errors (kConfig) name the place.
Result<ModelRegistry> load_registry(CommandContext& context);

}  // namespace pedro
