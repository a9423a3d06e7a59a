#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "tokenizer/byte_level.h"
#include "tokenizer/end_of_generation.h"
#include "tokenizer/pre_tokenizer_table.h"
#include "tokenizer/quoted_token.h"
#include "tokenizer/token_index.h"
#include "tokenizer/token_list.h"
#include "tokenizer/vocabulary_limits.h"
#include "tokenizer/vocabulary_readers.h"

namespace pedro {
namespace {

// A fill-in-the-middle part of a prompt: the keys that may name its token, and the texts of its
// token otherwise.
struct FillInPart {
  std::string_view keys;   // space-separated; any of them may name the token
  std::string_view texts;  // space-separated
};

constexpr FillInPart kFillInParts[] = {
    {"tokenizer.ggml.fim_pre_token_id tokenizer.ggml.prefix_token_id",
     "<|fim_prefix|> <fim-prefix> <fim_prefix> <｜fim▁begin｜> <PRE> ▁<PRE> <|code_prefix|> "
     "<|prefix|>"},
    {"tokenizer.ggml.fim_suf_token_id tokenizer.ggml.suffix_token_id",
     "<|fim_suffix|> <fim-suffix> <fim_suffix> <｜fim▁hole｜> <SUF> ▁<SUF> <|code_suffix|> "
     "<|suffix|>"},
    {"tokenizer.ggml.fim_mid_token_id tokenizer.ggml.middle_token_id",
     "<|fim_middle|> <fim-middle> <fim_middle> <｜fim▁end｜> <MID> ▁<MID> <|code_middle|> "
     "<|middle|>"},
    {"tokenizer.ggml.fim_pad_token_id", "<|fim_pad|> <fim-pad> <fim_pad> <PAD> [PAD]"},
    {"tokenizer.ggml.fim_rep_token_id", "<|fim_repo|> <|repo_name|> <fim-repo> <REPO> <reponame>"},
    {"tokenizer.ggml.fim_sep_token_id", "<|file_sep|>"},
};

constexpr std::string_view kAlwaysRendered[] = {"<|channel|>", "<|message|>", "<|start|>",
                                                "<|constrain|>"};

Result<bool> is_named(const GgufFile& file, const FillInPart& part, std::size_t tokens) {
  bool named = false;
  for (const std::string_view key : split(part.keys, ' ')) {
    PEDRO_TRY(const auto id, file.integer(key));
    named |= id && *id < tokens;
  }
  return named;
}

void set_kind(const TokenIndex& index, std::string_view text, TokenKind kind, TokenList& tokens) {
  if (const auto id = index.find(text)) tokens.set_kind(*id, kind);
}

Status mark_fill_in(const GgufFile& file, const TokenIndex& index, TokenList& tokens) {
  for (const FillInPart& part : kFillInParts) {
    PEDRO_TRY(const auto named, is_named(file, part, tokens.size()));
    if (named) continue;
    std::optional<TokenId> first;
    for (const std::string_view text : split(part.texts, ' ')) {
      const auto id = index.find(text);
      if (id) first = std::min(*id, first.value_or(*id));
    }
    if (first) tokens.set_kind(*first, TokenKind::kControl);
  }
  return {};
}

// Corrects token kinds by the tokens' texts, like llama.cpp after loading.
//   - ends of generation of any model ("<|im_end|>", "</s>") are control.
//   - one token for each fill-in-the-middle part is control, unless the file names one. If several
//     match, llama.cpp's choice is arbitrary; this function takes the lowest id.
//   - gpt-oss' "<|channel|>", "<|message|>", "<|start|>" and "<|constrain|>" are user-defined.
//   - so is "<|end|>" if "<|call|>" or "<|calls|>" exists, and "<|return|>" or "<|flush|>".
//   - "</s>" is normal if "<|tool_response>" exists.
// `index` must contain the texts of the tokens as in the file. Errors (kConfig): an invalid key.
Status correct_gguf_kinds(const GgufFile& file, const TokenIndex& index, TokenList& tokens) {
  if (Status marked = mark_fill_in(file, index, tokens); !marked) return marked;
  for (const std::string_view text : ends_of_generation()) {
    set_kind(index, text, TokenKind::kControl, tokens);
  }
  for (const std::string_view text : kAlwaysRendered) {
    set_kind(index, text, TokenKind::kUserDefined, tokens);
  }
  const auto has = [&index](std::string_view text) { return index.find(text).has_value(); };
  const bool calls = has("<|call|>") || has("<|calls|>");
  if (calls && (has("<|return|>") || has("<|flush|>"))) {
    set_kind(index, "<|end|>", TokenKind::kUserDefined, tokens);
  }
  if (has("<|tool_response>")) set_kind(index, "</s>", TokenKind::kNormal, tokens);
  return {};
}

// The special tokens that strip the white space after them. Only Phi-3 has them; llama.cpp detects
// it by the model's name. Excludes "<unk>", "<s>" and "<|endoftext|>". Requires corrected kinds.
std::vector<TokenId> gguf_strip_behind(const GgufFile& file, const TokenList& tokens) {
  const std::string name = to_lower(file.model_name());
  std::vector<TokenId> ids;
  if (name.find("phi-3") == std::string::npos && name.find("phi3") == std::string::npos) return ids;
  for (std::size_t id = 0; id < tokens.size(); ++id) {
    const SourceToken token = tokens[id];
    const bool special = token.kind == TokenKind::kControl || token.kind == TokenKind::kUnknown ||
                         token.kind == TokenKind::kUserDefined;
    const bool left_out =
        token.bytes == "<unk>" || token.bytes == "<s>" || token.bytes == "<|endoftext|>";
    if (special && !left_out) ids.push_back(static_cast<TokenId>(id));
  }
  return ids;
}

constexpr std::string_view kTokens = "tokenizer.ggml.tokens";
constexpr std::string_view kMerges = "tokenizer.ggml.merges";
constexpr std::string_view kKinds = "tokenizer.ggml.token_type";
constexpr std::string_view kScores = "tokenizer.ggml.scores";

constexpr std::string_view kOtherModels[] = {"bert",      "t5",       "rwkv", "plamo2",
                                             "hybriddna", "no_vocab", "none", "test"};

Error token_error(std::size_t id, std::string_view text, std::string_view message) {
  return config_error(kTokens, fmt::format("token {} {} {}", id, quoted_token(text), message));
}

TokenKind kind_of(std::int32_t type) {
  return type >= 1 && type <= 6 ? static_cast<TokenKind>(type) : TokenKind::kUnused;
}

/// The vocabulary data of a file.
struct Sections {
  GgufTexts tokens;
  std::optional<GgufNumbers> kinds;
  std::optional<GgufNumbers> scores;
  std::optional<GgufTexts> merges;
};

Result<std::optional<GgufNumbers>> column(const GgufFile& file, std::string_view key,
                                          std::size_t tokens) {
  auto numbers = file.numbers(key);
  if (!numbers || !*numbers || (*numbers)->size() >= tokens) return numbers;
  return config_error(key, fmt::format("{} values for {} tokens", (*numbers)->size(), tokens));
}

Result<Sections> sections_of(const GgufFile& file) {
  Sections sections;
  PEDRO_TRY(const auto tokens, file.texts(kTokens));
  if (!tokens) return config_error(kTokens, "there is no such key");
  sections.tokens = *tokens;
  const std::size_t count = sections.tokens.size();
  if (count == 0 || count > kMaxVocabularyTokens) {
    return config_error(kTokens,
                        fmt::format("{} tokens, expected 1 to {}", count, kMaxVocabularyTokens));
  }
  PEDRO_TRY(const auto kinds, column(file, kKinds, count));
  sections.kinds = kinds;
  if (sections.kinds && sections.kinds->type() != GgufType::kInt32) {
    return config_error(kKinds, "it is of type array of float32, not array of int32");
  }
  PEDRO_TRY(const auto scores, column(file, kScores, count));
  sections.scores = scores;
  PEDRO_TRY(const auto merges, file.texts(kMerges));
  sections.merges = merges;
  return sections;
}

/// Builds the tokens of a vocabulary, first with their texts from the file.
class GgufTokenReader {
 public:
  GgufTokenReader(const GgufFile& file, const Sections& sections, VocabularySource& source)
      : file_(file), sections_(sections), source_(source) {}

