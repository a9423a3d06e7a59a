#include "chat_format/write_chat_request.h"

#include <string>

#include "chat_format/message_text.h"

namespace pedro {
namespace {

Json call_json(const RequestedCall& call) {
  Json out = {{"type", "function"},
              {"function", {{"name", call.name}, {"arguments", call.arguments}}}};
  if (!call.id.empty()) out["id"] = call.id;
  return out;
}

Json message_json(const ChatMessage& message) {
  const std::string text = text_of_kind(message, ContentChunk::Kind::kText);
  const bool only_calls = text.empty() && !message.calls.empty();
  Json out = {{"role", to_string(message.role)}, {"content", only_calls ? Json() : Json(text)}};
  const std::string thinking = text_of_kind(message, ContentChunk::Kind::kThinking);
  if (!thinking.empty()) out["reasoning_content"] = thinking;
  for (const RequestedCall& call : message.calls) out["tool_calls"].push_back(call_json(call));
  if (message.call_id) out["tool_call_id"] = *message.call_id;
  if (message.name) out["name"] = *message.name;
  if (message.prefix) out["prefix"] = true;
  return out;
}

Json tool_json_of(const DeclaredTool& tool) {
  const Result<Json> parameters = parse_json(tool.parameters);
  return {{"type", "function"},
          {"function",
           {{"name", tool.name},
            {"description", tool.description},
            {"parameters", parameters ? *parameters : Json::object()}}}};
}

}  // namespace

Json write_chat_request(const ChatRequest& request) {
  Json out = {{"messages", Json::array()}};
  for (const ChatMessage& message : request.messages) {
    out["messages"].push_back(message_json(message));
  }
  for (const DeclaredTool& tool : request.tools) out["tools"].push_back(tool_json_of(tool));
  if (!request.reasoning_effort.empty()) out["reasoning_effort"] = request.reasoning_effort;
  return out;
}

}  // namespace pedro
