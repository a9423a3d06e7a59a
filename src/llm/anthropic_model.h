#pragma once

#include <string>

#include "llm/message_model.h"

namespace pedro {

/// A model behind `POST /v1/messages`: Anthropic's, and llama-server's. The API caches a prompt up
/// to where it is told (kPrefixes of anthropic_messages.h); usage says what came of it. Thinking is
/// off: it cannot be had together with a call that has to be. What the list of models does not say
/// of the context is taken to be 200000 tokens, as all of the API's models have.
class AnthropicModel : public MessageModel {
 public:
  /// See MessageModel.
  AnthropicModel(Http& http, ServerOptions options, Settings settings, GenerateEvents events,
                 const CancelToken& cancel);

 protected:
  Result<Context> find_context() override;
  Result<std::string> write_body(const ChatRequest& chat, const Sampling& sampling) override;
};

}  // namespace pedro
