#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "base/result.h"
#include "chat/chat_request.h"
#include "format/anthropic_reply.h"
#include "format/model_reply.h"
#include "format/openai_reply.h"

namespace pedro {

/// Formats in which a server is asked in messages and answers in them, JSON both: what a model is
/// given is then the server's matter.
enum class MessageFormat { kOpenAi, kAnthropic };

struct MessageFormatRow {
  MessageFormat format;
  std::string_view name;
  std::string_view about;
};

/// "openai" and "anthropic".
std::span<const MessageFormatRow> message_formats();

std::optional<MessageFormat> message_format_named(std::string_view name);

/// See openai_messages.h and anthropic_messages.h.
Status check_messages(MessageFormat format, const ChatRequest& request);
Result<std::string> render_messages(MessageFormat format, const ChatRequest& request);
ChatRequest with_native_call_ids(MessageFormat format, ChatRequest request);

/// Reads a whole body; see openai_reply.h and anthropic_reply.h.
Result<ModelReply> read_reply(MessageFormat format, std::string_view body,
                              const ReplyLimits& limits = {});

/// A reply that is streamed, in one of the formats.
class ReplyStream {
 public:
  explicit ReplyStream(MessageFormat format, const ReplyLimits& limits = {});

  /// The data of the next server-sent event.
  Status feed(std::string_view event);
  Result<ModelReply> finish();
  const ModelReply& so_far() const;

 private:
  std::variant<OpenAiReply, AnthropicReply> reply_;
};

}  // namespace pedro
