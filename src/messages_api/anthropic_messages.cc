#include "messages_api/anthropic_messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/json_cursor.h"
#include "base/text.h"
#include "messages_api/message_rules.h"

namespace pedro {
namespace {

constexpr MessageRules kAnthropicRules{.ids = {.max_length = 64,
                                               .characters = CallIdForm::Characters::kWord,
                                               .required = true,
                                               .once = true},
                                       .ids_once = true,
                                       .turns = true,
                                       .tools_once = true};

Error no_object(std::string_view place, std::string_view what) {
  return {ErrorKind::kUsage, fmt::format("{}: {} are not a JSON object", place, what)};
}

std::string in_array(const std::vector<std::string>& parts) {
  return "[" + join(parts, ",") + "]";
}

// Marks a JSON object as cached.
void mark(std::string& object) {
  object.insert(object.size() - 1, R"(,"cache_control":{"type":"ephemeral"})");
}

constexpr std::string_view kTextStart = R"({"type":"text","text":)";

std::string text_block(std::string_view text) {
  return std::string(kTextStart) + json_string(text) + "}";
}

// Returns blocks as an array. With kString, returns them as one string if all are texts.
std::string blocks_in_json(const std::vector<std::string>& blocks, ContentForm form) {
  const bool is_text = std::all_of(blocks.begin(), blocks.end(), [](const std::string& block) {
    return block.starts_with(kTextStart);
  });
  if (form == ContentForm::kBlocks || !is_text) return in_array(blocks);
  std::vector<std::string> texts;
  for (const std::string& block : blocks) {
    texts.push_back(block.substr(kTextStart.size() + 1, block.size() - kTextStart.size() - 3));
  }
  return "\"" + join(texts, "\\n\\n") + "\"";
}

std::string thinking_block(const ContentChunk& chunk) {
  const std::string signature = json_string(*chunk.signature);
  if (chunk.redacted) return fmt::format(R"({{"type":"redacted_thinking","data":{}}})", signature);
  return fmt::format(R"({{"type":"thinking","thinking":{},"signature":{}}})",
                     json_string(chunk.text), signature);
}

std::string image_block(const ContentChunk& chunk) {
  return fmt::format(
      R"({{"type":"image","source":{{"type":"base64","media_type":"{}","data":"{}"}}}})",
      chunk.media_type, chunk.text);
}

std::vector<std::string> blocks_of(const ChatMessage& message) {
  std::vector<std::string> blocks;
  for (const ContentChunk& chunk : message.content) {
    if (chunk.kind == ContentChunk::Kind::kThinking) {
      if (chunk.signature && message.role == Role::kAssistant)
        blocks.push_back(thinking_block(chunk));
    } else if (chunk.kind == ContentChunk::Kind::kImage) {
      blocks.push_back(image_block(chunk));
    } else if (!trim(chunk.text).empty()) {
      blocks.push_back(text_block(chunk.text));
    }
  }
  return blocks;
}

std::string result_block(const ChatMessage& message, ContentForm form) {
  const std::vector<std::string> blocks = blocks_of(message);
  return fmt::format(R"({{"type":"tool_result","tool_use_id":{}{}}})",
                     json_string(message.call_id.value_or("")),
                     blocks.empty() ? "" : ",\"content\":" + blocks_in_json(blocks, form));
}

std::string call_block(const RequestedCall& call) {
  const std::string_view input = trim(call.arguments);
  return fmt::format(R"({{"type":"tool_use","id":{},"name":{},"input":{}}})", json_string(call.id),
                     json_string(call.name), input.empty() ? "{}" : input);
}

/// Converts consecutive messages to turns.
class Turns {
 public:
  explicit Turns(ContentForm form) : form_(form) {}

  void add(const ChatMessage& message) {
    if (message.role == Role::kSystem) return;
    const Role side = message.role == Role::kAssistant ? Role::kAssistant : Role::kUser;
    if (side != side_) end_turn();
    side_ = side;
    if (message.role == Role::kTool) {
      results_.push_back(result_block(message, form_));
      return;
    }
    for (std::string& block : blocks_of(message)) blocks_.push_back(std::move(block));
    for (const RequestedCall& call : message.calls) calls_.push_back(call_block(call));
  }

  std::string take(CacheMarks marks) {
    end_turn();
    if (marks == CacheMarks::kPrefixes) mark_users_turns();
    std::vector<std::string> written;
    for (const Turn& turn : turns_) {
      written.push_back(fmt::format(R"({{"role":"{}","content":{}}})", to_string(turn.side),
                                    blocks_in_json(turn.blocks, form_)));
    }
    return in_array(written);
  }

 private:
  struct Turn {
    Role side;
    std::vector<std::string> blocks;
  };

  // Marks the last two user turns. A prefix of the assistant may be the last turn.
  void mark_users_turns() {
    std::size_t left = 2;
    for (auto turn = turns_.rbegin(); turn != turns_.rend() && left > 0; ++turn) {
      if (turn->side != Role::kUser) continue;
      mark(turn->blocks.back());
      --left;
    }
  }

