#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "llm/accepted_fields.h"
#include "llm/message_model.h"
#include "tokenizer/vocabulary_tokenizer.h"

namespace pedro {

/// Servers with OpenAI's chat completions. Each has its own way to report a model's properties.
enum class OpenAiServer {
  kAny,      ///< OpenAI and all others, including llama-server; tries the routes of all
  kOllama,   ///< "/api/ps" and "/api/show"; the server applies OLLAMA_CONTEXT_LENGTH itself
  kVllm,     ///< "max_model_len" in the list of models
  kLmStudio  ///< "/api/v0/models"
};

/// A model with the API `POST /v1/chat/completions`. Usage includes cached tokens if the server
/// reports them. Adapts requests to models that refuse a field. Replaces `max_tokens` by
/// `max_completion_tokens`, lowers it, omits `temperature`, `seed`, `stream_options` or
/// `frequency_penalty`, or does not stream. The first request discovers this.
class OpenAiModel : public MessageModel {
 public:
  /// Returns the tokenizer for a model's name; see exact_tokenizer(). Biases require token ids.
  using FindTokenizer =
      std::function<Result<std::unique_ptr<VocabularyTokenizer>>(std::string_view model)>;

  /// See MessageModel.
  OpenAiModel(Http& http, ServerOptions options, OpenAiServer server, Settings settings,
              FindTokenizer find_tokenizer, GenerateEvents events, const CancelToken& cancel);

 protected:
  Result<ContextWindow> find_context() override;
  Result<std::string> write_body(const ChatRequest& chat, const Sampling& sampling) override;
  Result<Json> find_logit_bias(std::span<const BiasedText> texts) override;
  bool adapt_to(const ServerRefusal& refusal) override;

 private:
  OpenAiServer server_;
  FindTokenizer find_tokenizer_;
  AcceptedFields fields_{BodyField::kUsageOption, BodyField::kTemperature, BodyField::kPenalty,
                         BodyField::kSeed, BodyField::kStream};
};

}  // namespace pedro
