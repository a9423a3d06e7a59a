#include "messages_api/openai_messages.h"

#include <fmt/format.h>

#include "base/text.h"
#include "messages_api/message_rules.h"

namespace pedro {
namespace {

constexpr MessageRules kOpenAiRules{
    .ids = {.max_length = 40, .characters = CallIdForm::Characters::kVisible, .required = true}};

std::string thinking_of(const ChatMessage& message) {
  std::string all;
  for (const ContentChunk& chunk : message.content) {
    if (chunk.kind == ContentChunk::Kind::kThinking) all += chunk.text;
  }
  return all;
}

// Returns a string for one text, an array of chunks for several or for images.
std::string content_of(const ChatMessage& message) {
  std::vector<std::string> chunks;
  std::string_view text;
  bool has_images = false;
  for (const ContentChunk& chunk : message.content) {
    if (chunk.kind == ContentChunk::Kind::kImage) {
      has_images = true;
      chunks.push_back(
          fmt::format(R"({{"type":"image_url","image_url":{{"url":"data:{};base64,{}"}}}})",
                      chunk.media_type, chunk.text));
    }
    if (chunk.kind != ContentChunk::Kind::kText) continue;
    text = chunk.text;
    chunks.push_back(fmt::format(R"({{"type":"text","text":{}}})", json_string(text)));
  }
  if (chunks.size() > 1 || has_images) return "[" + join(chunks, ",") + "]";
  return chunks.empty() && !message.calls.empty() ? "null" : json_string(text);
}

std::string call_in_json(const RequestedCall& call, bool object_arguments) {
  const bool is_object = object_arguments && is_json_object(call.arguments);
  return fmt::format(R"({{"id":{},"type":"function","function":{{"name":{},"arguments":{}}}}})",
                     json_string(call.id), json_string(call.name),
                     is_object ? call.arguments : json_string(call.arguments));
}

std::string message_in_json(const ChatMessage& message, bool object_arguments) {
  std::string out = fmt::format(R"({{"role":"{}")", to_string(message.role));
  if (message.call_id) out += ",\"tool_call_id\":" + json_string(*message.call_id);
  if (message.name) out += ",\"name\":" + json_string(*message.name);
  const std::string thinking = thinking_of(message);
  if (!thinking.empty()) out += ",\"reasoning_content\":" + json_string(thinking);
  out += ",\"content\":" + content_of(message);
  std::vector<std::string> calls;
  for (const RequestedCall& call : message.calls) {
    calls.push_back(call_in_json(call, object_arguments));
  }
  if (!calls.empty()) out += ",\"tool_calls\":[" + join(calls, ",") + "]";
  if (message.prefix) out += ",\"prefix\":true";
  return out + "}";
}

std::string openai_tool(const DeclaredTool& tool) {
  std::string description;
  if (!tool.description.empty()) description = ",\"description\":" + json_string(tool.description);
  // An invalid schema is written as a string; check_openai() refuses it.
  const bool is_schema = is_json_object(tool.parameters);
  return fmt::format(R"({{"type":"function","function":{{"name":{}{},"parameters":{}}}}})",
                     json_string(tool.name), description,
                     is_schema ? tool.parameters : json_string(tool.parameters));
}

std::string allowed_tools(const ToolChoice& choice) {
  std::vector<std::string> tools;
  for (const std::string& name : choice.allowed) {
    tools.push_back(
        fmt::format(R"({{"type":"function","function":{{"name":{}}}}})", json_string(name)));
  }
  return fmt::format(
      R"({{"type":"allowed_tools","allowed_tools":{{"mode":"required","tools":[{}]}}}})",
      join(tools, ","));
}

std::string openai_choice(const ToolChoice& choice) {
  switch (choice.kind) {
    case ToolChoice::Kind::kNotSaid:
      return "";
    case ToolChoice::Kind::kAuto:
      return "\"auto\"";
    case ToolChoice::Kind::kNone:
      return "\"none\"";
    case ToolChoice::Kind::kAny:
      return choice.allowed.empty() ? "\"required\"" : allowed_tools(choice);
    case ToolChoice::Kind::kTool:
      return fmt::format(R"({{"type":"function","function":{{"name":{}}}}})",
                         json_string(choice.tool));
  }
  return "";
}

}  // namespace

Status check_openai(const ChatRequest& request) {
  return check_messages(kOpenAiRules, request);
}

std::string render_openai(const ChatRequest& request) {
  std::vector<std::string> messages;
  for (const ChatMessage& message : request.messages) {
    messages.push_back(message_in_json(message, request.object_arguments));
  }
  std::string out = "{\"messages\":[" + join(messages, ",") + "]";
  std::vector<std::string> tools;
  for (const DeclaredTool& tool : request.tools) tools.push_back(openai_tool(tool));
  if (!tools.empty()) {
    out += ",\"tools\":[" + join(tools, ",") + "]";
    const std::string choice = openai_choice(request.tool_choice);
    if (!choice.empty()) out += ",\"tool_choice\":" + choice;
  }
  if (!request.reasoning_effort.empty()) {
    out += ",\"reasoning_effort\":" + json_string(request.reasoning_effort);
  }
  if (request.continue_final_message) out += ",\"continue_final_message\":true";
  return out + "}";
}

ChatRequest with_openai_call_ids(ChatRequest request) {
  map_call_ids(request, kOpenAiRules.ids);
  return request;
}

}  // namespace pedro
