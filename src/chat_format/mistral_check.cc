#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <set>
#include <string>
#include <string_view>

#include "base/embedded_file.h"
#include "base/json.h"
#include "base/utf8.h"
#include "chat/call_ids.h"
#include "chat/conversation_check.h"
#include "chat_format/mistral_format.h"
#include "json_schema/schema.h"
#include "json_schema/validate.h"

namespace pedro {

extern const EmbeddedFile kMetaSchema[];

namespace {

const Schema& meta_schema() {
  static const Schema schema = [] {
    const Result<Json> document = parse_json(kMetaSchema[0].bytes);
    assert(document.ok());
    Result<Schema> parsed = parse_schema(*document);
    assert(parsed.ok() && parsed->unchecked.empty());
    return *std::move(parsed);
  }();
  return schema;
}

// Checks that `json` has the form of a JSON Schema (draft 7): keywords have values of their types.
// References check this before they show a tool to a model. Does not check that a value can match,
// targets of references, and patterns. Error (kUsage) names the place: "/properties/x/minLength:
// expected …".
Status check_tool_schema(std::string_view json) {
  const Result<Json> schema = parse_json(json);
  if (!schema) return Error{ErrorKind::kUsage, schema.error().message};
  const auto violation = validate(meta_schema(), *schema);
  if (!violation) return {};
  return Error{ErrorKind::kUsage, "not a JSON Schema: " + to_string(*violation)};
}

constexpr std::size_t kMaxShownBytes = 80;
constexpr std::string_view kAbsentId = "null";  // the reference's spelling of a missing id

std::string quoted_beginning(std::string_view text) {
  return fmt::format("'{}'{}", make_printable(truncate_utf8(text, kMaxShownBytes)),
                     text.size() > kMaxShownBytes ? "…" : "");
}

bool is_function_name(std::string_view name) {
  constexpr std::string_view kLetters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
  return !name.empty() && name.size() <= 64 &&
         name.find_first_not_of(kLetters) == std::string_view::npos;
}

std::string name_complaint(std::string_view name) {
  return fmt::format("a function's name is 1 to 64 ASCII letters, digits, '_' and '-', got {}",
                     quoted_beginning(name));
}

bool may_follow(Role before, Role role) {
  switch (before) {
    case Role::kSystem:
    case Role::kUser:
      return role != Role::kTool;
    case Role::kAssistant:
    case Role::kTool:
      return role != Role::kSystem;
  }
  return false;
}

/// Checks the request as a whole, then each message, then the tools.
class MistralCheck {
 public:
  MistralCheck(const MistralRules& rules, const ChatRequest& request)
      : rules_(rules), request_(request), messages_(request.messages) {}

  Status run() const {
    if (Status good = check_ends(); !good) return good;
    if (Status good = check_order(); !good) return good;
    if (Status good = rules_.results_in_order ? check_pairs() : check_counts(); !good) return good;
    for (std::size_t i = 0; i < messages_.size(); ++i) {
      if (Status good = check_message(i); !good) return good;
    }
    if (Status good = check_tools(); !good) return good;
    if (!request_.reasoning_effort.empty())
      return usage_error("reasoning_effort: the format has none");
    return {};
  }

 private:
  Status check_ends() const {
    if (messages_.empty()) return usage_error("messages: the list is empty");
    const ChatMessage& last = messages_.back();
    const bool by_assistant = last.role == Role::kAssistant;
    if (request_.continue_final_message && !by_assistant) {
      return usage_error("continue_final_message: the last message is not the assistant's");
    }
    if (messages_.size() == 1 && last.role != Role::kUser && last.role != Role::kSystem) {
      return wrong_message(0, "a conversation begins with a user's or a system message");
    }
    if (messages_.size() > 1 && by_assistant && !last.prefix) {
      return already_answered(messages_.size() - 1);
    }
    return {};
  }

  Status check_order() const {
    for (std::size_t i = 1; i < messages_.size(); ++i) {
      if (may_follow(messages_[i - 1].role, messages_[i].role)) continue;
      return wrong_message(i, fmt::format("role {} cannot follow {}", to_string(messages_[i].role),
                                          to_string(messages_[i - 1].role)));
    }
    return {};
  }

  // Requires as many results as calls before the assistant's next message. Ignores calls of the
  // first message and missing results at the end.
  Status check_counts() const {
    std::size_t calls = 0;
    std::size_t results = 0;
    for (std::size_t i = 1; i < messages_.size(); ++i) {
      if (messages_[i].role == Role::kTool) ++results;
      if (messages_[i].role != Role::kAssistant) continue;
      if (calls != results) return unequal(i, calls, results);
      calls = messages_[i].calls.size();
      results = 0;
    }
    return {};
  }

