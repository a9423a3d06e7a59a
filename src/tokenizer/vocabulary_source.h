#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tokenizer/normal_form.h"
#include "tokenizer/token_id.h"
#include "tokenizer/token_list.h"

namespace pedro {

/// Adjacent tokens `left` and `right` become `result`.
struct Merge {
  TokenId left = 0;
  TokenId right = 0;
  TokenId result = 0;

  bool operator==(const Merge&) const = default;
};

/// The unit of merging: bytes (GPT-2 and its successors), or characters with byte fallback. The
/// latter is SentencePiece's BPE (Llama 2, Mistral v1 to v3, Gemma).
enum class Symbols : std::uint8_t { kBytes, kCharacters };

/// The reference for ids if llama.cpp and the original tokenizer differ.
enum class Fidelity : std::uint8_t {
  kReference,  ///< tiktoken, Hugging Face tokenizers, sentencepiece, mistral-common
  kLlamaCpp,   ///< the ids of a llama-server
};

/// The rule that cuts text into independent pieces: a built-in scanner by name ("cl100k"), or
/// patterns. Each pattern cuts the pieces of the previous one: matches and the text between matches
/// are pieces.
struct PreTokenizer {
  std::string scanner;
  std::vector<std::string> patterns;

  bool operator==(const PreTokenizer&) const = default;
};

/// The contents of a vocabulary file of any format. A value type; the input of
/// Vocabulary::compile().
struct VocabularySource {
  std::string name;    ///< display name: "qwen2", "o200k_base"
  std::string origin;  ///< identity of the source file, for caches
  Symbols symbols = Symbols::kBytes;
  Fidelity fidelity = Fidelity::kReference;
  PreTokenizer pre_tokenizer;

  TokenList tokens;  ///< indexed by id
  /// In order of precedence. If empty, two tokens merge if a token has their joined bytes. The
  /// lowest id comes first (bytes) or the highest score (characters).
  std::vector<Merge> merges;

  bool ignore_merges =
      false;  ///< a piece that is a token becomes that token, even if no merges produce it
  /// Special tokens that strip the ASCII white space after them.
  std::vector<TokenId> strip_behind;
  NormalForm form = NormalForm::kNone;  ///< normalization before cutting
  bool space_prefix = false;            ///< characters: a space is inserted before the text
  bool escape_spaces = false;           ///< characters: spaces become U+2581

  std::optional<TokenId> bos;
  std::optional<TokenId> eos;
  std::optional<TokenId> unknown;
  bool add_bos = false;  ///< a prompt begins with `bos`
  bool add_eos = false;
};

}  // namespace pedro