  Status read_tokens(bool with_scores) {
    std::size_t text_bytes = 0;
    for (const std::string_view text : sections_.tokens) text_bytes += text.size();
    if (text_bytes > kMaxVocabularyFileBytes) {
      return config_error(kTokens, fmt::format("{} bytes of text", text_bytes));
    }
    spare_bytes_ = text_bytes + kSpareBytes;
    source_.tokens.reserve(sections_.tokens.size(), text_bytes);
    std::size_t id = 0;
    for (const std::string_view text : sections_.tokens) {
      if (Status added = add(id++, text, with_scores); !added) return added;
    }
    return {};
  }

  Status correct_kinds(const TokenIndex& index) {
    return correct_gguf_kinds(file_, index, source_.tokens);
  }

  Status read_merges(const TokenIndex& index) {
    if (!sections_.merges || sections_.merges->size() == 0) {
      return config_error(kMerges, "there are none");
    }
    const std::size_t count = sections_.merges->size();
    if (count > kMaxVocabularyMerges) {
      return config_error(kMerges, fmt::format("{} merges, more than the limit of {}", count,
                                               kMaxVocabularyMerges));
    }
    source_.merges.reserve(count);
    for (const std::string_view text : *sections_.merges) {
      if (Status added = add_merge(index, text); !added) return added;
    }
    return {};
  }