  // Requires the same, with matching ids.
  Status check_pairs() const {
    std::set<std::string_view> calls;
    std::set<std::string_view> results;
    for (std::size_t i = 1; i < messages_.size(); ++i) {
      const ChatMessage& message = messages_[i];
      if (message.role == Role::kTool) {
        const std::string_view id = message.call_id ? std::string_view(*message.call_id) : "";
        if (!message.call_id || !calls.contains(id)) {
          return wrong_message(i,
                               fmt::format("no call before has the id {}", quoted_beginning(id)));
        }
        if (!results.insert(id).second) {
          return wrong_message(i,
                               fmt::format("a second result of the call {}", quoted_beginning(id)));
        }
      } else if (message.role == Role::kAssistant) {
        if (calls.size() != results.size()) return unequal(i, calls.size(), results.size());
        calls.clear();
        results.clear();
        for (const RequestedCall& call : message.calls) {
          if (calls.insert(id_of(call)).second) continue;
          return wrong_message(i,
                               fmt::format("two calls have the id {}", quoted_beginning(call.id)));
        }
      }
    }
    return {};
  }

  static Error unequal(std::size_t message, std::size_t calls, std::size_t results) {
    return wrong_message(message, fmt::format("the assistant speaks again after {} calls and {} "
                                              "results: each call needs one",
                                              calls, results));
  }

  static std::string_view id_of(const RequestedCall& call) {
    return call.id.empty() ? kAbsentId : std::string_view(call.id);
  }

  Status check_message(std::size_t i) const {
    const ChatMessage& message = messages_[i];
    const bool may_think =
        message.role == Role::kAssistant
            ? rules_.accepts_thinking
            : message.role == Role::kSystem && rules_.system == MistralRules::System::kInPlace;
    for (const ContentChunk& chunk : message.content) {
      if (chunk.kind != ContentChunk::Kind::kThinking || may_think) continue;
      return wrong_message(i, fmt::format("the format has no thinking in a message of role {}",
                                          to_string(message.role)));
    }
    if (message.role == Role::kAssistant) return check_assistant(i);
    if (message.role == Role::kTool) return check_result(i);
    return {};
  }

  Status check_assistant(std::size_t i) const {
    const ChatMessage& message = messages_[i];
    if (!rules_.text_with_calls && message.content.empty() == message.calls.empty()) {
      return wrong_message(i, "an assistant's message has either text or calls");
    }
    for (const RequestedCall& call : message.calls) {
      if (Status good = check_call_id(i, id_of(call)); !good) return good;
      if (!is_function_name(call.name)) return wrong_message(i, name_complaint(call.name));
    }
    if (message.prefix && i + 1 < messages_.size()) {
      return wrong_message(i, "only the last message can be a prefix");
    }
    return {};
  }

  Status check_result(std::size_t i) const {
    const ChatMessage& message = messages_[i];
    if (message.name && !is_function_name(*message.name)) {
      return wrong_message(i, name_complaint(*message.name));
    }
    if (rules_.call_ids == MistralRules::CallIds::kAny) return {};
    if (!message.call_id) return wrong_message(i, "a result needs its \"tool_call_id\"");
    return check_call_id(i, *message.call_id);
  }

  Status check_call_id(std::size_t i, std::string_view id) const {
    if (rules_.call_ids == MistralRules::CallIds::kAny) return {};
    if (id.empty() || id == kAbsentId) return wrong_message(i, "a call and its result need an id");
    if (rules_.call_ids == MistralRules::CallIds::kGiven || is_call_id(id, {.length = 9})) {
      return {};
    }
    return wrong_message(i, fmt::format("an id of a call is nine ASCII letters and digits, got {}",
                                        quoted_beginning(id)));
  }

  Status check_tools() const {
    for (std::size_t i = 0; i < request_.tools.size(); ++i) {
      const DeclaredTool& tool = request_.tools[i];
      if (Status good = check_tool_schema(tool.parameters); !good) {
        return usage_error(fmt::format("tools[{}].parameters: {}", i, good.error().message));
      }
      if (!is_function_name(tool.name)) {
        return usage_error(fmt::format("tools[{}]: {}", i, name_complaint(tool.name)));
      }
    }
    return {};
  }

  const MistralRules& rules_;
  const ChatRequest& request_;
  const std::vector<ChatMessage>& messages_;
};

}  // namespace

Status check_mistral(const MistralRules& rules, const ChatRequest& request) {
  return MistralCheck(rules, request).run();
}

}  // namespace pedro
