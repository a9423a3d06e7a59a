#include "llm/openai_model.h"

#include <utility>

#include "llm/served_window.h"
#include "llm/token_bias.h"
#include "messages_api/message_tokens.h"
#include "messages_api/openai_messages.h"

namespace pedro {
namespace {

constexpr double kFrequencyPenalty = 0.3;

std::string_view backend_of(OpenAiServer server) {
  constexpr std::string_view kNames[] = {"openai", "ollama", "vllm", "lmstudio"};
  return kNames[static_cast<int>(server)];
}

}  // namespace

OpenAiModel::OpenAiModel(Http& http, ServerOptions options, OpenAiServer server, Settings settings,
                         FindTokenizer find_tokenizer, GenerateEvents events,
                         const CancelToken& cancel)
    : MessageModel(http, std::move(options),
                   {.format = MessageFormat::kOpenAi,
                    .backend = backend_of(server),
                    .path = "/v1/chat/completions",
                    .models_path = "/v1/models",
                    .manners = {.not_found = "are model.server_url and model.model_name right?"},
                    .has_schemas = true,
                    .takes_options = server == OpenAiServer::kAny || server == OpenAiServer::kVllm,
                    .count_path = "/v1/chat/completions/input_tokens",
                    .message_tokens = openai_message_tokens},
                   std::move(settings), std::move(events), cancel),
      server_(server),
      find_tokenizer_(std::move(find_tokenizer)) {}

Result<ContextWindow> OpenAiModel::find_context() {
  switch (server_) {
    case OpenAiServer::kOllama:
      return window_of_ollama(client(), model_id());
    case OpenAiServer::kLmStudio:
      return window_of_lm_studio(client(), model_id());
    case OpenAiServer::kVllm:
      return ContextWindow{};
    case OpenAiServer::kAny:
      break;
  }
  return find_any_context();
}

Result<std::string> OpenAiModel::write_body(const ChatRequest& chat, const Sampling& sampling) {
  const bool streams = fields_.sends(BodyField::kStream);
  Json settings = {{"model", model_id()},
                   {fields_.names_completion_tokens() ? "max_completion_tokens" : "max_tokens",
                    fields_.limit_tokens(sampling.max_tokens)},
                   {"stream", streams}};
  if (streams && fields_.sends(BodyField::kUsageOption)) {
    settings["stream_options"] = {{"include_usage", true}};
  }
  if (fields_.sends(BodyField::kTemperature)) settings["temperature"] = sampling.temperature;
  if (sampling.seed && fields_.sends(BodyField::kSeed)) settings["seed"] = *sampling.seed;
  if (sampling.penalizes_repetition && fields_.sends(BodyField::kPenalty)) {
    settings["frequency_penalty"] = kFrequencyPenalty;
  }
  if (!sampling.stops.empty()) settings["stop"] = sampling.stops;
  if (!sampling.logit_bias.is_null()) settings["logit_bias"] = sampling.logit_bias;
  if (!sampling.schema.is_null()) {
    settings["response_format"] = {
        {"type", "json_schema"}, {"json_schema", {{"name", "call"}, {"schema", sampling.schema}}}};
  }
  std::string body = to_line(settings);
  body.back() = ',';
  return body + render_openai(chat).substr(1);
}

// Returns {"id": bias}.
Result<Json> OpenAiModel::find_logit_bias(std::span<const BiasedText> texts) {
  PEDRO_TRY(auto tokenizer, find_tokenizer_(model_id()));
  PEDRO_TRY(const auto found, find_biases(texts, *tokenizer));
  const Trace& trace = client().options().trace;
  if (trace.wants(TraceTopic::kTokens)) {
    for (const TextBias& one : found) trace.sink(TraceTopic::kTokens, "bias " + to_text(one));
  }
  Json biases = Json::object();
  for (const TokenBias& one : token_biases(found)) biases[std::to_string(one.id)] = one.bias;
  return biases;
}

bool OpenAiModel::adapt_to(const ServerRefusal& refusal) {
  return fields_.learn(refusal);
}

}  // namespace pedro