  // Ends a turn. Continues the last one if all between them were empty.
  void end_turn() {
    std::vector<std::string> all;
    for (std::vector<std::string>* blocks : {&results_, &blocks_, &calls_}) {
      all.insert(all.end(), blocks->begin(), blocks->end());
      blocks->clear();
    }
    if (all.empty()) return;
    if (turns_.empty() || turns_.back().side != side_) turns_.push_back({side_, {}});
    std::vector<std::string>& blocks = turns_.back().blocks;
    blocks.insert(blocks.end(), all.begin(), all.end());
  }

  ContentForm form_;
  std::vector<Turn> turns_;
  Role side_ = Role::kUser;
  std::vector<std::string> results_;
  std::vector<std::string> blocks_;
  std::vector<std::string> calls_;
};

std::string system_of(const ChatRequest& request, CacheMarks marks, ContentForm form) {
  std::vector<std::string> blocks;
  for (const ChatMessage& message : request.messages) {
    if (message.role != Role::kSystem) continue;
    for (std::string& block : blocks_of(message)) blocks.push_back(std::move(block));
  }
  if (marks == CacheMarks::kPrefixes && !blocks.empty()) mark(blocks.back());
  return blocks.empty() ? "" : blocks_in_json(blocks, form);
}

// Returns the tool's parameters, a JSON object, with a "type".
std::string object_schema(const DeclaredTool& tool) {
  JsonCursor json(tool.parameters);
  bool has_type = false;
  bool empty = true;
  json.enter_object();
  while (const auto name = json.next_member()) {
    has_type |= *name == "type";
    empty = false;
    json.skip();
  }
  if (has_type) return tool.parameters;
  const std::size_t inside = tool.parameters.find('{') + 1;
  return R"({"type":"object")" + (empty ? "" : "," + tool.parameters.substr(inside)) +
         (empty ? "}" : "");
}

std::string anthropic_tool(const DeclaredTool& tool) {
  std::string description;
  if (!tool.description.empty()) description = ",\"description\":" + json_string(tool.description);
  return fmt::format(R"({{"name":{}{},"input_schema":{}}})", json_string(tool.name), description,
                     object_schema(tool));
}

std::string anthropic_choice(const ToolChoice& choice) {
  switch (choice.kind) {
    case ToolChoice::Kind::kNotSaid:
      return "";
    case ToolChoice::Kind::kAuto:
      return R"({"type":"auto"})";
    case ToolChoice::Kind::kNone:
      return R"({"type":"none"})";
    case ToolChoice::Kind::kAny:
      return R"({"type":"any"})";
    case ToolChoice::Kind::kTool:
      return fmt::format(R"({{"type":"tool","name":{}}})", json_string(choice.tool));
  }
  return "";
}

// Checks that texts which are copied into the body are JSON objects.
Status check_objects(const ChatRequest& request) {
  for (std::size_t i = 0; i < request.messages.size(); ++i) {
    const auto& calls = request.messages[i].calls;
    for (std::size_t j = 0; j < calls.size(); ++j) {
      if (trim(calls[j].arguments).empty() || is_json_object(calls[j].arguments)) continue;
      return no_object(fmt::format("messages[{}].tool_calls[{}]", i, j), "the arguments");
    }
  }
  for (std::size_t i = 0; i < request.tools.size(); ++i) {
    if (is_json_object(request.tools[i].parameters)) continue;
    return no_object(fmt::format("tools[{}]", i), "the parameters");
  }
  return {};
}

}  // namespace

Status check_anthropic(const ChatRequest& request) {
  return check_messages(kAnthropicRules, request);
}

Result<std::string> render_anthropic(const ChatRequest& request, CacheMarks marks,
                                     ContentForm form) {
  PEDRO_RETURN_IF_ERROR(check_objects(request));
  if (form == ContentForm::kString) marks = CacheMarks::kNone;
  Turns turns(form);
  for (const ChatMessage& message : request.messages) turns.add(message);
  std::string out = "{";
  const std::string system = system_of(request, marks, form);
  if (!system.empty()) out += "\"system\":" + system + ",";
  out += "\"messages\":" + turns.take(marks);
  std::vector<std::string> tools;
  for (const DeclaredTool& tool : request.tools) tools.push_back(anthropic_tool(tool));
  if (!tools.empty()) {
    if (marks == CacheMarks::kPrefixes) mark(tools.back());
    out += ",\"tools\":" + in_array(tools);
    const std::string choice = anthropic_choice(request.tool_choice);
    if (!choice.empty()) out += ",\"tool_choice\":" + choice;
  }
  return out + "}";
}

ChatRequest with_anthropic_call_ids(ChatRequest request) {
  map_call_ids(request, kAnthropicRules.ids);
  return request;
}

}  // namespace pedro
