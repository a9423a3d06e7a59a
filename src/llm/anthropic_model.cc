#include "llm/anthropic_model.h"

#include <algorithm>

#include "messages_api/anthropic_messages.h"
#include "messages_api/message_tokens.h"

namespace pedro {
namespace {

constexpr long long kUsualContext = 200000;

}  // namespace

AnthropicModel::AnthropicModel(Http& http, ServerOptions options, Settings settings,
                               GenerateEvents events, const CancelToken& cancel)
    : MessageModel(http, std::move(options),
                   {.format = MessageFormat::kAnthropic,
                    .backend = "anthropic",
                    .path = "/v1/messages",
                    .models_path = "/v1/models?limit=1000",
                    .manners = {.key_header = "x-api-key: ",
                                .headers = {"anthropic-version: 2023-06-01"},
                                .not_found = "are model.server_url and model.model_name right?"},
                    .usual_context = kUsualContext,
                    .count_path = "/v1/messages/count_tokens",
                    .message_tokens = anthropic_message_tokens},
                   std::move(settings), std::move(events), cancel) {}

Result<ContextWindow> AnthropicModel::find_context() {
  return find_any_context();
}

Result<std::string> AnthropicModel::write_body(const ChatRequest& chat, const Sampling& sampling) {
  const bool marks = fields_.sends(BodyField::kCacheMarks);
  const ContentForm form =
      fields_.sends(BodyField::kBlocks) ? ContentForm::kBlocks : ContentForm::kString;
  PEDRO_TRY(const std::string conversation,
            render_anthropic(chat, marks ? CacheMarks::kPrefixes : CacheMarks::kNone, form));
  Json settings = {{"model", model_id()},
                   {"max_tokens", fields_.limit_tokens(sampling.max_tokens)},
                   {"stream", fields_.sends(BodyField::kStream)}};
  if (fields_.sends(BodyField::kTemperature)) {
    settings["temperature"] = std::min(sampling.temperature, 1.0);
  }
  if (fields_.sends(BodyField::kThinking)) settings["thinking"] = {{"type", "disabled"}};
  if (!sampling.stops.empty()) settings["stop_sequences"] = sampling.stops;
  std::string body = to_line(settings);
  body.back() = ',';
  return body + conversation.substr(1);
}

bool AnthropicModel::adapt_to(const ServerRefusal& refusal) {
  return fields_.learn(refusal);
}

}  // namespace pedro
