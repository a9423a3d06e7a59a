#pragma once

#include <string>

#include "llm/accepted_fields.h"
#include "llm/message_model.h"

namespace pedro {

/// A model with the API `POST /v1/messages`: Anthropic's API, or llama-server. The API caches
/// prompts up to markers (kPrefixes of anthropic_messages.h), and usage reports cached tokens.
/// Thinking is off: the API does not combine it with a forced call. Assumes a context of 200000
/// tokens if the list of models and the routes of local servers lack it. All models of the API have
/// this one. Omits or changes what a server refuses (AcceptedFields).
class AnthropicModel : public MessageModel {
 public:
  /// See MessageModel.
  AnthropicModel(Http& http, ServerOptions options, Settings settings, GenerateEvents events,
                 const CancelToken& cancel);

 protected:
  Result<ContextWindow> find_context() override;
  Result<std::string> write_body(const ChatRequest& chat, const Sampling& sampling) override;
  bool adapt_to(const ServerRefusal& refusal) override;

 private:
  AcceptedFields fields_{BodyField::kTemperature, BodyField::kThinking, BodyField::kCacheMarks,
                         BodyField::kBlocks, BodyField::kStream};
};

}  // namespace pedro
