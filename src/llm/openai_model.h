#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "llm/message_model.h"
#include "tokenizer/vocabulary_tokenizer.h"

namespace pedro {

/// Servers that speak OpenAI's chat completions, where each has its own way to say what a model can
/// do.
enum class OpenAiServer {
  kAny,      ///< OpenAI and all others; also a llama-server
  kOllama,   ///< "/api/ps" and "/api/show"; OLLAMA_CONTEXT_LENGTH is the server's matter
  kVllm,     ///< "max_model_len" in the list of models
  kLmStudio  ///< "/api/v0/models"
};

/// A model behind `POST /v1/chat/completions`. What it has of the prompt in its cache is usage, if
/// the server says so. Models that refuse `max_tokens` are given `max_completion_tokens`, and those
/// that refuse a temperature none; that is found out with the first request.
class OpenAiModel : public MessageModel {
 public:
  /// The tokens of a model by its name; see exact_tokenizer(). Biases of texts are of tokens.
  using FindTokenizer =
      std::function<Result<std::unique_ptr<VocabularyTokenizer>>(std::string_view model)>;

  /// See MessageModel.
  OpenAiModel(Http& http, ServerOptions options, OpenAiServer server, Settings settings,
              FindTokenizer find_tokenizer, GenerateEvents events, const CancelToken& cancel);

 protected:
  Result<Context> find_context() override;
  Result<std::string> write_body(const ChatRequest& chat, const Sampling& sampling) override;
  Result<Json> find_logit_bias(std::span<const BiasedText> texts) override;
  bool adapt_to(const ServerRefusal& refusal) override;

 private:
  Result<Context> context_of_ollama();
  Result<Context> context_of_lm_studio();

  OpenAiServer server_;
  FindTokenizer find_tokenizer_;
  bool names_completion_tokens_ = false;
  bool sends_temperature_ = true;
  bool sends_penalty_ = true;
};

}  // namespace pedro
