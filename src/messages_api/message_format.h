#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "base/result.h"
#include "chat/chat_request.h"
#include "messages_api/model_reply.h"
#include "messages_api/reply_readers.h"

namespace pedro {

/// Formats for servers that exchange messages as JSON. Such a server writes the model's prompt.
enum class MessageFormat { kOpenAi, kAnthropic };

struct MessageFormatRow {
  MessageFormat format;
  std::string_view name;
  std::string_view about;
};

/// The rows of all formats: "openai" and "anthropic".
std::span<const MessageFormatRow> message_formats();

std::optional<MessageFormat> message_format_named(std::string_view name);

/// See openai_messages.h and anthropic_messages.h.
Status check_messages(MessageFormat format, const ChatRequest& request);
Result<std::string> render_messages(MessageFormat format, const ChatRequest& request);
ChatRequest with_native_call_ids(MessageFormat format, ChatRequest request);

/// Reads a whole body; see reply_readers.h.
Result<ModelReply> read_reply(MessageFormat format, std::string_view body,
                              const ReplyLimits& limits = {});

/// A streamed reply in one of the formats.
///
///     ReplyStream stream(MessageFormat::kOpenAi);
///     PEDRO_RETURN_IF_ERROR(stream.feed(event));  // each "data:" of the server
///     PEDRO_TRY(const ModelReply reply, stream.finish());
class ReplyStream {
 public:
  explicit ReplyStream(MessageFormat format, const ReplyLimits& limits = {});

  /// Reads the data of the next server-sent event, and its name.
  Status feed(std::string_view event, std::string_view name = {});
  Result<ModelReply> finish();
  const ModelReply& so_far() const;

 private:
  std::variant<OpenAiReply, AnthropicReply> reply_;
};

}  // namespace pedro
