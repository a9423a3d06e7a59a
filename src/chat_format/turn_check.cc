#include "chat_format/turn_check.h"

#include <fmt/format.h>

#include <string>

#include "chat/conversation_check.h"
#include "chat_format/tool_text.h"

namespace pedro {
namespace {

/// Checks each message against those before it.
class TurnCheck {
 public:
  TurnCheck(const TurnRules& rules, const ChatRequest& request)
      : rules_(rules), request_(request) {}

  Status run() {
    PEDRO_RETURN_IF_ERROR(check_messages(
        request_, [this](const ChatMessage& message) { return complaint(message); }));
    for (std::size_t i = 0; i < request_.tools.size(); ++i) {
      if (!request_.tools[i].name.empty()) continue;
      return Error{ErrorKind::kUsage, fmt::format("tools[{}]: a tool has no name", i)};
    }
    return {};
  }

 private:
  // Returns the reason why a message cannot follow the earlier ones; "" if it can.
  std::string complaint(const ChatMessage& message) {
    if (message.role == Role::kTool) {
      return open_calls_-- > 0 ? "" : "a result that no call is waiting for";
    }
    if (open_calls_ > 0 && message.role == Role::kAssistant) {
      return fmt::format("the assistant speaks again, and {} calls have no result", open_calls_);
    }
    open_calls_ = static_cast<long long>(message.calls.size());
    if (open_calls_ > 0 && rules_.call.empty()) return "the format has no calls";
    if (open_calls_ > 1 && rules_.one_call) return "a turn has more than one call";
    for (const RequestedCall& call : message.calls) {
      if (call.name.empty()) return "a call has no name";
      if (!json_members(call.arguments.empty() ? "{}" : call.arguments)) {
        return "the arguments of a call are not a JSON object";
      }
    }
    return "";
  }

  const TurnRules& rules_;
  const ChatRequest& request_;
  long long open_calls_ = 0;
};

}  // namespace

Status check_turns(const TurnRules& rules, const ChatRequest& request) {
  return TurnCheck(rules, request).run();
}

}  // namespace pedro
