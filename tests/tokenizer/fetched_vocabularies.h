#pragma once

#include <cstdlib>
#include <memory>
#include <string>

#include "sys/file_system.h"
#include "tokenizer/model_registry.h"
#include "tokenizer/vocabulary_store.h"
#include "tokenizer/vocabulary_tokenizer.h"

namespace pedro {

/// The folder in which `scripts/fetch-vocab` stores its files.
inline std::string fetched_folder() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value == nullptr ? "" : value);
  };
  std::string cache = variable("PEDROCLI_CACHE");
  if (cache.empty() && !variable("XDG_CACHE_HOME").empty()) {
    cache = variable("XDG_CACHE_HOME") + "/pedrocli";
  }
  if (cache.empty()) cache = variable("HOME") + "/.cache/pedrocli";
  return cache + "/vocab-files";
}

/// Opens a vocabulary of the registry ("o200k_base"), or a file in that folder by its name. Errors:
/// the vocabulary is not available, with its name, or is invalid.
inline Result<std::unique_ptr<VocabularyTokenizer>> open_fetched(const std::string& name) {
  static RealFileSystem files;
  VocabularyStore store(files, {"", {fetched_folder()}}, ModelRegistry::builtin());
  const bool known = ModelRegistry::builtin().vocabulary(name) != nullptr;
  Result<Vocabulary> vocabulary = store.open(known ? name : fetched_folder() + "/" + name);
  if (!vocabulary) return vocabulary.error();
  return VocabularyTokenizer::create(*std::move(vocabulary));
}

/// Returns true if the vocabulary or file of open_fetched() exists.
inline bool is_fetched(const std::string& name) {
  static RealFileSystem files;
  const VocabularyStore store(files, {"", {fetched_folder()}}, ModelRegistry::builtin());
  return store.find(name) || files.link_info(fetched_folder() + "/" + name).kind == FileKind::kFile;
}

}  // namespace pedro
