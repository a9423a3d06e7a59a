#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sys/file_system.h"
#include "tokenizer/model_registry.h"
#include "tokenizer/vocabulary.h"

namespace pedro {

/// Where vocabularies are. Folders that are not there do not matter.
struct VocabularyFolders {
  std::string cache;               ///< for compiled ones; "": nothing is kept
  std::vector<std::string> files;  ///< of vocabulary files, by the names of the registry
};

/// Opens vocabularies, by name or from a file, in a few milliseconds: what was read once lies
/// compiled in the cache, as `<cache>/<key>.pvoc`. The key is of the file's path, size and time of
/// change, not of its bytes: a model's file may have many gigabytes. Borrows all it is made of.
class VocabularyStore {
 public:
  VocabularyStore(FileSystem& files, VocabularyFolders folders, const ModelRegistry& registry)
      : files_(files), folders_(std::move(folders)), registry_(registry) {}

  /// A name of the registry, or the path of a file of any known format; a path has a '/' or is
  /// that of a file that is there. A GGUF is as llama.cpp has it and the rest as the reference has
  /// it, but where `fidelity` says otherwise. Errors (kUsage) say what to do.
  Result<Vocabulary> open(std::string_view name, std::optional<Fidelity> fidelity = std::nullopt);

  bool is_file(const std::string& path) const { return files_.info(path).kind == FileKind::kFile; }
  const ModelRegistry& registry() const { return registry_; }
  /// The file of a vocabulary of the registry; nothing where it is not there.
  std::optional<std::string> file_of(const KnownVocabulary& vocabulary) const;

 private:
  Result<Vocabulary> open_file(const std::string& path, const std::string& name,
                               const RankFileRules& rules, std::optional<Fidelity> fidelity);

  FileSystem& files_;
  VocabularyFolders folders_;
  const ModelRegistry& registry_;
};

}  // namespace pedro
