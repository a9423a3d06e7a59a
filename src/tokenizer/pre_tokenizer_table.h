#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "tokenizer/vocabulary_source.h"

namespace pedro {

/// How a file's way to cut text is one of our scanners. They are, with their rules in reference
/// fidelity (in llama.cpp's, a scanner does what llama.cpp does for the same patterns):
///   gpt2       's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
///   cl100k     tiktoken's: 's.. in any case, [^\r\n\p{L}\p{N}]?\p{L}+, \p{N}{1,3}, and blanks as
///              \s+$|\s*[\r\n]|\s+(?!\S)|\s
///   llama3     cl100k with blanks as \s*[\r\n]+|\s+(?!\S)|\s+
///   qwen2      llama3 with single \p{N}; qwen35: and [\p{L}\p{M}]+ for letters
///   o200k      words by case, with 's.. behind them; tekken: without those, single \p{N}
///   deepseek3  \p{N}{1,3}, then runs of Han and kana, then words
///   starcoder  single \p{N}, then gpt2
///   newlines   [^\n]+|[\n]+
///   none       text is not cut

/// What GGUF's tokenizer.ggml.pre stands for.
struct GgufPreTokenizer {
  /// Patterns are in PCRE2's language (with Unicode properties), and mean what llama.cpp does. They
  /// may match nothing: then they cut where they match.
  PreTokenizer pre_tokenizer;
  Symbols symbols = Symbols::kBytes;
  bool escape_spaces = false;
  bool ignore_merges = false;
  bool add_bos = false;         ///< where tokenizer.ggml.add_bos_token is missing
  bool always_bos = false;      ///< whatever tokenizer.ggml.add_bos_token says
  bool has_default_bos = true;  ///< token 11, where tokenizer.ggml.bos_token_id is missing
};

/// All names that llama.cpp v0.5.0 knows; "" is what it takes a missing key for. An Error names
/// close ones.
Result<GgufPreTokenizer> gguf_pre_tokenizer(std::string_view pre);

/// The scanner that does what all of `patterns` do one after the other, as they stand in a
/// tokenizer.json, a tekken.json or in tiktoken; "" where none does.
std::string_view scanner_of(const std::vector<std::string>& patterns);

/// The scanner of a file of ranks by its name without the ending ("cl100k_base"); "" if unknown.
std::string_view scanner_of_ranks(std::string_view stem);

}  // namespace pedro
