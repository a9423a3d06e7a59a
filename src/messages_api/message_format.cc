#include "messages_api/message_format.h"

#include "messages_api/anthropic_messages.h"
#include "messages_api/openai_messages.h"

namespace pedro {
namespace {

constexpr MessageFormatRow kMessageFormats[] = {
    {MessageFormat::kOpenAi, "openai", "messages of OpenAI's chat completions, JSON"},
    {MessageFormat::kAnthropic, "anthropic", "messages of Anthropic's API, JSON"},
};

std::variant<OpenAiReply, AnthropicReply> reply_of(MessageFormat format,
                                                   const ReplyLimits& limits) {
  if (format == MessageFormat::kOpenAi) return OpenAiReply(limits);
  return AnthropicReply(limits);
}

}  // namespace

std::span<const MessageFormatRow> message_formats() {
  return kMessageFormats;
}

std::optional<MessageFormat> message_format_named(std::string_view name) {
  for (const MessageFormatRow& row : kMessageFormats) {
    if (row.name == name) return row.format;
  }
  return {};
}

Status check_messages(MessageFormat format, const ChatRequest& request) {
  return format == MessageFormat::kOpenAi ? check_openai(request) : check_anthropic(request);
}

Result<std::string> render_messages(MessageFormat format, const ChatRequest& request) {
  if (format == MessageFormat::kOpenAi) return render_openai(request);
  return render_anthropic(request);
}

ChatRequest with_native_call_ids(MessageFormat format, ChatRequest request) {
  if (format == MessageFormat::kOpenAi) return with_openai_call_ids(std::move(request));
  return with_anthropic_call_ids(std::move(request));
}

Result<ModelReply> read_reply(MessageFormat format, std::string_view body,
                              const ReplyLimits& limits) {
  if (format == MessageFormat::kOpenAi) return read_openai_reply(body, limits);
  return read_anthropic_reply(body, limits);
}

ReplyStream::ReplyStream(MessageFormat format, const ReplyLimits& limits)
    : reply_(reply_of(format, limits)) {}

Status ReplyStream::feed(std::string_view event, std::string_view name) {
  if (auto* reply = std::get_if<AnthropicReply>(&reply_)) return reply->feed(event, name);
  return std::get<OpenAiReply>(reply_).feed(event);
}

Result<ModelReply> ReplyStream::finish() {
  return std::visit([](auto& reply) { return reply.finish(); }, reply_);
}

const ModelReply& ReplyStream::so_far() const {
  return std::visit([](const auto& reply) -> const ModelReply& { return reply.so_far(); }, reply_);
}

}  // namespace pedro
