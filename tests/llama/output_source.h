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

/// What to ask a server's model for.
struct OutputRequest {
  std::string constraint = {};  ///< a grammar, or with `is_json_schema` the text of a schema
  bool is_json_schema = false;
  unsigned seed = 1;
  int max_tokens = 400;
  /// Added to the logits of the tokens made of nothing but '"', ']' and '}'. A model that writes
  /// noise takes each of 150,000 tokens as gladly as the one that closes a string: it fills every
  /// bound to the brim, and what has none it never ends. With 0 one is as likely as any other; with
  /// about 9 a string has some ten tokens; with 14 everything is closed at the first occasion.
  double lean_to_end = 9;
};

/// What came.
struct Output {
  int status = 200;  ///< of HTTP; otherwise `text` is what the server said
  std::string text = {};
  bool ended = false;  ///< by itself, and not at the limit
  int tokens = 0;
  double ms_per_token = 0;
};

/// Texts that a llama-server's model writes under a grammar, at temperature 1, from an empty
/// prompt, without the prefix cache. The control tokens of the vocabulary are banned, as the
/// program does it, for they would pass as the characters of their names. One thread.
class OutputSource {
 public:
  /// `url` as in PEDROCLI_SERVER_URL.
  explicit OutputSource(std::string url) : url_(std::move(url)) {}

  /// Looks the tokens up. To be called first.
  Status open();

  /// An Error where the server does not answer within three minutes, or at all.
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
