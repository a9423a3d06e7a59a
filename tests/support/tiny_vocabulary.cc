#include "support/tiny_vocabulary.h"

#include <cassert>

namespace pedro {
namespace {

TokenKind kind_of(const std::string& token) {
  if (token.starts_with('=')) return TokenKind::kNormal;
  return token.starts_with('+') ? TokenKind::kUserDefined : TokenKind::kControl;
}

}  // namespace

std::unique_ptr<VocabularyTokenizer> tiny_tokenizer(const std::vector<std::string>& tokens,
                                                    bool spaced) {
  VocabularySource source;
  source.name = "tiny";
  source.pre_tokenizer.scanner = "none";
  source.space_prefix = spaced;
  for (int byte = 0; byte < 256; ++byte) {
    source.tokens.push_back({std::string(1, static_cast<char>(byte)), TokenKind::kNormal, 0});
  }
  for (const std::string& token : tokens) {
    const TokenKind kind = kind_of(token);
    // Only llama.cpp recognizes user-defined tokens in any text.
    if (kind == TokenKind::kUserDefined) source.fidelity = Fidelity::kLlamaCpp;
    const bool marked = kind != TokenKind::kControl;
    source.tokens.push_back({marked ? std::string_view(token).substr(1) : token, kind, 0});
  }
  Result<Vocabulary> vocabulary = Vocabulary::compile(source);
  assert(vocabulary.ok());
  auto tokenizer = VocabularyTokenizer::create(*std::move(vocabulary));
  assert(tokenizer.ok());
  return *std::move(tokenizer);
}

}  // namespace pedro
