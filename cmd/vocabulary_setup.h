#pragma once

#include <string>

#include "command.h"
#include "config/load.h"
#include "tokenizer/model_registry.h"
#include "tokenizer/vocabulary_store.h"

namespace pedro {

/// Returns the folder of everything that can be fetched again: $PEDROCLI_CACHE, else
/// Environment::cache_folder(). "" without a home folder.
std::string cache_folder(const CommandContext& context);

/// Returns the folders of vocabularies. Compiled vocabularies are in the cache. Names are searched
/// in the folder of `vocab add`, then in that of scripts/fetch-vocab, then in the installation.
VocabularyFolders vocabulary_folders(const CommandContext& context);

/// Returns the folder of scripts/fetch-vocab; "" without a home folder.
std::string fetched_vocabularies(const CommandContext& context);

/// Returns the folder with known capabilities of servers; "" without a home folder.
std::string known_servers(const CommandContext& context);

/// Returns the folder of `vocab add`. Error (kUsage): no home folder.
Result<std::string> added_vocabularies(const CommandContext& context);

/// Returns the known models and vocabularies. The rows of `loaded` precede the built-in ones.
/// Errors (kConfig) name their source.
Result<ModelRegistry> registry_of(const LoadedConfig& loaded);

/// Returns registry_of() the configuration of the project around the current folder. Errors:
/// kConfig, with its source.
Result<ModelRegistry> load_registry(CommandContext& context);

}  // namespace pedro
