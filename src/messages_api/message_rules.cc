#include "messages_api/message_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/json.h"
#include "base/json_cursor.h"
#include "base/text.h"
#include "base/utf8.h"
#include "chat/conversation_check.h"
#include "chat/waiting_calls.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxToolNameBytes = 64;
constexpr CallIdForm kNameForm{
    .length = 1, .max_length = kMaxToolNameBytes, .characters = CallIdForm::Characters::kWord};
constexpr std::string_view kNameRule = "1 to 64 letters, digits, '_' and '-'";

std::string shown(std::string_view text) {
  return "'" + make_printable(truncate_utf8(text, 80)) + "'";
}

bool ends_with_blank(const ChatMessage& message) {
  if (message.content.empty()) return false;
  const std::string& text = message.content.back().text;
  return !text.empty() && trim(std::string_view(text).substr(text.size() - 1)).empty();
}

// Returns true if a JSON object declares a type other than "object".
bool says_other_type(std::string_view parameters) {
  JsonCursor json(parameters);
  bool other = false;
  json.enter_object();
  while (const auto name = json.next_member()) {
    if (*name == "type") {
      const auto type = json.skip();
      other = !type || type->text != "\"object\"";
    } else {
      json.skip();
    }
  }
  return other;
}

std::string rule_of(const CallIdForm& form) {
  const bool visible = form.characters == CallIdForm::Characters::kVisible;
  return fmt::format(
      "1 to {} {}", form.max_length,
      visible ? "ASCII characters without blanks" : "ASCII letters, digits, '_' and '-'");
}

/// Checks a conversation from the start and reports the first problem.
class MessageCheck {
 public:
  MessageCheck(const MessageRules& rules, const ChatRequest& request)
      : rules_(rules), request_(request) {}

  Status run() {
    PEDRO_RETURN_IF_ERROR(check_messages(
        request_, [this](const ChatMessage& message) { return complaint(message); }));
    if (!open_.empty()) return wrong_message(request_.messages.size() - 1, unanswered());
    if (rules_.turns && !spoken_) return usage_error("messages: none has a text");
    return check_tools();
  }

 private:
  // Returns the reason why a message cannot follow the earlier ones; "" if it can.
  std::string complaint(const ChatMessage& message) {
    if (message.role == Role::kTool) return result_complaint(message);
    const bool waits = rules_.turns && message.role == Role::kUser;
    if (!open_.empty() && !waits) return unanswered();
    std::string reason = rules_.turns ? turn_complaint(message) : "";
    return reason.empty() ? call_complaint(message) : reason;
  }

  std::string unanswered() const {
    return fmt::format("{} calls have no result, the first is {}", open_.size(),
                       shown(open_.first()));
  }

  std::string result_complaint(const ChatMessage& message) {
    if (!message.call_id || message.call_id->empty()) return "a result without \"tool_call_id\"";
    if (open_.answer(*message.call_id)) return "";
    return fmt::format("a result that no call is waiting for: {}", shown(*message.call_id));
  }

  std::string turn_complaint(const ChatMessage& message) {
    if (message.role == Role::kSystem) {
      return spoken_ ? "a system message cannot follow the first turn" : "";
    }
    const bool says_something = has_text(message) || !message.calls.empty();
    if (!says_something) return message.prefix ? "a prefix without text" : "";
    if (!spoken_ && message.role == Role::kAssistant) return "the first turn is not the user's";
    spoken_ = true;
    return message.prefix && ends_with_blank(message) ? "a prefix ends with a blank" : "";
  }

  std::string call_complaint(const ChatMessage& message) {
    if (!rules_.ids_once) known_.clear();
    for (const RequestedCall& call : message.calls) {
      if (!is_call_id(call.id, rules_.ids)) {
        return fmt::format("an id of a call is {}, got {}", rule_of(rules_.ids), shown(call.id));
      }
      if (!known_.insert(call.id).second) {
        return fmt::format("two calls have the id {}", shown(call.id));
      }
      if (!is_call_id(call.name, kNameForm)) {
        return fmt::format("a name of a tool is {}, got {}", kNameRule, shown(call.name));
      }
      if (!trim(call.arguments).empty() && !is_json_object(call.arguments)) {
        return "the arguments of a call are not a JSON object";
      }
      open_.add(call.id);
    }
    return "";
  }

  Status check_tools() const {
    std::set<std::string> names;
    for (std::size_t i = 0; i < request_.tools.size(); ++i) {
      const DeclaredTool& tool = request_.tools[i];
      const auto no = [&](std::string_view why) {
        return usage_error(fmt::format("tools[{}]: {}", i, why));
      };
      if (!is_call_id(tool.name, kNameForm)) {
        return no(fmt::format("a name of a tool is {}, got {}", kNameRule, shown(tool.name)));
      }
      if (!names.insert(tool.name).second && rules_.tools_once) {
        return no(fmt::format("two tools are called {}", shown(tool.name)));
      }
      if (!is_json_object(tool.parameters)) return no("\"parameters\" are not a JSON object");
      if (says_other_type(tool.parameters)) return no("\"parameters\" are not of type \"object\"");
    }
    const ToolChoice& choice = request_.tool_choice;
    if (choice.kind == ToolChoice::Kind::kTool && !names.contains(choice.tool)) {
      return usage_error(fmt::format("tool_choice: there is no tool {}", shown(choice.tool)));
    }
    return {};
  }

  const MessageRules& rules_;
  const ChatRequest& request_;
  bool spoken_ = false;  // with `turns`: one has begun
  WaitingCalls open_;
  std::set<std::string> known_;
};

}  // namespace

Status check_messages(const MessageRules& rules, const ChatRequest& request) {
  return MessageCheck(rules, request).run();
}

bool has_text(const ChatMessage& message) {
  return std::any_of(message.content.begin(), message.content.end(), [](const auto& chunk) {
    return chunk.kind == ContentChunk::Kind::kText && !trim(chunk.text).empty();
  });
}

std::string json_string(std::string_view text) {
  return to_line(Json(std::string(text)));
}

bool is_json_object(std::string_view json) {
  JsonCursor cursor(json);
  if (json.starts_with("\xEF") || cursor.kind() != JsonCursor::Kind::kObject) return false;
  cursor.skip();
  return cursor.finish().ok();
}

}  // namespace pedro
