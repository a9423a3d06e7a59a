#include "llm/openai_model.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/text.h"
#include "llm/length_refusal.h"
#include "llm/token_bias.h"
#include "messages_api/message_tokens.h"
#include "messages_api/openai_messages.h"

namespace pedro {
namespace {

constexpr long long kOllamaContext = 4096;  // Ollama's default
constexpr double kFrequencyPenalty = 0.3;

std::string_view backend_of(OpenAiServer server) {
  constexpr std::string_view kNames[] = {"openai", "ollama", "vllm", "lmstudio"};
  return kNames[static_cast<int>(server)];
}

// Parses lines such as "num_ctx                        8192". Returns 0 if `name` is missing.
long long parameter_in(std::string_view parameters, std::string_view name) {
  for (const std::string_view line : split_lines(parameters)) {
    const std::size_t end = line.find(' ');
    if (end == std::string_view::npos || line.substr(0, end) != name) continue;
    const std::string_view value = trim(line.substr(end));
    long long number = 0;
    std::from_chars(value.data(), value.data() + value.size(), number);
    return number;
  }
  return 0;
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

Result<ContextWindow> OpenAiModel::context_in_ollama() {
  PEDRO_TRY(const Json loaded, if_there(client().get("/api/ps")));
  for (const Json& row : member(loaded, "models")) {
    const long long tokens = number_of(row, "context_length");
    if (text_of(row, "model") == model_id() && tokens > 0)
      return ContextWindow{tokens, "Ollama's ps"};
  }
  return ContextWindow{};
}

// Prefers the context of the loaded model over the configured one.
Result<ContextWindow> OpenAiModel::context_of_ollama() {
  PEDRO_TRY(ContextWindow loaded, context_in_ollama());
  if (loaded.tokens > 0) return loaded;
  PEDRO_TRY(const Json shown, if_there(client().post("/api/show", {{"model", model_id()}})));
  const long long told = parameter_in(text_of(shown, "parameters"), "num_ctx");
  if (told > 0) return ContextWindow{told, "num_ctx of the model"};
  return ContextWindow{kOllamaContext, "Ollama's default"};
}

Result<ContextWindow> OpenAiModel::context_of_lm_studio() {
  PEDRO_TRY(const Json list, if_there(client().get("/api/v0/models")));
  for (const Json& row : member(list, "data")) {
    if (text_of(row, "id") != model_id()) continue;
    const long long loaded = number_of(row, "loaded_context_length");
    if (loaded > 0) return ContextWindow{loaded, "LM Studio's list, as loaded"};
    return ContextWindow{number_of(row, "max_context_length"), "LM Studio's list, maximum"};
  }
  PEDRO_TRY(const Json newer, if_there(client().get("/api/v1/models")));
  for (const Json& row : member(newer, "models")) {
    if (text_of(row, "key") != model_id()) continue;
    for (const Json& instance : member(row, "loaded_instances")) {
      const long long loaded = number_of(member(instance, "config"), "context_length");
      if (loaded > 0) return ContextWindow{loaded, "LM Studio's list, as loaded"};
    }
    return ContextWindow{number_of(row, "max_context_length"), "LM Studio's list, maximum"};
  }
  return ContextWindow{};
}

Result<ContextWindow> OpenAiModel::context_of_sglang() {
  PEDRO_TRY(const Json info, if_there(client().get("/get_server_info")));
  return ContextWindow{number_of(info, "context_length"), "SGLang's server info"};
}

Result<ContextWindow> OpenAiModel::find_context() {
  switch (server_) {
    case OpenAiServer::kOllama:
      return context_of_ollama();
    case OpenAiServer::kLmStudio:
      return context_of_lm_studio();
    case OpenAiServer::kVllm:
      return ContextWindow{};
    case OpenAiServer::kAny:
      break;
  }
  Result<ContextWindow> window = context_of_llama_server();
  if (!window || window->tokens > 0) return window;
  for (const auto ask : {&OpenAiModel::context_of_lm_studio, &OpenAiModel::context_in_ollama,
                         &OpenAiModel::context_of_sglang}) {
    window = (this->*ask)();
    const bool interrupted = !window && window.error().kind == ErrorKind::kInterrupted;
    if (interrupted || (window && window->tokens > 0)) return window;
  }
  return ContextWindow{};
}

Result<std::string> OpenAiModel::write_body(const ChatRequest& chat, const Sampling& sampling) {
  sent_tokens_ =
      most_tokens_ > 0 ? std::min(most_tokens_, sampling.max_tokens) : sampling.max_tokens;
  Json settings = {
      {"model", model_id()},
      {names_completion_tokens_ ? "max_completion_tokens" : "max_tokens", sent_tokens_},
      {"stream", streams_}};
  if (streams_ && sends_usage_option_) settings["stream_options"] = {{"include_usage", true}};
  if (sends_temperature_) settings["temperature"] = sampling.temperature;
  if (sampling.seed) settings["seed"] = *sampling.seed;
  if (sampling.penalizes_repetition && sends_penalty_) {
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

// Returns the limit of a reply that a refusal names: its largest number below the requested one.
long long OpenAiModel::named_limit(const ServerRefusal& refusal) const {
  if (read_length_refusal(refusal)) return 0;
  long long limit = 0;
  for (std::size_t at = 0; at < refusal.message.size();) {
    long long number = 0;
    const char* begin = refusal.message.data() + at;
    const char* end = refusal.message.data() + refusal.message.size();
    const auto [next, error] = std::from_chars(begin, end, number);
    const bool is_limit = error == std::errc() && number < sent_tokens_;
    if (is_limit && number >= kShortestReply) limit = std::max(limit, number);
    at += next == begin ? 1 : static_cast<std::size_t>(next - begin);
  }
  return limit;
}

bool OpenAiModel::adapt_to(const ServerRefusal& refusal) {
  const auto names = [&refusal](std::string_view word) {
    return refusal.parameter == word || refusal.message.find(word) != std::string::npos;
  };
  const auto omit = [](bool& sends) { return std::exchange(sends, false); };
  const bool names_tokens =
      names("max_tokens") || names("max_completion_tokens") || names("max_new_tokens");
  const long long limit = names_tokens ? named_limit(refusal) : 0;
  if (limit > 0) {
    most_tokens_ = limit;
    return true;
  }
  const bool wants_other_name =
      refusal.parameter == "max_tokens" || (names_tokens && names("max_completion_tokens"));
  if (wants_other_name && !names_completion_tokens_) return names_completion_tokens_ = true;
  if (names_tokens && sent_tokens_ > kShortestReply && !read_length_refusal(refusal)) {
    most_tokens_ = std::max(sent_tokens_ / 2, kShortestReply);
    return true;
  }
  if (names("stream_options") && omit(sends_usage_option_)) return true;
  if (names("temperature") && omit(sends_temperature_)) return true;
  if (names("frequency_penalty") && omit(sends_penalty_)) return true;
  const std::string said = to_lower(refusal.message);
  const bool names_streams =
      said.find("streaming") != said.npos || said.find("stream with") != said.npos;
  return names_streams && omit(streams_);
}

}  // namespace pedro
