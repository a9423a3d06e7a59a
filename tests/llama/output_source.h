#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/cancel.h"
#include "base/json.h"
#include "base/result.h"
#include "sys/http.h"

namespace pedro {

/// A request to a server's model.
struct OutputRequest {
  std::string constraint = {};  ///< a grammar, or with `is_json_schema` the text of a schema
  bool is_json_schema = false;
  unsigned seed = 1;
  int max_tokens = 400;
  /// Added to the logits of the tokens that consist only of '"', ']' and '}'. To a noise model each
  /// of 150,000 tokens is as likely as the one that closes a string. So it fills every bounded text
  /// completely, and never ends an unbounded one. With 0 all tokens are equally likely; with about
  /// 9 a string has about ten tokens; with 14 everything closes at the first opportunity.
  double lean_to_end = 9;
};

/// The model's output.
struct Output {
  int status = 200;  ///< the HTTP status; unless 200, `text` is the server's error
  std::string text = {};
  bool ended = false;  ///< ended by itself, not at the limit
  int tokens = 0;
  double ms_per_token = 0;
};

/// Texts that a llama-server's model generates under a grammar, at temperature 1, from an empty
/// prompt, without the prefix cache. Bans the vocabulary's control tokens, as the program does:
/// otherwise they would match as the characters of their names. One thread.
class OutputSource {
 public:
  /// `url` as in PEDROCLI_SERVER_URL.
  explicit OutputSource(std::string url) : url_(std::move(url)) {}

  /// Looks up the token ids. Call it first.
  Status open();

  /// Errors: the server cannot be reached, or does not answer within three minutes.
  Result<Output> next(const OutputRequest& request);

 private:
  Result<HttpResponse> post(const std::string& path, const Json& body);
  Result<std::vector<int>> tokens_of(const std::string& text);

  std::string url_;
  CurlHttp http_;
  CancelToken cancel_;
  Json banned_ = Json::array();
  std::vector<int> closing_;
};

}  // namespace pedro