  // Replaces the texts in the file by the bytes that they represent.
  Status spell_out() {
    for (std::size_t id = 0; id < source_.tokens.size(); ++id) {
      const SourceToken token = source_.tokens[id];
      if (token.kind == TokenKind::kByte) {
        const auto byte = byte_of_name(token.bytes);
        if (!byte) return token_error(id, token.bytes, "is a byte, but not written as <0x0A>");
        source_.tokens.set_bytes(id, std::string(1, *byte));
      } else if (source_.symbols == Symbols::kBytes && token.kind != TokenKind::kControl &&
                 token.kind != TokenKind::kUserDefined && token.kind != TokenKind::kUnknown) {
        if (Status spelled = spell_out_letters(id, token.bytes); !spelled) return spelled;
      }
    }
    return {};
  }

 private:
  // The allowance, beyond the size of all texts, for texts that become longer than in the file.
  static constexpr std::size_t kSpareBytes = 64U << 10U;

  Status add(std::size_t id, std::string_view text, bool with_score) {
    if (text.size() > kMaxTokenBytes) {
      return token_error(id, text, fmt::format("has {} bytes", text.size()));
    }
    SourceToken token{text};
    if (sections_.kinds) token.kind = kind_of(sections_.kinds->integer(id));
    if (with_score && sections_.scores) token.score = sections_.scores->real(id);
    std::string name;
    if (text.empty()) {
      name = fmt::format("[EMPTY_{}]", id);
      if (!spend(name.size())) return too_long(id, text);
      token.bytes = name;
    }
    source_.tokens.push_back(token);
    return {};
  }

  Status add_merge(const TokenIndex& index, std::string_view text) {
    const std::size_t space = text.find(' ', 1);
    const auto place = [&] {
      return fmt::format("{}: merge {} {}", kMerges, source_.merges.size(), quoted_token(text));
    };
    if (space == std::string_view::npos) {
      return Error{ErrorKind::kConfig, "there is no blank between two tokens"}.at(place());
    }
    const auto merge = index.merge_of(text.substr(0, space), text.substr(space + 1));
    if (!merge) return merge.error().at(place());
    source_.merges.push_back(*merge);
    return {};
  }

  Status spell_out_letters(std::size_t id, std::string_view text) {
    auto bytes = bytes_of_letters(text);
    if (!bytes) bytes = bytes_as_llama_cpp(text, kMaxTokenBytes);
    if (!bytes || (bytes->size() > text.size() && !spend(bytes->size()))) {
      return too_long(id, text);
    }
    source_.tokens.set_bytes(id, *bytes);
    return {};
  }

  bool spend(std::size_t bytes) {
    if (bytes > spare_bytes_) return false;
    spare_bytes_ -= bytes;
    return true;
  }

  static Error too_long(std::size_t id, std::string_view text) {
    return token_error(id, text, "becomes too long when spelled out");
  }

