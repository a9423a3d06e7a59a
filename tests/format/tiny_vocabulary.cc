#include "format/tiny_vocabulary.h"

#include <doctest/doctest.h>

namespace pedro {

std::unique_ptr<VocabularyTokenizer> tiny_tokenizer(const std::vector<std::string>& tokens) {
  VocabularySource source;
  source.name = "tiny";
  source.pre_tokenizer.scanner = "none";
  for (int byte = 0; byte < 256; ++byte) {
    source.tokens.push_back({std::string(1, static_cast<char>(byte)), TokenKind::kNormal, 0});
  }
  for (const std::string& token : tokens) {
    const bool ordinary = token.starts_with('=');
    source.tokens.push_back({ordinary ? std::string_view(token).substr(1) : token,
                             ordinary ? TokenKind::kNormal : TokenKind::kControl, 0});
  }
  Result<Vocabulary> vocabulary = Vocabulary::compile(source);
  REQUIRE(vocabulary.ok());
  auto tokenizer = VocabularyTokenizer::create(*std::move(vocabulary));
  REQUIRE(tokenizer.ok());
  return *std::move(tokenizer);
}

}  // namespace pedro
