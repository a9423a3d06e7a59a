#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "tokenizer/vocabulary_source.h"

namespace pedro {

/// Maps the pre-tokenizer of a file to a scanner. In llama.cpp fidelity a scanner behaves like
/// llama.cpp with the same patterns. The scanners with their rules in reference fidelity:
///   gpt2       `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`.
///   cl100k     tiktoken's: 's.. in any case, `[^\r\n\p{L}\p{N}]?\p{L}+`, `\p{N}{1,3}`, and blanks
///              as `\s+$|\s*[\r\n]|\s+(?!\S)|\s`.
///   llama3     cl100k with blanks as `\s*[\r\n]+|\s+(?!\S)|\s+`.
///   qwen2      llama3 with single `\p{N}`; qwen35: and `[\p{L}\p{M}]+` for letters.
///   o200k      words by case with trailing 's..; tekken: without those, single `\p{N}`.
///   deepseek3  `\p{N}{1,3}`, then runs of Han and kana, then words.
///   starcoder  single `\p{N}`, then gpt2.
///   newlines   `[^\n]+|[\n]+`.
///   none       text is not cut.

/// The properties that GGUF's tokenizer.ggml.pre selects.
struct GgufPreTokenizer {
  /// Patterns are in PCRE2 syntax with Unicode properties and match like llama.cpp's. A pattern may
  /// match the empty string: it then cuts at that position.
  PreTokenizer pre_tokenizer;
  Symbols symbols = Symbols::kBytes;
  bool escape_spaces = false;
  bool ignore_merges = false;
  bool add_bos = false;         ///< default of tokenizer.ggml.add_bos_token
  bool always_bos = false;      ///< overrides tokenizer.ggml.add_bos_token
  bool has_default_bos = true;  ///< token 11 is the default of tokenizer.ggml.bos_token_id
};

/// Looks up a name of llama.cpp v0.5.0; "" is the value for a missing key. An Error (kConfig) for
/// an unknown name lists close ones.
Result<GgufPreTokenizer> gguf_pre_tokenizer(std::string_view pre);

/// The scanner that is equivalent to `patterns` applied in sequence, or "". The patterns are
/// verbatim from a tokenizer.json, a tekken.json or tiktoken.
std::string_view scanner_of(const std::vector<std::string>& patterns);

/// The scanner for a file of ranks by its name without extension ("cl100k_base"), or "".
std::string_view scanner_of_ranks(std::string_view stem);

}  // namespace pedro