  const GgufFile& file_;
  const Sections& sections_;
  VocabularySource& source_;
  std::size_t spare_bytes_ = 0;
};

// The id of a special token: from the file, if in range; else the fallback, if in range.
Result<std::optional<TokenId>> special_id(const GgufFile& file, std::string_view key,
                                          std::optional<TokenId> fallback, std::size_t tokens) {
  PEDRO_TRY(const auto id, file.integer(key));
  if (id && *id < tokens) return std::optional(static_cast<TokenId>(*id));
  if (fallback && static_cast<std::size_t>(*fallback) >= tokens) return std::optional<TokenId>();
  return fallback;
}

struct Defaults {
  std::optional<TokenId> bos;
  std::optional<TokenId> eos;
  std::optional<TokenId> unknown;
};

Status read_special_ids(const GgufFile& file, const Defaults& defaults, VocabularySource& source) {
  struct Row {
    std::string_view key;
    std::optional<TokenId> fallback;
    std::optional<TokenId>& id;
  };
  const Row rows[] = {
      {"tokenizer.ggml.bos_token_id", defaults.bos, source.bos},
      {"tokenizer.ggml.eos_token_id", defaults.eos, source.eos},
      {"tokenizer.ggml.unknown_token_id", defaults.unknown, source.unknown},
  };
  for (const Row& row : rows) {
    PEDRO_TRY(const auto id, special_id(file, row.key, row.fallback, source.tokens.size()));
    row.id = id;
  }
  return {};
}

Status read_truth(const GgufFile& file, std::string_view key, bool& value) {
  PEDRO_TRY(const auto truth, file.truth(key));
  value = truth.value_or(value);
  return {};
}

Status read_starts_and_ends(const GgufFile& file, VocabularySource& source) {
  Status read = read_truth(file, "tokenizer.ggml.add_bos_token", source.add_bos);
  if (read.ok()) read = read_truth(file, "tokenizer.ggml.add_eos_token", source.add_eos);
  return read;
}

// Reads merges of bytes, or of characters (Gemma 4), with a named pre-tokenizer.
Result<VocabularySource> read_merging(const GgufFile& file, const Sections& sections,
                                      std::string_view model) {
  PEDRO_TRY(const auto named, file.text("tokenizer.ggml.pre"));
  const bool is_gemma = model == "gemma4";
  const auto pre = gguf_pre_tokenizer(is_gemma ? "gemma4" : named.value_or(""));
  if (!pre) return pre.error().at("tokenizer.ggml.pre");

  VocabularySource source;
  source.symbols = pre->symbols;
  source.pre_tokenizer = pre->pre_tokenizer;
  source.escape_spaces = pre->escape_spaces;
  source.ignore_merges = pre->ignore_merges;
  source.add_bos = pre->add_bos;
  GgufTokenReader reader(file, sections, source);
  PEDRO_RETURN_IF_ERROR(reader.read_tokens(false));
  {
    const auto index = TokenIndex::of(source.tokens);
    if (!index) return index.error().at(kTokens);
    PEDRO_RETURN_IF_ERROR(reader.correct_kinds(*index));
    PEDRO_RETURN_IF_ERROR(reader.read_merges(*index));
  }
  PEDRO_RETURN_IF_ERROR(reader.spell_out());
  PEDRO_RETURN_IF_ERROR(drop_repeated(source.merges, Keep::kFirst));
  Defaults defaults;
  if (!is_gemma) defaults = {pre->has_default_bos ? std::optional(11) : std::nullopt, 11, {}};
  PEDRO_RETURN_IF_ERROR(read_special_ids(file, defaults, source));
  PEDRO_RETURN_IF_ERROR(read_starts_and_ends(file, source));
  source.add_bos |= pre->always_bos;
  return source;
}

// Reads a SentencePiece vocabulary: characters that merge by score.
Result<VocabularySource> read_scored(const GgufFile& file, const Sections& sections) {
  VocabularySource source;
  source.symbols = Symbols::kCharacters;
  source.pre_tokenizer.scanner = "none";
  source.escape_spaces = true;
  source.space_prefix = true;
  source.add_bos = true;
  GgufTokenReader reader(file, sections, source);
  PEDRO_RETURN_IF_ERROR(reader.read_tokens(true));
  {
    const auto index = TokenIndex::of(source.tokens);
    if (!index) return index.error().at(kTokens);
    PEDRO_RETURN_IF_ERROR(reader.correct_kinds(*index));
  }
  PEDRO_RETURN_IF_ERROR(reader.spell_out());
  PEDRO_RETURN_IF_ERROR(read_special_ids(file, {1, 2, 0}, source));
  PEDRO_RETURN_IF_ERROR(read_starts_and_ends(file, source));
  PEDRO_RETURN_IF_ERROR(read_truth(file, "tokenizer.ggml.add_space_prefix", source.space_prefix));
  return source;
}

}  // namespace

Result<VocabularySource> read_gguf_vocabulary(const GgufFile& file) {
  constexpr std::string_view kModel = "tokenizer.ggml.model";
  PEDRO_TRY(const auto model, file.text(kModel));
  if (!model) return config_error(kModel, "there is no such key: the file has no vocabulary");
  for (const std::string_view other : kOtherModels) {
    if (*model == other) {
      return config_error(kModel, fmt::format("vocabularies of kind '{}' cannot be read", other));
    }
  }
  const bool is_scored = *model == "llama";
  if (!is_scored && *model != "gpt2" && *model != "gemma4" && *model != "whitespace") {
    return config_error(kModel, fmt::format("unknown kind of vocabulary {}", quoted_token(*model)));
  }
  PEDRO_TRY(const auto sections, sections_of(file));
  PEDRO_TRY(auto source,
            is_scored ? read_scored(file, sections) : read_merging(file, sections, *model));
  source.fidelity = Fidelity::kLlamaCpp;
  source.strip_behind = gguf_strip_behind(file, source.tokens);
  return source;
}

}  // namespace pedro
