#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "call_parser/mistral_tokens.h"
#include "chat/conversation_check.h"
#include "chat_format/message_text.h"
#include "chat_format/mistral_format.h"
#include "chat_format/python_json.h"

namespace pedro {
namespace {

constexpr std::string_view kCallOpen = "{\"name\": ";
constexpr std::string_view kListArguments = ", \"arguments\": ";

std::string_view text_in(const ChatMessage& message) {
  return message.content.empty() ? std::string_view() : message.content.front().text;
}

bool has_thinking(const ChatMessage& message) {
  return std::any_of(message.content.begin(), message.content.end(),
                     [](const auto& chunk) { return chunk.kind == ContentChunk::Kind::kThinking; });
}

std::string_view without_blanks_behind(std::string_view text) {
  const std::size_t last = text.find_last_not_of(' ');
  return text.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

// Returns arguments or a result as JSON; an empty text becomes an empty object.
std::string json_of(std::string_view text) {
  return text.empty() ? "{}" : python_json_or_string(text);
}

bool has_id(const RequestedCall& call) {
  return !call.id.empty() && call.id != "null";
}

bool writes_lists(const MistralRules& rules) {
  return rules.calls == MistralRules::Calls::kList ||
         rules.calls == MistralRules::Calls::kListWithIds;
}

class MistralRenderer {
 public:
  MistralRenderer(const MistralRules& rules, const ChatRequest& request)
      : rules_(rules),
        request_(request),
        turns_(mistral_turns(rules, request)),
        out_(rules.sentencepiece) {}

  Result<Prompt> run() {
    if (system_thinks()) return cannot_write("a system message has thinking");
    find_users();
    out_.control(mistral::kBegin);
    return write_messages();
  }

  // Writes the text after a reply; all of request_ is new.
  Result<Prompt> run_behind(const ChatMessage& reply, ReplyEnd end) {
    if (!turns_.system.empty()) return cannot_write("a system message cannot follow a reply");
    if (end == ReplyEnd::kArguments && writes_lists(rules_) && !reply.calls.empty()) {
      end_listed_call(reply.calls.back());
      out_.add_template("]");
    }
    out_.control(mistral::kEnd);
    return write_messages();
  }

 private:
  bool system_thinks() const {
    return !rules_.writes_thinking &&
           std::any_of(request_.messages.begin(), request_.messages.end(), [](const auto& message) {
             return message.role == Role::kSystem && has_thinking(message);
           });
  }

  void find_users() {
    for (std::size_t i = 0; i < turns_.messages.size(); ++i) {
      if (turns_.messages[i].role != Role::kUser) continue;
      if (!has_user_) first_user_ = i;
      has_user_ = true;
      last_user_ = i;
    }
  }

  Result<Prompt> write_messages() {
    for (at_ = 0; at_ < turns_.messages.size(); ++at_) {
      PEDRO_RETURN_IF_ERROR(write(turns_.messages[at_]));
    }
    return std::move(out_).take();
  }

  bool is_first_user() const { return has_user_ && at_ == first_user_; }
  bool is_last_user() const { return has_user_ && at_ == last_user_; }
  bool is_forgotten() const { return rules_.forgets_calls && has_user_ && at_ < last_user_; }

  Status write(const ChatMessage& message) {
    out_.begin_turn(turn_label(message.role));
    switch (message.role) {
      case Role::kSystem:
        return write_system(message);
      case Role::kUser:
        return write_user(message);
      case Role::kAssistant:
        return write_assistant(message);
      case Role::kTool:
        return write_result(message);
    }
    return {};
  }

  Status write_system(const ChatMessage& message) {
    out_.control(mistral::kSystem);
    if (Status written = write_chunks(message); !written) return written;
    out_.control(mistral::kSystemEnd);
    return {};
  }

  Status write_user(const ChatMessage& message) {
    if (has_thinking(message)) return cannot_write("a user's message has thinking");
    const bool with_tools = rules_.tools == MistralRules::Tools::kFirstUser  ? is_first_user()
                            : rules_.tools == MistralRules::Tools::kLastUser ? is_last_user()
                                                                             : false;
    if (with_tools && !request_.tools.empty()) write_tools();
    if (rules_.inst_is_text) {
      out_.begin_text();
      out_.add_template("[INST] ");
    } else {
      out_.control(mistral::kUser);
    }
    write_user_text(text_in(message));
    if (rules_.inst_is_text) {
      out_.add_template(" [/INST]");
    } else {
      out_.control(mistral::kUserEnd);
    }
    return {};
  }

  void write_user_text(std::string_view text) {
    const bool with_system = rules_.system == MistralRules::System::kFirstUser  ? is_first_user()
                             : rules_.system == MistralRules::System::kLastUser ? is_last_user()
                                                                                : false;
    if (with_system && !turns_.system.empty()) {
      out_.add_content(turns_.system);
      out_.add_template(kEmptyLine);
    }
    out_.add_content(text);
  }

  void write_tools() {
    out_.control(mistral::kTools);
    std::string_view before = "[";
    for (const DeclaredTool& tool : request_.tools) {
      out_.add_template(before);
      out_.add_template("{\"type\": \"function\", \"function\": {\"name\": ");
      out_.add_content(python_json_string(tool.name));
      out_.add_template(", \"description\": ");
      out_.add_content(python_json_string(tool.description));
      out_.add_template(", \"parameters\": ");
      out_.add_content(python_json_or_string(tool.parameters));
      out_.add_template("}}");
      before = ", ";
    }
    out_.add_template("]");
    out_.control(mistral::kToolsEnd);
  }

  Status write_assistant(const ChatMessage& message) {
    if (message.content.empty() && message.calls.empty()) {
      return cannot_write("an assistant's message has neither text nor calls");
    }
    if (!message.calls.empty()) {
      if (rules_.calls == MistralRules::Calls::kNone)
        return cannot_write("the format has no calls");
      if (!message.content.empty() && !rules_.text_with_calls) {
        return cannot_write("an assistant's turn has both text and calls");
      }
      if (is_forgotten()) return {};
    }
    if (message.prefix && at_ + 1 < turns_.messages.size()) {
      return cannot_write("a prefix is not the last message");
    }
    if (Status written = write_reply(message); !written) return written;
    if (Status written = write_calls(message); !written) return written;
    if (!message.prefix) out_.control(mistral::kEnd);
    return {};
  }

  Status write_reply(const ChatMessage& message) {
    if (has_thinking(message)) return write_chunks(message);
    const std::string_view text = text_in(message);
    out_.begin_text();
    out_.add_content(rules_.keeps_blanks ? text : without_blanks_behind(text));
    return {};
  }

  Status write_chunks(const ChatMessage& message) {
    for (const ContentChunk& chunk : message.content) {
      out_.begin_text();
      if (chunk.kind == ContentChunk::Kind::kText) {
        out_.add_content(chunk.text);
        continue;
      }
      if (!rules_.writes_thinking) return cannot_write("the format has no thinking");
      out_.control(mistral::kThink);
      out_.add_content(chunk.text);
      if (chunk.closed) out_.control(mistral::kThinkEnd);
    }
    return {};
  }

  Status write_calls(const ChatMessage& message) {
    if (message.calls.empty()) return {};
    if (writes_lists(rules_)) {
      write_call_list(message);
      return {};
    }
    for (const RequestedCall& call : message.calls) {
      if (rules_.call_ids == MistralRules::CallIds::kGiven && !has_id(call)) {
        return cannot_write("a call has no id");
      }
      out_.control(mistral::kCalls);
      out_.add_content(call.name);
      if (rules_.calls == MistralRules::Calls::kNamedWithIds && has_id(call)) {
        out_.control(mistral::kCallId, mistral::kCallIdOld);
        out_.add_content(call.id);
      }
      out_.control(mistral::kArguments, mistral::kArgumentsOld);
      out_.add_content(json_of(call.arguments));
    }
    return {};
  }

  void write_call_list(const ChatMessage& message) {
    out_.control(mistral::kCalls);
    std::string_view before = "[";
    for (const RequestedCall& call : message.calls) {
      out_.add_template(before);
      out_.add_template(kCallOpen);
      out_.add_content(python_json_string(call.name));
      out_.add_template(kListArguments);
      out_.add_content(json_of(call.arguments));
      end_listed_call(call);
      before = ", ";
    }
    out_.add_template("]");
  }

  void end_listed_call(const RequestedCall& call) {
    if (rules_.calls == MistralRules::Calls::kListWithIds && has_id(call)) {
      out_.add_template(", \"id\": ");
      out_.add_content(python_json_string(call.id));
    }
    out_.add_template("}");
  }

  Status write_result(const ChatMessage& message) {
    if (rules_.results == MistralRules::Results::kNone)
      return cannot_write("the format has no results of tools");
    if (has_thinking(message)) return cannot_write("a tool's message has thinking");
    if (is_forgotten()) return {};
    if (!message.call_id && rules_.results != MistralRules::Results::kList) {
      return cannot_write("a result has no \"tool_call_id\"");
    }
    out_.control(mistral::kResults);
    write_result_content(message);
    out_.control(mistral::kResultsEnd);
    return {};
  }

  void write_result_content(const ChatMessage& message) {
    const std::string_view text = text_in(message);
    switch (rules_.results) {
      case MistralRules::Results::kNone:
        break;
      case MistralRules::Results::kList:
        out_.add_template("[{\"name\": ");
        out_.add_content(message.name ? python_json_string(*message.name) : "null");
        out_.add_template(", \"content\": ");
        out_.add_content(json_of(text));
        out_.add_template("}]");
        break;
      case MistralRules::Results::kObject:
        out_.add_template("{\"content\": ");
        out_.add_content(json_of(text));
        out_.add_template(", \"call_id\": ");
        out_.add_content(python_json_string(*message.call_id));
        out_.add_template("}");
        break;
      case MistralRules::Results::kTextWithId:
        out_.add_content(*message.call_id);
        out_.control(mistral::kResultContent);
        out_.add_content(text);
        break;
      case MistralRules::Results::kText:
        out_.add_content(text);
        break;
    }
  }

  const MistralRules& rules_;
  const ChatRequest& request_;
  MistralTurns turns_;
  PromptWriter out_;
  std::size_t at_ = 0;  // index in turns_.messages
  bool has_user_ = false;
  std::size_t first_user_ = 0;
  std::size_t last_user_ = 0;
};

}  // namespace

Result<Prompt> render_mistral(const MistralRules& rules, const ChatRequest& request) {
  return MistralRenderer(rules, request).run();
}

Result<Prompt> continue_mistral(const MistralRules& rules, const ChatRequest& request,
                                std::size_t first, ReplyEnd end) {
  MistralRules going_on = rules;
  going_on.begins_with_user = false;
  going_on.results_in_order = false;  // their calls are not in `rest`
  ChatRequest rest;
  rest.messages.assign(request.messages.begin() + static_cast<std::ptrdiff_t>(first),
                       request.messages.end());
  return MistralRenderer(going_on, rest).run_behind(request.messages[first - 1], end);
}

std::optional<CallForm> call_form_of(const MistralRules& rules) {
  if (rules.calls == MistralRules::Calls::kNone) return {};
  CallForm form;
  PromptWriter lead(rules.sentencepiece);
  lead.control(mistral::kCalls);
  if (writes_lists(rules)) {
    lead.add_template("[");
    lead.add_template(kCallOpen);
    lead.add_template("\"");
    form.in_quotes = true;
    form.middle = {std::string(kListArguments)};
    PromptWriter close;
    close.add_template("}]");
    form.close = std::move(close).take();
  } else {
    if (rules.calls == MistralRules::Calls::kNamedWithIds) {
      form.middle.emplace_back(
          ControlToken{std::string(mistral::kCallId), std::string(mistral::kCallIdOld), false});
      form.middle.emplace_back(CallIdForm{});
    }
    form.middle.emplace_back(
        ControlToken{std::string(mistral::kArguments), std::string(mistral::kArgumentsOld), false});
  }
  form.lead = std::move(lead).take();
  return form;
}

std::optional<ThinkingForm> thinking_form_of(const MistralRules& rules) {
  if (!rules.writes_thinking) return {};
  PromptWriter open(rules.sentencepiece);
  open.control(mistral::kThink);
  PromptWriter close(rules.sentencepiece);
  close.control(mistral::kThinkEnd);
  ThinkingForm form;
  form.open = std::move(open).take();
  form.end = mistral::kThinkEnd;
  form.close = std::move(close).take();
  return form;
}

}  // namespace pedro
