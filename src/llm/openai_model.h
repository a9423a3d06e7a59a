#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

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
/// reports them. Replaces `max_tokens` by `max_completion_tokens`, lowers it, omits `temperature`,
/// `stream_options` or `frequency_penalty`, or does not stream, for models that refuse them. The
/// first request discovers this.
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
  Result<ContextWindow> context_in_ollama();  // of the loaded model, else 0
  Result<ContextWindow> context_of_ollama();
  Result<ContextWindow> context_of_lm_studio();
  Result<ContextWindow> context_of_sglang();
  long long named_limit(const ServerRefusal& refusal) const;

  OpenAiServer server_;
  FindTokenizer find_tokenizer_;
  bool names_completion_tokens_ = false;
  bool sends_temperature_ = true;
  bool sends_penalty_ = true;
  bool sends_usage_option_ = true;
  bool streams_ = true;
  long long most_tokens_ = 0;  // of a reply, as the server says; 0: no limit known
  long long sent_tokens_ = 0;  // limit in the last request
};

}  // namespace pedro
