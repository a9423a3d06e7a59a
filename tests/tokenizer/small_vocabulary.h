#pragma once

#include <string>
#include <vector>

#include "base/utf8.h"
#include "tokenizer/byte_level.h"
#include "tokenizer/gguf_builder.h"
#include "tokenizer/vocabulary_source.h"

namespace pedro {

/// Encodes these bytes in GPT-2's alphabet.
inline std::string in_letters(const std::string& bytes) {
  std::string out;
  for (const char byte : bytes) append_utf8(out, letter_of_byte(byte));
  return out;
}

/// Builds a GGUF file. The 256 bytes are tokens with their value as id. `more` starts at 256, and
/// the control tokens follow. The first control token begins prompts. Each token of `more` without
/// its last byte must be an earlier token.
inline std::string small_gguf(const std::vector<std::string>& more, std::string_view name = "",
                              const std::vector<std::string>& controls = {"<s>", "<|im_end|>"}) {
  std::vector<std::string> tokens;
  for (int byte = 0; byte < 256; ++byte) {
    tokens.push_back(in_letters(std::string(1, static_cast<char>(byte))));
  }
  // A pair that never occurs in text, because the list of merges must not be empty.
  std::vector<std::string> merges = {tokens[0xF5] + " " + tokens[0xF6]};
  for (const std::string& token : more) {
    const std::string letters = in_letters(token);
    tokens.push_back(letters);
    merges.push_back(letters.substr(0, letters.size() - 1) + " " +
                     letters.substr(letters.size() - 1));
  }
  tokens.push_back(tokens[0xF5] + tokens[0xF6]);
  std::vector<std::int32_t> kinds(tokens.size(), 1);
  const std::size_t bos = tokens.size();
  tokens.insert(tokens.end(), controls.begin(), controls.end());
  kinds.resize(tokens.size(), 3);
  GgufBuilder builder;
  builder.text("general.name", name).text("tokenizer.ggml.model", "gpt2");
  builder.text("tokenizer.ggml.pre", "gpt-2").texts("tokenizer.ggml.tokens", tokens);
  builder.texts("tokenizer.ggml.merges", merges).integers("tokenizer.ggml.token_type", kinds);
  builder.number("tokenizer.ggml.bos_token_id", static_cast<std::uint32_t>(bos));
  builder.truth("tokenizer.ggml.add_bos_token", true);
  return builder.bytes();
}

}  // namespace pedro
