#include "chat_format/turn_render.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "base/text.h"
#include "chat/conversation_check.h"
#include "chat_format/message_text.h"
#include "chat_format/piece_writer.h"
#include "chat_format/python_json.h"
#include "chat_format/tool_text.h"
#include "chat_format/turn_forms.h"

namespace pedro {
namespace {

std::string text_in(const ChatMessage& message, bool trims) {
  const std::string text = text_of_kind(message, ContentChunk::Kind::kText);
  return trims ? std::string(trim(text)) : text;
}

std::string_view without_line_ends(std::string_view text) {
  const std::size_t first = text.find_first_not_of('\n');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of('\n') - first + 1);
}

std::string_view behind_arguments(std::string_view call) {
  return call.substr(arguments_in(call).end);
}

// Returns the control token that ends calls and stops the model, if a turn has no other end.
// Replies do not contain it; they contain tags.
std::string_view stop_of_calls(const TurnRules& rules) {
  if (!rules.assistant_end.empty()) return {};
  const std::string_view piece = rules.calls_end.empty() ? rules.call : rules.calls_end;
  for (const std::string& name : rules.control) {
    if (piece.ends_with(name)) return piece.substr(piece.size() - name.size());
  }
  return {};
}

/// Renders the messages from front to back.
class TurnRenderer {
 public:
  TurnRenderer(const TurnRules& rules, const ChatRequest& request)
      : rules_(rules), request_(request), messages_(request.messages), out_(rules, request) {
    for (const ChatMessage& message : messages_) {
      calls_before_.push_back(calls_before_.back() + message.calls.size());
    }
  }

  Result<Prompt> run() {
    PEDRO_RETURN_IF_ERROR(look_around());
    out_.begin_turn(is_in_head(0) ? turn_label(Role::kSystem) : "template");
    write_head();
    for (at_ = 0; at_ < messages_.size(); ++at_) {
      out_.begin_turn(turn_label(messages_[at_].role));
      PEDRO_RETURN_IF_ERROR(write(messages_[at_]));
    }
    write_reply_opening();
    return std::move(out_).take();
  }

  Result<Prompt> run_from(std::size_t first, ReplyEnd end) {
    for (at_ = first; at_ < messages_.size(); ++at_) {
      if (is_in_head(at_))
        return cannot_write("a system message after a reply belongs in the head");
    }
    out_.begin_turn(turn_label(Role::kAssistant));
    end_reply(messages_[first - 1], end);
    for (at_ = first; at_ < messages_.size(); ++at_) {
      out_.begin_turn(turn_label(messages_[at_].role));
      PEDRO_RETURN_IF_ERROR(write(messages_[at_]));
    }
    write_reply_opening();
    return std::move(out_).take();
  }

 private:
  void write_reply_opening() {
    if (!expects_reply()) return;
    out_.begin_turn(turn_label(Role::kAssistant));
    out_.write(ends_with(Role::kTool) ? rules_.reply_after_result : rules_.reply);
  }

  void end_reply(const ChatMessage& reply, ReplyEnd end) {
    const bool calls = !reply.calls.empty();
    if (end == ReplyEnd::kArguments) {
      out_.write(behind_arguments(rules_.call), {{"id", calls ? reply.calls.back().id : ""}});
      out_.write(rules_.calls_end);
    } else {
      out_.write(calls ? stop_of_calls(rules_) : std::string_view(rules_.text_end));
    }
    out_.write(rules_.assistant_end);
  }

  bool ends_with(Role role) const { return !messages_.empty() && messages_.back().role == role; }
  bool expects_reply() const { return !ends_with(Role::kAssistant); }
  bool follows(Role role) const { return at_ > 0 && messages_[at_ - 1].role == role; }
  bool precedes(Role role) const {
    return at_ + 1 < messages_.size() && messages_[at_ + 1].role == role;
  }

