#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "chat/message.h"

namespace pedro {

/// A piece of what a message says.
struct ContentChunk {
  enum class Kind { kText, kThinking };

  Kind kind = Kind::kText;
  std::string text;    ///< valid UTF-8
  bool closed = true;  ///< of kThinking: the model had come to the end of it
  /// Of kThinking: what its server wants to have back with it, as it came; Anthropic's.
  std::optional<std::string> signature = std::nullopt;
  bool redacted = false;  ///< of kThinking: there is no text, the signature is all that was told
};

/// A call as the model asked for it, whether or not there is such a tool.
struct RequestedCall {
  std::string id;  ///< as it was given; "" where none was
  std::string name;
  std::string arguments;  ///< JSON as it was written; may be any text
};

/// A message of a ChatRequest.
struct ChatMessage {
  Role role = Role::kUser;
  std::vector<ContentChunk> content;   ///< none where the text is "" or null
  std::vector<RequestedCall> calls;    ///< of kAssistant
  bool prefix = false;                 ///< of kAssistant: not at its end yet, the model goes on
  std::optional<std::string> call_id;  ///< of kTool: whose result this is
  std::optional<std::string> name;     ///< of kTool: the tool's
};

/// All of its text, without thinking.
inline std::string text_of(const ChatMessage& message) {
  std::string text;
  for (const ContentChunk& chunk : message.content) {
    if (chunk.kind == ContentChunk::Kind::kText) text += chunk.text;
  }
  return text;
}

/// A message that is text and nothing else.
inline ChatMessage text_message(Role role, std::string text) {
  ChatMessage message;
  message.role = role;
  if (!text.empty()) message.content.push_back({ContentChunk::Kind::kText, std::move(text)});
  return message;
}

/// A tool as it is made known to a model.
struct DeclaredTool {
  std::string name;
  std::string description;
  std::string parameters = "{}";  ///< a JSON Schema: an object, as it was written
};

/// Which tools a model may call, or has to. Servers see to it; families of models do not write it.
struct ToolChoice {
  enum class Kind {
    kNotSaid,
    kAuto,
    kNone,
    kAny,  ///< it has to call one
    kTool  ///< it has to call this one
  };

  Kind kind = Kind::kNotSaid;
  std::string tool;  ///< of kTool
};

/// What a model is asked to go on with, in the shape of OpenAI's chat completions. JSON that
/// reaches a prompt is kept as it was written: how numbers are spelled decides about tokens.
struct ChatRequest {
  std::vector<ChatMessage> messages;
  std::vector<DeclaredTool> tools;
  ToolChoice tool_choice;
  std::string reasoning_effort;         ///< "" where it is not said
  std::string date;                     ///< today, "2026-11-22", for families that write it
  bool continue_final_message = false;  ///< the last message is a prefix, and so it is marked
};

}  // namespace pedro
