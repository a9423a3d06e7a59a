#include "messages_api/read_chat_request.h"

#include <fmt/format.h>

#include "base/json_cursor.h"

namespace pedro {
namespace {

constexpr std::string_view kRoles = "\"system\", \"user\", \"assistant\" or \"tool\"";

std::optional<Role> role_named(std::string_view name) {
  for (const Role role : {Role::kSystem, Role::kUser, Role::kAssistant, Role::kTool}) {
    if (name == to_string(role)) return role;
  }
  return {};
}

/// Reads a request part by part. The cursor keeps the first error; results after it are ignored.
class Reader {
 public:
  Reader(std::string_view json, const ChatRequestLimits& limits)
      : json_(json, {limits.max_depth, limits.max_text_bytes}), limits_(limits) {}

  Result<ChatRequest> read() {
    json_.enter_object();
    while (const auto name = json_.next_member()) {
      if (*name == "messages") {
        read_messages();
      } else if (*name == "tools") {
        read_tools();
      } else if (*name == "tool_choice") {
        read_tool_choice();
      } else if (*name == "reasoning_effort") {
        request_.reasoning_effort = text_or_null().value_or("");
      } else if (*name == "date") {
        request_.date = text_or_null().value_or("");
      } else if (*name == "continue_final_message") {
        request_.continue_final_message = json_.truth().value_or(false);
      } else {
        json_.skip();
      }
    }
    const Status end = json_.finish();
    if (!end) {
      return Error{ErrorKind::kUsage, end.error().at(place_.empty() ? "request" : place_).message};
    }
    if (!has_messages_) return Error{ErrorKind::kUsage, "request: \"messages\" is missing"};
    if (request_.continue_final_message && !request_.messages.empty()) {
      request_.messages.back().prefix = request_.messages.back().role == Role::kAssistant;
    }
    return std::move(request_);
  }

 private:
  void read_messages() {
    if (has_messages_) return json_.fail("\"messages\" appears twice");
    has_messages_ = true;
    json_.enter_array();
    while (json_.next_element()) {
      place_ = fmt::format("messages[{}]", request_.messages.size());
      if (request_.messages.size() >= limits_.max_messages) {
        return json_.fail(fmt::format("more than {} messages", limits_.max_messages));
      }
      read_message();
    }
    leave();
  }

  void read_message() {
    ChatMessage message;
    std::optional<Role> role;
    std::optional<std::string> thinking;
    bool has_content = false;
    json_.enter_object();
    while (const auto name = json_.next_member()) {
      if (*name == "role") {
        role = read_role();
      } else if (*name == "content") {
        has_content = json_.kind() != JsonCursor::Kind::kNull;
        read_content(message.content);
      } else if (*name == "tool_calls") {
        read_calls(message.calls);
      } else if (*name == "prefix") {
        message.prefix = json_.truth().value_or(false);
      } else if (*name == "tool_call_id") {
        message.call_id = text_or_null();
      } else if (*name == "name") {
        message.name = text_or_null();
      } else if (*name == "reasoning" || *name == "reasoning_content") {
        thinking = text_or_null();
      } else {
        json_.skip();
      }
    }
    if (json_.failed()) return;
    if (!role) return json_.fail(fmt::format("\"role\" is missing: {}", kRoles));
    if (!has_content && *role != Role::kAssistant) return json_.fail("\"content\" is missing");
    if (!message.calls.empty() && *role != Role::kAssistant) {
      return json_.fail("only an assistant's message has \"tool_calls\"");
    }
    message.role = *role;
    message.prefix = message.prefix && *role == Role::kAssistant;
    if (thinking && *role == Role::kAssistant) {
      message.content.insert(message.content.begin(),
                             {ContentChunk::Kind::kThinking, *std::move(thinking)});
    }
    request_.messages.push_back(std::move(message));
  }

  std::optional<Role> read_role() {
    const auto name = json_.text();
    if (!name) return {};
    const auto role = role_named(*name);
    if (!role) json_.fail(fmt::format("expected {} as \"role\"", kRoles));
    return role;
  }

  void read_content(std::vector<ContentChunk>& content) {
    content.clear();
    if (json_.kind() == JsonCursor::Kind::kNull) {
      json_.skip();
    } else if (json_.kind() == JsonCursor::Kind::kText) {
      std::string text = read_text();
      if (!text.empty()) content.push_back({ContentChunk::Kind::kText, std::move(text)});
    } else if (json_.kind() == JsonCursor::Kind::kArray) {
      json_.enter_array();
      while (json_.next_element()) {
        if (is_full(content.size(), "chunks")) return;
        read_chunk(content);
      }
    } else {
      json_.fail_expecting("a string or an array as \"content\"");
    }
  }

  void read_chunk(std::vector<ContentChunk>& content) {
    ContentChunk chunk;
    std::string type;
    bool has_text = false;
    json_.enter_object();
    while (const auto name = json_.next_member()) {
      if (*name == "type") {
        type = read_text();
      } else if (*name == "text" || *name == "thinking") {
        chunk.kind = *name == "text" ? ContentChunk::Kind::kText : ContentChunk::Kind::kThinking;
        chunk.text = read_text();
        has_text = true;
      } else if (*name == "closed") {
        chunk.closed = json_.truth().value_or(true);
      } else {
        json_.skip();
      }
    }
    if (json_.failed()) return;
    const bool is_text = chunk.kind == ContentChunk::Kind::kText;
    if (!has_text || type != (is_text ? "text" : "thinking")) {
      return json_.fail(
          "expected a chunk of \"type\" \"text\" or \"thinking\": others cannot be "
          "written as text");
    }
    content.push_back(std::move(chunk));
  }

