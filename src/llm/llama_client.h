#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/json.h"
#include "chat/chat_request.h"
#include "llm/json_client.h"
#include "sys/http.h"
#include "template_learner/served_template.h"
#include "tokenizer/server_tokenizer.h"

namespace pedro {

/// The parts of llama-server's HTTP API that other servers lack (tools/server/README.md of
/// llama.cpp).
class LlamaClient : public JsonClient {
 public:
  /// `options.model` is for a router.
  LlamaClient(Http& http, ServerOptions options, const CancelToken& cancel);

  /// Sends a POST with a streamed answer. `on_event` receives each event's JSON. Returning false
  /// closes the connection without an Error. An event that reports an error is an Error. `body`:
  /// see JsonClient.
  Status stream_json(const std::string& path, std::string& body,
                     const std::function<bool(const Json& event)>& on_event);

  /// Waits until the model is loaded: retries a 503 "Loading model".
  Status wait_until_ready();

  /// Returns `GET /props`; from a router those of its chosen model (choose_model), which
  /// options().model names from then on.
  Result<Json> props();

  /// Sends a GET about options().model, which a router must know from the query.
  Result<Json> get_of_model(const std::string& path);

  /// Returns the numbers of the slots without work; nullopt if the server does not list its slots
  /// (--no-slots). Errors: kInterrupted.
  Result<std::optional<std::vector<int>>> idle_slots();

  /// Returns the requests of a tokenizer to the server. Borrows this client.
  PostJson poster();

  /// Renders a request with the model's own chat template, including tools. Ignores the request's
  /// date. Errors: see ServedTemplate.
  Result<std::string> apply_template(const ChatRequest& request, const TemplateMode& mode);
};

/// The chat template of a llama-server. Borrows the client.
class LlamaTemplate : public ServedTemplate {
 public:
  explicit LlamaTemplate(LlamaClient& client) : client_(client) {}

  Result<std::string> render(const ChatRequest& request, const TemplateMode& mode) override {
    return client_.apply_template(request, mode);
  }

 private:
  LlamaClient& client_;
};

}  // namespace pedro
