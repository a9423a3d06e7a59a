#include "tokenizer/vocabulary_store.h"

#include <fmt/format.h>

#include <utility>

#include "base/hash.h"
#include "sys/mapped_file.h"
#include "tokenizer/vocabulary_file.h"

namespace pedro {
namespace {

// All that the compiled form depends on, beside the program's own version of it (see
// vocabulary_block.h, which refuses another one).
std::string identity_of(const std::string& path, const FileInfo& info, const std::string& name,
                        std::optional<Fidelity> fidelity) {
  return fmt::format("{}\n{} bytes, changed {}\n{}\n{}", path, info.bytes, info.modified_ns, name,
                     fidelity ? static_cast<int>(*fidelity) : -1);
}

// Two hashes of 64 bits: the identity itself is compared as well.
std::string key_of(const std::string& identity) {
  return to_hex(hash_bytes(identity)) + to_hex(hash_bytes(identity, kHashSeed + 1));
}

}  // namespace

std::optional<std::string> VocabularyStore::file_of(const KnownVocabulary& vocabulary) const {
  for (const std::string& folder : folders_.files) {
    std::string path = folder + "/" + vocabulary.file;
    if (files_.info(path).kind == FileKind::kFile) return path;
  }
  return std::nullopt;
}

Result<Vocabulary> VocabularyStore::open(std::string_view name, std::optional<Fidelity> fidelity) {
  const std::string text(name);
  if (const KnownVocabulary* known = registry_.vocabulary(name)) {
    const auto path = file_of(*known);
    if (path) return open_file(*path, known->name, known->rules, fidelity);
    return Error{ErrorKind::kUsage,
                 fmt::format("the vocabulary '{}' is not installed: there is no {} in {}", name,
                             known->file, fmt::join(folders_.files, " or "))};
  }
  const FileKind kind = files_.info(text).kind;
  if (kind == FileKind::kMissing && name.find('/') == std::string_view::npos) {
    return registry_.unknown_vocabulary(name);
  }
  return open_file(text, "", {}, fidelity);
}

Result<Vocabulary> VocabularyStore::open_file(const std::string& path, const std::string& name,
                                              const RankFileRules& rules,
                                              std::optional<Fidelity> fidelity) {
  const auto real = files_.canonical(path);
  if (!real) return Error{ErrorKind::kUsage, real.error().message};
  const std::string identity = identity_of(*real, files_.info(path), name, fidelity);
  const std::string cached =
      folders_.cache.empty() ? "" : folders_.cache + "/" + key_of(identity) + ".pvoc";
  if (!cached.empty() && files_.info(cached).kind == FileKind::kFile) {
    Result<MappedFile> block = MappedFile::open(cached);
    Result<Vocabulary> compiled =
        block ? Vocabulary::open(*std::move(block)) : Result<Vocabulary>(block.error());
    if (compiled && compiled->origin() == identity) return compiled;
  }
  const Result<MappedFile> file = MappedFile::open(path);
  if (!file) return file.error();
  Result<VocabularySource> source = read_vocabulary(file->bytes(), path, rules);
  if (!source) return source.error();
  if (!name.empty()) source->name = name;
  if (fidelity) source->fidelity = *fidelity;
  source->origin = identity;
  Result<Vocabulary> compiled = Vocabulary::compile(*source);
  if (!compiled) return compiled.error().at(path);
  if (!cached.empty() && files_.make_folders(folders_.cache)) {
    // What cannot be kept is made again the next time.
    (void)files_.write_atomic(cached, compiled->bytes());
  }
  return compiled;
}

}  // namespace pedro
