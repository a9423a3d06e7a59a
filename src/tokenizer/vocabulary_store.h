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
  std::string cache;  ///< for what was compiled of files; "": nothing is kept
  /// Of vocabularies by their names, the first that has one counts: NAME.pvoc, which add() made, or
  /// the file that the registry names.
  std::vector<std::string> named;
};

/// Where a vocabulary of a name is.
struct StoredVocabulary {
  std::string name;
  std::string path;       ///< "": nowhere
  bool compiled = false;  ///< whether that is a NAME.pvoc
};

/// Opens vocabularies, by name or from a file, in a few milliseconds: what was read once lies
/// compiled in the cache, as `<cache>/<key>.pvoc`. The key is of the file's path, size and time of
/// change, not of its bytes: a model's file may have many gigabytes. Borrows all it is made of.
class VocabularyStore {
 public:
  VocabularyStore(FileSystem& files, VocabularyFolders folders, const ModelRegistry& registry)
      : files_(files), folders_(std::move(folders)), registry_(registry) {}

  /// A name that is in one of the folders or in the registry, or the path of a file of any known
  /// format; a path has a '/' or is that of a file that is there. A GGUF is as llama.cpp has it and
  /// the rest as the reference has it, but where `fidelity` says otherwise. Errors (kUsage) say
  /// what to do.
  Result<Vocabulary> open(std::string_view name, std::optional<Fidelity> fidelity = std::nullopt);

  /// Nothing where no folder has it.
  std::optional<StoredVocabulary> find(std::string_view name) const;
  /// All of the registry in its order, then those that were added under other names.
  std::vector<StoredVocabulary> list() const;
  /// The vocabulary as it lies compiled; nothing where it does not, or cannot be opened.
  std::optional<Vocabulary> compiled(const StoredVocabulary& stored) const;

  /// Compiles a vocabulary file into `folder`, which is made where it is missing, under `name`. A
  /// file of ranks has to go by a name of the registry, or be called like one. Errors (kUsage,
  /// kConfig) say what is wrong with which of them.
  Result<Vocabulary> add(const std::string& file, const std::string& name,
                         const std::string& folder);

  /// Reads what is stored anew: a file has to be the published one where the registry knows that
  /// one's hash, and to be read; what is compiled has to be whole, and to give the same ids for a
  /// text of many kinds, and that text back. An Error says what is wrong.
  Status verify(const StoredVocabulary& stored) const;
  /// Removes from the cache what cannot be opened: damaged, or of another version of the program.
  /// Says for each why; it is made again when it is needed.
  std::vector<std::string> sweep_cache();

  bool is_file(const std::string& path) const { return files_.info(path).kind == FileKind::kFile; }
  const ModelRegistry& registry() const { return registry_; }

 private:
  Result<Vocabulary> open_file(const std::string& path, const std::string& name);
  Result<Vocabulary> compile_file(const std::string& path, const std::string& name,
                                  const RankFileRules& rules) const;
  Result<std::string> identity_of(const std::string& path, const std::string& name) const;
  std::string cache_path(const std::string& identity) const;
  std::optional<Vocabulary> cached(const std::string& identity) const;
  RankFileRules rules_of(std::string_view name) const;
  Status verify_file(const StoredVocabulary& stored) const;

  FileSystem& files_;
  VocabularyFolders folders_;
  const ModelRegistry& registry_;
};

/// Whether a vocabulary may be called so: letters, digits, '.', '_' and '-', no '.' or '-' in
/// front, at most 64 bytes.
bool is_vocabulary_name(std::string_view name);

}  // namespace pedro
