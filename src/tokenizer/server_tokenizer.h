#pragma once

#include <cstddef>
#include <functional>
#include <list>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/json.h"
#include "tokenizer/token_id.h"
#include "tokenizer/tokenizer.h"

namespace pedro {

/// An LRU cache from texts to token ids with a limit in bytes. Not thread-safe.
class TokenCache {
 public:
  /// Limits texts and ids together to `max_bytes`. Ignores entries of more than an eighth of that.
  explicit TokenCache(std::size_t max_bytes) : max_bytes_(max_bytes) {}
  // Not copyable: the keys of by_text_ point into entries_.
  TokenCache(const TokenCache&) = delete;
  TokenCache& operator=(const TokenCache&) = delete;

  /// Returns the ids of the text, or null. Valid until the next add().
  const std::vector<TokenId>* find(std::string_view text);
  void add(std::string_view text, const std::vector<TokenId>& ids);

  std::size_t bytes() const { return bytes_; }

 private:
  struct Entry {
    std::string text;
    std::vector<TokenId> ids;
  };
  static std::size_t bytes_of(std::string_view text, const std::vector<TokenId>& ids);

  std::size_t max_bytes_;
  std::size_t bytes_ = 0;
  std::list<Entry> entries_;  // most recently used first
  std::unordered_map<std::string_view, std::list<Entry>::iterator> by_text_;
};

/// Posts a JSON request to a path of the server ("/tokenize"). Returns the JSON answer of status
/// 200; any other status is an Error.
using PostJson = std::function<Result<Json>(const std::string& path, const Json& body)>;

/// Tokenizes with llama-server's `/tokenize`, so ids are exactly the server's. Not thread-safe.
///
/// Sends several texts per request: `content` may be an array of texts and ids. The server
/// tokenizes each text independently and returns ids unchanged (tokenize_mixed() in llama.cpp's
/// tools/server/server-common.cpp). The id -1, which no text produces, separates the texts. Results
/// are cached (TokenCache), as are the texts of tokens.
class ServerTokenizer : public Tokenizer {
 public:
  static constexpr std::size_t kCacheBytes = std::size_t{16} << 20;
  /// The maximum size of all texts of a request; a longer text is sent alone.
  static constexpr std::size_t kRequestBytes = std::size_t{1} << 20;

  explicit ServerTokenizer(PostJson post) : post_(std::move(post)) {}

  /// Named specials are searched for here, the longest first.
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
  /// A unit of tokenization: a passage, or a part of one with named specials.
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