  Status look_around() {
    std::size_t last_user = 0;
    std::size_t last_answer = 0;
    for (std::size_t i = 0; i < messages_.size(); ++i) {
      const ChatMessage& message = messages_[i];
      const bool has_text = message.role != Role::kAssistant || message.calls.empty();
      if (message.role == Role::kUser && !first_user_) first_user_ = i;
      if (message.role == Role::kUser) last_user = i + 1;
      if (message.role == Role::kAssistant && has_text) last_answer = i + 1;
      if (message.prefix && i + 1 < messages_.size())
        return cannot_write("a prefix is not the last message");
    }
    const bool with_tools = rules_.thinking_kept == TurnRules::Thinking::kWithTools;
    const bool by_user = with_tools || rules_.thinking_kept == TurnRules::Thinking::kAfterUser;
    const bool always = rules_.thinking_kept == TurnRules::Thinking::kAlways;
    thinks_from_ = by_user ? last_user : last_answer;
    if (always || (with_tools && !request_.tools.empty())) thinks_from_ = 0;
    if (!request_.tools.empty() && !rules_.first_user_tools.empty() && !first_user_) {
      return cannot_write("tools belong in the first user's turn, and there is none");
    }
    return {};
  }

  bool is_in_head(std::size_t message) const {
    if (messages_[message].role != Role::kSystem) return false;
    return message == 0 ? has_head() : rules_.joins_system;
  }
  // Returns true if the first system message is before the first user's text, not in a head.
  bool leads() const { return !rules_.first_user_system.empty() && first_user_.has_value(); }
  bool has_head() const { return !rules_.head.empty() || leads(); }

  std::string system_text() const {
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < messages_.size(); ++i) {
      if (is_in_head(i)) texts.push_back(text_in(messages_[i], rules_.trims_system));
    }
    return join(texts, kEmptyLine);
  }

  void write_head() {
    system_ = system_text();
    const bool has_tools = !request_.tools.empty() && !rules_.tool.empty();
    const bool counts = has_tools ? rules_.empty_system_with_tools : rules_.empty_system;
    const bool has_system = !system_.empty() || (is_first_system() && counts);
    out_.write(rules_.begin);
    out_.write(has_tools ? (has_system ? rules_.head_tools : rules_.head_tools_only)
                         : (has_system ? rules_.head : rules_.head_none),
               {{"system", system_}});
  }
  bool is_first_system() const { return !messages_.empty() && is_in_head(0); }

  Status write(const ChatMessage& message) {
    switch (message.role) {
      case Role::kSystem:
        if (!is_in_head(at_)) {
          out_.write(rules_.system, {{"content", text_in(message, rules_.trims_system)}});
        }
        return {};
      case Role::kUser:
        write_user(message);
        return {};
      case Role::kAssistant:
        return write_assistant(message);
      case Role::kTool:
        return write_result(message);
    }
    return {};
  }

  // The pieces before the first user's text are part of the turn, like its content.
  void write_user(const ChatMessage& message) {
    const std::size_t content = rules_.user.find(TurnRules::kContent);
    if (content == std::string::npos) return;
    const std::string_view piece = rules_.user;
    out_.write(piece.substr(0, content));
    if (at_ == first_user_ && leads() && is_first_system()) {
      out_.write(rules_.first_user_system, {{"system", system_}});
    }
    if (at_ == first_user_ && !request_.tools.empty()) out_.write(rules_.first_user_tools);
    out_.write(piece.substr(content), {{"content", text_in(message, rules_.trims_user)}});
  }

  Status write_assistant(const ChatMessage& message) {
    if (Status possible = can_write(message.calls); !possible) return possible;
    const bool calls = !message.calls.empty();
    const bool trims = rules_.trims_assistant || (calls && rules_.trims_calling);
    std::string text = text_in(message, trims);
    out_.write(follows(Role::kTool) ? rules_.assistant_after_result : rules_.assistant);
    if (write_thinking(message)) text.erase(0, text.find_first_not_of('\n'));
    if (!calls) out_.write(rules_.text, {{"content", text}});
    if (!calls && !message.prefix) out_.write(rules_.text_end);
    if (calls && !text.empty()) write_text_before_calls(text);
    if (calls) write_calls(message.calls);
    if (!message.prefix) out_.write(rules_.assistant_end);
    return {};
  }

  Status can_write(const std::vector<RequestedCall>& calls) const {
    if (!calls.empty() && rules_.call.empty()) return cannot_write("the format has no calls");
    if (calls.size() > 1 && rules_.one_call) return cannot_write("a turn has more than one call");
    for (const RequestedCall& call : calls) {
      if (!rules_.parameter.empty() && !json_members(python_arguments(call))) {
        return cannot_write("the arguments of a call are not a JSON object");
      }
    }
    return {};
  }

