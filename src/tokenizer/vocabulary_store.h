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

/// The folders of vocabularies. Missing folders are ignored.
struct VocabularyFolders {
  std::string cache;  ///< for compiled files; empty: no cache
  /// Searched in order for a name: NAME.pvoc from add(), or the file named in the registry.
  std::vector<std::string> named;
};

/// The location of a named vocabulary.
struct StoredVocabulary {
  std::string name;
  std::string path;       ///< empty: not installed
  bool compiled = false;  ///< the file is a NAME.pvoc
};

/// Opens vocabularies by name or from a file in a few milliseconds. Compiled vocabularies are
/// cached as `<cache>/<key>.pvoc`. The key is a hash of the file's path, size and modification
/// time, but not of its contents. A model file may have many gigabytes. Borrows the constructor's
/// references.
class VocabularyStore {
 public:
  VocabularyStore(FileSystem& files, VocabularyFolders folders, const ModelRegistry& registry)
      : files_(files), folders_(std::move(folders)), registry_(registry) {}

  /// Opens a name from the folders or the registry, or a file of any supported format. A path
  /// contains a '/' or is an existing file. Without `fidelity`, a GGUF has llama.cpp's and other
  /// formats the reference's. Errors (kUsage) give advice.
  Result<Vocabulary> open(std::string_view name, std::optional<Fidelity> fidelity = std::nullopt);

  /// Searches the folders; nothing if the vocabulary is not installed.
  std::optional<StoredVocabulary> find(std::string_view name) const;
  /// Lists the vocabularies of the registry in its order, then those added under other names.
  std::vector<StoredVocabulary> list() const;
  /// Opens the compiled vocabulary; nothing if there is none or it cannot be opened.
  std::optional<Vocabulary> compiled(const StoredVocabulary& stored) const;

  /// Compiles a vocabulary file into `folder` under `name`. Creates the folder if it is missing.
  /// For a file of ranks, `name` or the stem of `file` must be a known name. Errors (kUsage,
  /// kConfig) name the invalid argument or file.
  Result<Vocabulary> add(const std::string& file, const std::string& name,
                         const std::string& folder);

  /// Verifies a stored vocabulary. A file must match the SHA-256 of the registry, if any, and must
  /// compile. A compiled vocabulary must be undamaged. Each must encode and decode a test text
  /// (encode_probe()), with the same ids from the cache. An Error gives the reason.
  Status verify(const StoredVocabulary& stored) const;
  /// Removes cached vocabularies that cannot be opened: damaged ones and those of another program
  /// version. Returns the reason for each. They are compiled again on demand.
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

/// Returns true if `name` is a valid vocabulary name: letters, digits, '.', '_' and '-', no leading
/// '.' or '-', at most 64 bytes.
bool is_vocabulary_name(std::string_view name);

/// Encodes a short fixed text. It has letters, digits, code, runs of blanks, marks, Han, kana,
/// Hangul, emoji, and names of control tokens as text. Errors (kUsage): no tokenizer supports the
/// vocabulary, or a vocabulary with all bytes does not decode to the same text.
Result<std::vector<TokenId>> encode_probe(Vocabulary vocabulary);

}  // namespace pedro
