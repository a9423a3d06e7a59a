#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "chat/message.h"

namespace pedro {

/// A piece of a message's content.
struct ContentChunk {
  enum class Kind { kText, kThinking, kImage };

  Kind kind = Kind::kText;
  std::string text;    ///< valid UTF-8; of kImage: the file in base64
  bool closed = true;  ///< of kThinking: the model ended it
  /// Signature of kThinking, verbatim. Only Anthropic's API has it, and requires it back.
  std::optional<std::string> signature = std::nullopt;
  bool redacted = false;        ///< of kThinking: has no text, only the signature
  std::string media_type = {};  ///< of kImage: "image/png"
};

/// A call as the model requested it. The tool may not exist.
struct RequestedCall {
  std::string id;  ///< verbatim; "" if none was given
  std::string name;
  std::string arguments;  ///< JSON as the model wrote it; may be any text
};

/// A message of a ChatRequest.
struct ChatMessage {
  Role role = Role::kUser;
  std::vector<ContentChunk> content;   ///< empty if the text is "" or null
  std::vector<RequestedCall> calls;    ///< of kAssistant
  bool prefix = false;                 ///< of kAssistant: unfinished, the model continues it
  std::optional<std::string> call_id;  ///< of kTool: the call that this result answers
  std::optional<std::string> name;     ///< of kTool: the name of the tool
};

/// Returns the text of a message without its thinking.
inline std::string text_of(const ChatMessage& message) {
  std::string text;
  for (const ContentChunk& chunk : message.content) {
    if (chunk.kind == ContentChunk::Kind::kText) text += chunk.text;
  }
  return text;
}

/// Returns a message that contains only text; an empty text gives no chunk.
inline ChatMessage text_message(Role role, std::string text) {
  ChatMessage message;
  message.role = role;
  if (!text.empty()) message.content.push_back({ContentChunk::Kind::kText, std::move(text)});
  return message;
}

/// A tool as declared to a model.
struct DeclaredTool {
  std::string name;
  std::string description;
  std::string parameters = "{}";  ///< a JSON Schema: an object, verbatim
};

/// The tools that a model may or must call. Servers enforce it; model families do not write it.
struct ToolChoice {
  enum class Kind {
    kNotSaid,
    kAuto,
    kNone,
    kAny,  ///< the model must call a tool
    kTool  ///< the model must call this tool
  };

  Kind kind = Kind::kNotSaid;
  std::string tool;                       ///< of kTool
  std::vector<std::string> allowed = {};  ///< of kAny: the tools to choose from; empty: all
};

/// A conversation for a model to continue, in the shape of OpenAI's chat completions. JSON that
/// reaches a prompt is kept verbatim, because the spelling of numbers determines the tokens.
struct ChatRequest {
  std::vector<ChatMessage> messages;
  std::vector<DeclaredTool> tools;
  ToolChoice tool_choice;
  std::string reasoning_effort;         ///< "" if not specified
  std::string date;                     ///< today, "2026-11-22"; for families that write it
  bool object_arguments = false;        ///< OpenAI's calls have objects as arguments, not strings
  bool continue_final_message = false;  ///< the last message is a prefix and has `prefix` set
};

}  // namespace pedro
