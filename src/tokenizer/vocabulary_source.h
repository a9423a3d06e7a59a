#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tokenizer/normal_form.h"
#include "tokenizer/token_id.h"
#include "tokenizer/token_list.h"

namespace pedro {

/// `left` and `right`, side by side, become `result`.
struct Merge {
  TokenId left = 0;
  TokenId right = 0;
  TokenId result = 0;

  bool operator==(const Merge&) const = default;
};

/// What is merged: bytes (GPT-2 and what came after it), or characters, which fall back to bytes
/// where they are not in the vocabulary (SentencePiece's BPE: Llama 2, Mistral v1 to v3, Gemma).
enum class Symbols : std::uint8_t { kBytes, kCharacters };

/// Whose ids a vocabulary gives where llama.cpp and the reference differ.
enum class Fidelity : std::uint8_t {
  kReference,  ///< tiktoken, Hugging Face tokenizers, sentencepiece, mistral-common
  kLlamaCpp,   ///< what a llama-server gives
};

/// How text is cut into pieces that are merged apart: either one of the scanners that we have, by
/// its name ("cl100k"), or patterns, each of which cuts what the one before left (a match is a
/// piece, and so is what lies between two matches).
struct PreTokenizer {
  std::string scanner;
  std::vector<std::string> patterns;

  bool operator==(const PreTokenizer&) const = default;
};

/// All that a vocabulary file says, whatever its format; a plain value, input of compile().
struct VocabularySource {
  std::string name;    ///< for people: "qwen2", "o200k_base"
  std::string origin;  ///< what it was made of, for who keeps compiled vocabularies
  Symbols symbols = Symbols::kBytes;
  Fidelity fidelity = Fidelity::kReference;
  PreTokenizer pre_tokenizer;

  TokenList tokens;  ///< a token's place is its id
  /// In the order in which they are tried. None: two tokens merge where a token has the bytes of
  /// both; the one with the lowest id first (bytes) or the highest score (characters).
  std::vector<Merge> merges;

  bool ignore_merges =
      false;  ///< a piece that is a token is that token, even if no merges lead there
  /// Special tokens that take the white space (of ASCII) behind them.
  std::vector<TokenId> strip_behind;
  NormalForm form = NormalForm::kNone;  ///< that text is brought into first
  bool space_prefix = false;            ///< characters: text begins with a space more than it has
  bool escape_spaces = false;           ///< characters: a space is U+2581

  std::optional<TokenId> bos;
  std::optional<TokenId> eos;
  std::optional<TokenId> unknown;
  bool add_bos = false;  ///< a prompt begins with `bos`
  bool add_eos = false;
};

}  // namespace pedro
