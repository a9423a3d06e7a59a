#pragma once

#include <functional>
#include <span>
#include <string>

#include "base/cancel.h"
#include "base/json.h"
#include "base/trace.h"
#include "chat/chat_request.h"
#include "chat/message.h"
#include "format/served_template.h"
#include "sys/http.h"
#include "tokenizer/server_tokenizer.h"

namespace pedro {

/// How to reach a llama-server.
struct LlamaClientOptions {
  std::string url = "http://127.0.0.1:8080";  ///< without a path, or with the server's --api-prefix
  std::string api_key;                        ///< sent as a bearer token; never shown
  std::string model;                          ///< for a router; empty otherwise
  double idle_timeout_s = 300;
  /// For the whole of what the server answers without a model's work: also one that sends a byte
  /// now and then comes to an end.
  double answer_timeout_s = 60;
  RetryPolicy retry;
  Trace trace;
  std::function<void(std::string_view message)> on_notice;
};

/// llama-server's HTTP API (tools/server/README.md of llama.cpp): one function an exchange, JSON in
/// and out. Errors are kModel and say what the server said; kLimit where the prompt is too long for
/// the context; kInterrupted. Borrows `http` and `cancel`.
class LlamaClient {
 public:
  LlamaClient(Http& http, LlamaClientOptions options, const CancelToken& cancel);

  // get() and post() have answer_timeout_s: what a model has to work for goes by the others.

  /// GET; the JSON of a 200.
  Result<Json> get(const std::string& path);
  /// POST of a JSON body; the JSON of a 200.
  Result<Json> post(const std::string& path, const Json& body);
  /// The same with a body that is taken for the time of the call and given back, for it can be
  /// long. `on_wait` is called about twice a second until the answer comes; false gives up
  /// (kModel). There is no other time limit.
  Result<Json> post_watched(const std::string& path, std::string& body,
                            const std::function<bool()>& on_wait);
  /// POST with a streamed answer: `on_event` sees each event's JSON and returns false to hang up.
  /// `body` as above.
  Status stream(const std::string& path, std::string& body,
                const std::function<bool(const Json& event)>& on_event);

  /// Waits until the model is loaded (a 503 "Loading model" is waited for). A refused connection is
  /// tried for only a moment: most often there is no server.
  Status wait_until_ready();

  /// `GET /props`; of a router the model's of options().model. An Error where that names none.
  Result<Json> props();

  /// What a tokenizer asks the server through. Borrows this client.
  PostJson poster();

  /// The text that the model's own chat template makes of a request, tools and all; the
  /// request's date does not reach it. Errors as ServedTemplate has them.
  Result<std::string> apply_template(const ChatRequest& request, const TemplateMode& mode);

  const LlamaClientOptions& options() const { return options_; }

 private:
  HttpRequest request(std::string method, const std::string& path) const;
  Result<HttpResponse> send(HttpRequest& request, const BodySink& sink);
  Result<Json> exchange(HttpRequest& request);

  Http* http_;
  LlamaClientOptions options_;
  const CancelToken* cancel_;
};

}  // namespace pedro
