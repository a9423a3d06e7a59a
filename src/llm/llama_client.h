#pragma once

#include <functional>
#include <string>

#include "base/cancel.h"
#include "base/json.h"
#include "chat/chat_request.h"
#include "format/served_template.h"
#include "llm/json_client.h"
#include "sys/http.h"
#include "tokenizer/server_tokenizer.h"

namespace pedro {

/// llama-server's HTTP API (tools/server/README.md of llama.cpp), as far as no other server has it.
class LlamaClient : public JsonClient {
 public:
  /// `options.model` is for a router.
  LlamaClient(Http& http, ServerOptions options, const CancelToken& cancel);

  /// POST with a streamed answer: `on_event` sees each event's JSON; false hangs up, which is no
  /// Error. An event that is an error is an Error. `body` as JsonClient has it.
  Status stream_json(const std::string& path, std::string& body,
                     const std::function<bool(const Json& event)>& on_event);

  /// Waits until the model is loaded (a 503 "Loading model" is waited for).
  Status wait_until_ready();

  /// `GET /props`; of a router the model's of options().model. An Error where that names none.
  Result<Json> props();

  /// What a tokenizer asks the server through. Borrows this client.
  PostJson poster();

  /// The text that the model's own chat template makes of a request, tools and all; the
  /// request's date does not reach it. Errors as ServedTemplate has them.
  Result<std::string> apply_template(const ChatRequest& request, const TemplateMode& mode);
};

}  // namespace pedro
