#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/utf8.h"
#include "tokenizer/vocabulary_tokenizer.h"

namespace pedro {

/// A llama-server's /tokenize and /detokenize around a vocabulary. Records the requests.
class FakeTokenize {
 public:
  explicit FakeTokenize(VocabularySource source) {
    auto vocabulary = Vocabulary::compile(source);
    REQUIRE(vocabulary.ok());
    auto made = VocabularyTokenizer::create(*std::move(vocabulary));
    REQUIRE(made.ok());
    tokenizer = *std::move(made);
  }

  Result<Json> operator()(const std::string& path, const Json& body) {
    requests.push_back(path + " " + to_line(body));
    if (path == "/detokenize") {
      return Json{
          {"content", *tokenizer->decode(member(body, "tokens").get<std::vector<TokenId>>())}};
    }
    std::vector<TokenId> ids;
    if (truth_of(body, "add_special")) ids = *tokenizer->prompt_start();
    const Json& content = member(body, "content");
    for (const Json& one : content.is_array() ? content : Json::array({content})) {
      if (one.is_number()) {
        ids.push_back(one.get<TokenId>());
        continue;
      }
      const Specials specials = truth_of(body, "parse_special") ? Specials::kAll : Specials::kNone;
      const auto some = tokenizer->encode(one.get<std::string>(), specials);
      ids.insert(ids.end(), some->begin(), some->end());
    }
    if (!truth_of(body, "with_pieces")) return Json::object({{"tokens", ids}});
    Json tokens = Json::array();
    for (const TokenId id : ids) {
      const auto piece = tokenizer->piece(id);
      if (!piece) return Error{ErrorKind::kModel, "/tokenize: the server answered 500"};
      tokens.push_back(
          {{"id", id}, {"piece", is_valid_utf8(*piece) ? Json(*piece) : bytes(*piece)}});
    }
    return Json::object({{"tokens", tokens}});
  }

  std::unique_ptr<VocabularyTokenizer> tokenizer;
  std::vector<std::string> requests;

 private:
  static Json bytes(const std::string& piece) {
    Json out = Json::array();
    for (const char byte : piece) out.push_back(static_cast<unsigned char>(byte));
    return out;
  }
};

}  // namespace pedro