  // A family with thinking in separate turns writes the text before a call as such a turn.
  void write_text_before_calls(const std::string& text) {
    const bool is_thinking = rules_.text_with_calls == rules_.thinking;
    if (is_thinking && at_ < thinks_from_) return;
    out_.write(rules_.text_with_calls, {{"content", text}});
    if (!rules_.text_with_calls.empty()) out_.write(rules_.calls_after_text);
  }

  // Writes the thinking. Returns true if the text after it loses its leading line ends.
  bool write_thinking(const ChatMessage& message) {
    if (rules_.thinking_kept == TurnRules::Thinking::kNever || at_ < thinks_from_) {
      out_.write(rules_.old_thinking);
      return false;
    }
    const std::string all = text_of_kind(message, ContentChunk::Kind::kThinking);
    std::string_view thinking = all;
    if (rules_.trims_thinking) thinking = without_line_ends(thinking);
    if (rules_.trims_assistant) thinking = trim(thinking);
    if (thinking.empty()) {
      out_.write(rules_.no_thinking);
      return rules_.trims_thinking && !rules_.no_thinking.empty();
    }
    out_.write(rules_.thinking, {{"content", thinking}});
    return rules_.trims_thinking;
  }

  void write_calls(const std::vector<RequestedCall>& calls) {
    out_.write(rules_.calls);
    for (const RequestedCall& call : calls) {
      if (&call != &calls.front()) out_.write(rules_.call_between);
      out_.write_call(call, calls_before_[at_] + static_cast<std::size_t>(&call - calls.data()));
    }
    out_.write(rules_.calls_end);
  }

  Status write_result(const ChatMessage& message) {
    if (rules_.result.empty()) return cannot_write("the format has no results of tools");
    const std::string text = text_in(message, rules_.trims_results);
    out_.write(follows(Role::kTool) ? rules_.result_between : rules_.results);
    out_.write(rules_.result, {{"content", text},
                               {"json", python_json_string(text)},
                               {"name", tool_of(message)},
                               {"id", message.call_id.value_or("")},
                               {"index", std::to_string(index_of(message))}});
    if (!precedes(Role::kTool)) out_.write(rules_.results_end);
    return {};
  }

  // Returns the tool of a result: that of the call with its id, else the message's, else the last
  // call's.
  std::string_view tool_of(const ChatMessage& result) const {
    std::string_view last;
    for (std::size_t i = at_; i-- > 0;) {
      for (const RequestedCall& call : messages_[i].calls) {
        if (result.call_id && call.id == *result.call_id) return call.name;
        last = call.name;
      }
      if (!messages_[i].calls.empty()) break;
    }
    return result.name ? std::string_view(*result.name) : last;
  }

  // Returns the index of a result's call among all calls. That call has the result's id, or else
  // its place.
  std::size_t index_of(const ChatMessage& result) const {
    std::size_t turn = at_;
    while (turn > 0 && messages_[turn].calls.empty()) --turn;
    const std::vector<RequestedCall>& calls = messages_[turn].calls;
    for (std::size_t i = 0; i < calls.size(); ++i) {
      if (result.call_id && calls[i].id == *result.call_id) return calls_before_[turn] + i;
    }
    return calls_before_[turn] + (at_ > turn ? at_ - turn - 1 : 0);
  }

  const TurnRules& rules_;
  const ChatRequest& request_;
  const std::vector<ChatMessage>& messages_;
  PieceWriter out_;
  std::vector<std::size_t> calls_before_{0};  // calls before each message
  std::size_t at_ = 0;                        // index in messages_
  std::size_t thinks_from_ = 0;               // the first message that keeps its thinking
  std::optional<std::size_t> first_user_;     // index in messages_
  std::string system_;
};

}  // namespace

Result<Prompt> render_turns(const TurnRules& rules, const ChatRequest& request) {
  return TurnRenderer(rules, request).run();
}

Result<Prompt> continue_turns(const TurnRules& rules, const ChatRequest& request, std::size_t first,
                              ReplyEnd end) {
  return TurnRenderer(rules, request).run_from(first, end);
}

}  // namespace pedro