  void read_calls(std::vector<RequestedCall>& calls) {
    calls.clear();
    if (json_.kind() == JsonCursor::Kind::kNull) {
      json_.skip();
      return;
    }
    json_.enter_array();
    while (json_.next_element()) {
      if (is_full(calls.size(), "calls")) return;
      RequestedCall call;
      Head head = read_function(
          [&](std::string_view name) { return read_arguments(name, call.arguments); });
      call.id = std::move(head.id);
      call.name = std::move(head.name);
      calls.push_back(std::move(call));
    }
  }

  bool read_arguments(std::string_view name, std::string& arguments) {
    if (name != "arguments" || json_.kind() == JsonCursor::Kind::kNull) return false;
    if (json_.kind() == JsonCursor::Kind::kText) {
      arguments = read_text();
    } else if (json_.kind() == JsonCursor::Kind::kObject) {
      arguments = read_raw();
    } else {
      json_.fail_expecting("a string or an object as \"arguments\"");
    }
    return true;
  }

  void read_tools() {
    request_.tools.clear();
    if (json_.kind() == JsonCursor::Kind::kNull) {
      json_.skip();
      return;
    }
    json_.enter_array();
    while (json_.next_element()) {
      place_ = fmt::format("tools[{}]", request_.tools.size());
      if (is_full(request_.tools.size(), "tools")) return;
      DeclaredTool tool;
      tool.name =
          read_function([&](std::string_view name) { return read_tool_member(name, tool); }).name;
      request_.tools.push_back(std::move(tool));
    }
    leave();
  }

  bool read_tool_member(std::string_view name, DeclaredTool& tool) {
    if (name == "description") {
      tool.description = text_or_null().value_or("");
      return true;
    }
    if (name != "parameters" || json_.kind() == JsonCursor::Kind::kNull) return false;
    if (json_.kind() != JsonCursor::Kind::kObject)
      json_.fail_expecting("an object as \"parameters\"");
    tool.parameters = read_raw();
    return true;
  }

  void read_tool_choice() {
    constexpr std::pair<std::string_view, ToolChoice::Kind> kKinds[] = {
        {"auto", ToolChoice::Kind::kAuto},
        {"none", ToolChoice::Kind::kNone},
        {"required", ToolChoice::Kind::kAny}};
    place_ = "tool_choice";
    ToolChoice choice;
    if (json_.kind() == JsonCursor::Kind::kNull) {
      json_.skip();
    } else if (json_.kind() == JsonCursor::Kind::kText) {
      const std::string text = read_text();
      for (const auto& [name, kind] : kKinds) {
        if (name == text) choice.kind = kind;
      }
      if (choice.kind == ToolChoice::Kind::kNotSaid) {
        json_.fail("expected \"auto\", \"none\", \"required\" or a function");
      }
    } else {
      choice = {ToolChoice::Kind::kTool,
                read_function([](std::string_view) { return false; }).name};
    }
    request_.tool_choice = std::move(choice);
    leave();
  }

  struct Head {
    std::string id;
    std::string name;
  };

  // Reads {"id": …, "type": "function", "function": {"name": …}}. Passes other members of the
  // function to `read_member`, which returns false for unknown ones.
  template <typename ReadMember>
  Head read_function(ReadMember read_member) {
    Head head;
    bool has_name = false;
    json_.enter_object();
    while (const auto name = json_.next_member()) {
      if (*name == "id") {
        head.id = text_or_null().value_or("");
      } else if (*name == "type") {
        const std::string type = read_text();
        if (type != "function") json_.fail("expected \"function\" as \"type\"");
      } else if (*name == "function") {
        json_.enter_object();
        while (const auto member = json_.next_member()) {
          if (*member == "name") {
            head.name = read_text();
            has_name = true;
          } else if (!read_member(*member)) {
            json_.skip();
          }
        }
      } else {
        json_.skip();
      }
    }
    if (!has_name) json_.fail("a \"function\" with a \"name\" is missing");
    return head;
  }

  bool is_full(std::size_t size, std::string_view what) {
    if (size < limits_.max_parts) return false;
    json_.fail(fmt::format("more than {} {}", limits_.max_parts, what));
    return true;
  }

  std::string read_text() { return std::string(json_.text().value_or("")); }

  std::optional<std::string> text_or_null() {
    if (json_.kind() == JsonCursor::Kind::kNull) {
      json_.skip();
      return {};
    }
    return read_text();
  }

  std::string read_raw() {
    const auto value = json_.skip();
    return std::string(value ? value->text : "");
  }

  // Leaves the part that place_ names. After an error, place_ stays.
  void leave() {
    if (!json_.failed()) place_.clear();
  }

  JsonCursor json_;
  const ChatRequestLimits& limits_;
  ChatRequest request_;
  bool has_messages_ = false;
  std::string place_;
};

}  // namespace

Result<ChatRequest> read_chat_request(std::string_view json, const ChatRequestLimits& limits) {
  if (json.size() > limits.max_bytes) {
    return Error{ErrorKind::kUsage, fmt::format("request: {} bytes, more than the limit of {}",
                                                json.size(), limits.max_bytes)};
  }
  return Reader(json, limits).read();
}

}  // namespace pedro
