#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "base/trace.h"
#include "tokenizer/tokenizer.h"

namespace pedro {

/// Sends one JSON request to a path of the server ("/tokenize") and gives back the JSON answer of a
/// 200; any other answer is an Error.
using PostJson = std::function<Result<Json>(const std::string& path, const Json& body)>;

/// Tokenizes with llama-server's own `/tokenize`, so the ids are those the server would use.
/// Template texts are few and repeat: what was encoded with special tokens is remembered. One
/// thread.
class ServerTokenizer : public Tokenizer {
 public:
  ServerTokenizer(PostJson post, Trace trace) : post_(std::move(post)), trace_(std::move(trace)) {}

  /// Specials that are named are looked for here, the longest first.
  Result<std::vector<TokenId>> encode(std::string_view text, Specials specials) override;
  Result<std::size_t> count(std::string_view text, Specials specials) override;
  Result<std::string> decode(const std::vector<TokenId>& ids) override;
  Result<std::string> piece(TokenId id) override;
  Result<std::optional<TokenId>> id_of(std::string_view bytes) override;
  Result<bool> is_control(TokenId id) override;
  Result<std::vector<TokenId>> prompt_start() override;
  std::string provider_name() const override { return "server"; }
  bool is_exact() const override { return true; }

 private:
  enum class Parse { kText, kSpecials };

  Result<std::vector<TokenId>> ask(std::string_view text, Parse parse, bool add_special);
  Result<std::vector<TokenId>> template_text(std::string_view text);

  PostJson post_;
  Trace trace_;
  std::vector<std::pair<std::string, std::vector<TokenId>>> template_cache_;
};

}  // namespace pedro
