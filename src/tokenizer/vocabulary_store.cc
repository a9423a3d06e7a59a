#include "tokenizer/vocabulary_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "base/hash.h"
#include "sys/mapped_file.h"
#include "tokenizer/vocabulary_file.h"
#include "tokenizer/vocabulary_tokenizer.h"

namespace pedro {
namespace {

// The text is already in forms C and KC.
constexpr std::string_view kProbe =
    "Hello, WORLD! don't we'LL 3.14159 1234567 {\"action\": \"run\"}\n"
    "\tfor (int i = 0; i < n; ++i) {\n\n\n        x[i] += 0xFF;  // \u00E9\u00DF\u0153\r\n}   \n"
    "\u0928\u092E\u0938\u094D\u0924\u0947 \u0441\u043B\u043E\u0432\u043E \u4E2D\u6587\u5B57 "
    "\u306B\u307B\u3093\u3054 \uD55C\uAD6D\uC5B4 \u0627\u0644\u0639\u0631\u0628\u064A\u0629 "
    "\U0001F469\u200D\U0001F4BB\U0001F44D\U0001F3FD <|im_end|></s>[INST]\n";

constexpr std::string_view kEnding = ".pvoc";
constexpr std::size_t kMaxNameBytes = 64;

// Two 64-bit hashes; cached() also compares the identity itself.
std::string key_of(const std::string& identity) {
  return to_hex(hash_bytes(identity)) + to_hex(hash_bytes(identity, kHashSeed + 1));
}

Result<Vocabulary> open_block(const std::string& path) {
  PEDRO_TRY(MappedFile block, MappedFile::open(path));
  Result<Vocabulary> vocabulary = Vocabulary::open(std::move(block));
  if (vocabulary) return vocabulary;
  return Error{vocabulary.error().kind, path + " " + vocabulary.error().message};
}

std::string without_ending(std::string_view name) {
  return std::string(name.substr(0, name.rfind('.')));
}

}  // namespace

Result<std::vector<TokenId>> encode_probe(Vocabulary vocabulary) {
  const auto bytes = vocabulary.byte_tokens();
  const bool has_all_bytes = std::find(bytes.begin(), bytes.end(), -1) == bytes.end();
  PEDRO_TRY(auto tokenizer, VocabularyTokenizer::create(std::move(vocabulary)));
  PEDRO_TRY(auto ids, tokenizer->encode(kProbe, Specials::kNone));
  PEDRO_TRY(const auto text, tokenizer->decode(ids));
  if (has_all_bytes && text != kProbe) {
    return Error{ErrorKind::kUsage, "it does not decode a text to itself"};
  }
  return ids;
}

bool is_vocabulary_name(std::string_view name) {
  const auto allowed = [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '.' || c == '_' || c == '-';
  };
  return !name.empty() && name.size() <= kMaxNameBytes && name[0] != '.' && name[0] != '-' &&
         std::all_of(name.begin(), name.end(), allowed);
}

std::optional<StoredVocabulary> VocabularyStore::find(std::string_view name) const {
  const auto is_file = [&](const std::string& path) {
    return files_.info(path).kind == FileKind::kFile;
  };
  const KnownVocabulary* known = registry_.vocabulary(name);
  const bool has_path = known != nullptr && known->file.starts_with('/');  // from a user's row
  if (has_path && is_file(known->file)) return StoredVocabulary{known->name, known->file, false};
  const bool is_name = is_vocabulary_name(name);
  if (has_path || (known == nullptr && !is_name)) return std::nullopt;
  for (const std::string& folder : folders_.named) {
    const std::string block = fmt::format("{}/{}{}", folder, name, kEnding);
    if (is_name && is_file(block)) return StoredVocabulary{std::string(name), block, true};
    if (known == nullptr) continue;
    const std::string file = folder + "/" + known->file;
    if (is_file(file)) return StoredVocabulary{known->name, file, false};
  }
  return std::nullopt;
}

std::vector<StoredVocabulary> VocabularyStore::list() const {
  std::vector<StoredVocabulary> all;
  const auto take = [&](const std::string& name) {
    const bool there = std::any_of(all.begin(), all.end(),
                                   [&](const StoredVocabulary& one) { return one.name == name; });
    if (!there) all.push_back(find(name).value_or(StoredVocabulary{name, "", false}));
  };
  for (const KnownVocabulary& known : registry_.vocabularies()) take(known.name);
  for (const std::string& folder : folders_.named) {
    const auto entries = files_.list(folder);
    if (!entries) continue;
    for (const FolderEntry& entry : *entries) {
      const std::string name = without_ending(entry.name);
      if (entry.name == name + std::string(kEnding) && is_vocabulary_name(name)) take(name);
    }
  }
  return all;
}

Result<Vocabulary> VocabularyStore::open(std::string_view name, std::optional<Fidelity> fidelity) {
  const auto opened = [&]() -> Result<Vocabulary> {
    const std::string text(name);
    if (const auto stored = find(name)) {
      if (!stored->compiled) return open_file(stored->path, stored->name);
      Result<Vocabulary> block = open_block(stored->path);
      if (block) return block;
      return Error{block.error().kind, block.error().message + "; `pedrocli vocab add FILE -name " +
                                           text + "` rebuilds it"};
    }
    if (const KnownVocabulary* known = registry_.vocabulary(name)) {
      const std::string where = known->file.starts_with('/')
                                    ? ""
                                    : fmt::format(" in {}", fmt::join(folders_.named, " or "));
      return Error{ErrorKind::kUsage,
                   fmt::format("the vocabulary '{}' is not installed: there is no {}{}", name,
                               known->file, where)};
    }
    if (files_.info(text).kind == FileKind::kMissing && name.find('/') == std::string_view::npos) {
      return registry_.unknown_vocabulary(name);
    }
    return open_file(text, "");
  };
  Result<Vocabulary> vocabulary = opened();
  if (vocabulary && fidelity) vocabulary->set_fidelity(*fidelity);
  return vocabulary;
}

// The identity of a source file: everything that determines its compiled form. The block contains
// the version of the program's format (vocabulary_block.h).
Result<std::string> VocabularyStore::identity_of(const std::string& path,
                                                 const std::string& name) const {
  const auto real = files_.canonical(path);
  if (!real) return Error{ErrorKind::kUsage, real.error().message};
  const FileInfo info = files_.info(path);
  return fmt::format("{}\n{} bytes, changed {}\n{}", *real, info.bytes, info.modified_ns, name);
}

std::string VocabularyStore::cache_path(const std::string& identity) const {
  return fmt::format("{}/{}{}", folders_.cache, key_of(identity), kEnding);
}

std::optional<Vocabulary> VocabularyStore::cached(const std::string& identity) const {
  const std::string path = cache_path(identity);
  if (folders_.cache.empty() || files_.info(path).kind != FileKind::kFile) return std::nullopt;
  Result<Vocabulary> block = open_block(path);
  if (!block || block->origin() != identity) return std::nullopt;
  return *std::move(block);
}

std::optional<Vocabulary> VocabularyStore::compiled(const StoredVocabulary& stored) const {
  if (stored.path.empty()) return std::nullopt;
  if (stored.compiled) {
    Result<Vocabulary> block = open_block(stored.path);
    return block ? std::optional(*std::move(block)) : std::nullopt;
  }
  const auto identity = identity_of(stored.path, stored.name);
  return identity ? cached(*identity) : std::nullopt;
}

Result<Vocabulary> VocabularyStore::open_file(const std::string& path, const std::string& name) {
  PEDRO_TRY(const auto identity, identity_of(path, name));
  if (std::optional<Vocabulary> known = cached(identity)) return *std::move(known);
  Result<Vocabulary> compiled = compile_file(path, name, rules_of(name));
  if (compiled && !folders_.cache.empty() && files_.make_folders(folders_.cache)) {
    // A failed write is ignored: the file is compiled again next time.
    (void)files_.write_atomic(cache_path(identity), compiled->bytes());
  }
  return compiled;
}

// The rules of a named vocabulary; a file of ranks does not contain them.
RankFileRules VocabularyStore::rules_of(std::string_view name) const {
  const KnownVocabulary* known = registry_.vocabulary(name);
  return known == nullptr ? RankFileRules() : known->rules;
}

Result<Vocabulary> VocabularyStore::compile_file(const std::string& path, const std::string& name,
                                                 const RankFileRules& rules) const {
  PEDRO_TRY(auto identity, identity_of(path, name));
  PEDRO_TRY(const MappedFile file, MappedFile::open(path));
  PEDRO_TRY(VocabularySource source, read_vocabulary(file.bytes(), path, rules));
  if (!name.empty()) source.name = name;
  source.origin = std::move(identity);
  Result<Vocabulary> compiled = Vocabulary::compile(source);
  if (!compiled) return compiled.error().at(path);
  return compiled;
}

Result<Vocabulary> VocabularyStore::add(const std::string& file, const std::string& name,
                                        const std::string& folder) {
  if (!is_vocabulary_name(name)) {
    return Error{
        ErrorKind::kUsage,
        fmt::format(
            "'{}' is not a vocabulary name: expected up to {} letters, digits, '.', '_' and '-'",
            name, kMaxNameBytes)};
  }
  const std::string stem = without_ending(base_name(file));
  const bool is_known = registry_.vocabulary(name) != nullptr;
  PEDRO_TRY(Vocabulary compiled, compile_file(file, name, rules_of(is_known ? name : stem)));
  Status kept = files_.make_folders(folder);
  if (kept) {
    kept = files_.write_atomic(fmt::format("{}/{}{}", folder, name, kEnding), compiled.bytes());
  }
  if (!kept) return Error{ErrorKind::kUsage, kept.error().message};
  return compiled;
}

Status VocabularyStore::verify(const StoredVocabulary& stored) const {
  if (stored.path.empty()) return Error{ErrorKind::kUsage, "it does not exist"};
  if (!stored.compiled) return verify_file(stored);
  PEDRO_TRY(Vocabulary block, open_block(stored.path));
  const auto ids = encode_probe(std::move(block));
  return ids ? Status() : Status(ids.error().at(stored.path));
}

Status VocabularyStore::verify_file(const StoredVocabulary& stored) const {
  const KnownVocabulary* known = registry_.vocabulary(stored.name);
  if (known != nullptr && !known->sha256.empty()) {
    PEDRO_TRY(const MappedFile file, MappedFile::open(stored.path));
    if (sha256(file.bytes()) != known->sha256) {
      return Error{ErrorKind::kUsage,
                   stored.path + " is not the published file: its SHA-256 differs"};
    }
  }
  PEDRO_TRY(Vocabulary fresh, compile_file(stored.path, stored.name, rules_of(stored.name)));
  const auto ids = encode_probe(std::move(fresh));
  if (!ids) return ids.error().at(stored.path);
  std::optional<Vocabulary> kept = compiled(stored);
  if (!kept) return {};
  const auto kept_ids = encode_probe(*std::move(kept));
  if (kept_ids && *kept_ids == *ids) return {};
  return Error{ErrorKind::kUsage,
               fmt::format("{} gives different ids than its source {}; remove it",
                           cache_path(*identity_of(stored.path, stored.name)), stored.path)};
}

std::vector<std::string> VocabularyStore::sweep_cache() {
  std::vector<std::string> swept;
  const auto entries = files_.list(folders_.cache);
  if (folders_.cache.empty() || !entries) return swept;
  for (const FolderEntry& entry : *entries) {
    if (!entry.name.ends_with(kEnding)) continue;
    const std::string path = folders_.cache + "/" + entry.name;
    const Result<Vocabulary> block = open_block(path);
    if (!block && files_.remove(path)) swept.push_back(block.error().message);
  }
  return swept;
}

}  // namespace pedro
