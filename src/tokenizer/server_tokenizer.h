#pragma once

#include <functional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/json.h"
#include "tokenizer/token_cache.h"
#include "tokenizer/tokenizer.h"

namespace pedro {

/// Sends one JSON request to a path of the server ("/tokenize") and gives back the JSON answer of a
/// 200; any other answer is an Error.
using PostJson = std::function<Result<Json>(const std::string& path, const Json& body)>;

/// Tokenizes with llama-server's own `/tokenize`, so the ids are those the server would use. One
/// thread.
///
/// Several texts go in one request: the `content` may be an array of texts and ids, each text is
/// tokenized as if it stood alone and an id comes back as it is (tokenize_mixed() in llama.cpp's
/// tools/server/server-common.cpp); the id -1, which no text has, stands between them. What was
/// asked is remembered (TokenCache), and so are the tokens' texts.
class ServerTokenizer : public Tokenizer {
 public:
  static constexpr std::size_t kCacheBytes = std::size_t{16} << 20;
  /// Of the texts of a request, but for a text that is longer.
  static constexpr std::size_t kRequestBytes = std::size_t{1} << 20;

  explicit ServerTokenizer(PostJson post) : post_(std::move(post)) {}

  /// Specials that are named are looked for here, the longest first.
  Result<std::vector<TokenId>> encode(std::string_view text, Specials specials) override;
  Result<std::vector<std::vector<TokenId>>> encode_each(std::span<const Passage> passages) override;
  Result<std::size_t> count(std::string_view text, Specials specials) override;
  Result<std::string> decode(const std::vector<TokenId>& ids) override;
  Result<std::string> piece(TokenId id) override;
  Result<std::vector<std::string>> pieces(std::span<const TokenId> ids) override;
  Result<std::optional<TokenId>> id_of(std::string_view bytes) override;
  Result<bool> is_control(TokenId id) override;
  Result<std::vector<TokenId>> prompt_start() override;
  std::string provider_name() const override { return "server"; }
  bool is_exact() const override { return true; }

 private:
  enum class Parse { kText, kSpecials };
  /// What is tokenized for itself: a passage, or a part of one in which specials are named.
  struct Run {
    std::string_view text;
    Parse parse = Parse::kText;
    std::vector<TokenId> ids = {};
  };

  static std::vector<Run> runs_of(const Passage& passage);
  TokenCache& cache_of(Parse parse);
  Status ask_each(std::span<Run*> runs, Parse parse);
  Status ask(std::span<Run*> runs, Parse parse);
  Result<Json> tokenize(Json content, Parse parse, const char* option);
  Status learn_pieces(std::span<const TokenId> ids);

  PostJson post_;
  TokenCache texts_{kCacheBytes / 2};
  TokenCache template_texts_{kCacheBytes / 2};
  std::unordered_map<TokenId, std::string> pieces_;
  std::optional<std::vector<TokenId>> prompt_start_;
};

}  // namespace pedro
