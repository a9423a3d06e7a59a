#include "llm/accepted_messages.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <variant>

#include "base/embedded_file.h"
#include "base/json.h"
#include "base/text.h"
#include "chat/call_ids.h"
#include "llm/merged_schema.h"
#include "messages_api/model_reply.h"

namespace pedro {

extern const EmbeddedFile kCallsAsText[];

namespace {

constexpr std::string_view kNoContent = "...";
constexpr std::size_t kMaxNameBytes = 64;

// Returns a name of letters, digits, '_' and '-', as servers require.
std::string sendable_name(std::string name) {
  const auto is_refused = [](char c) {
    return !is_digit(c) && !(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') && c != '_' &&
           c != '-';
  };
  std::replace_if(name.begin(), name.end(), is_refused, '_');
  name.resize(std::min(name.size(), kMaxNameBytes));
  return name.empty() ? "_" : name;
}

bool drop_allowed_tools(ChatRequest& chat) {
  return !std::exchange(chat.tool_choice.allowed, {}).empty();
}

bool omit_choice(ChatRequest& chat, ToolChoice::Kind kind) {
  if (chat.tool_choice.kind != kind) return false;
  chat.tool_choice.kind = ToolChoice::Kind::kNotSaid;
  return true;
}

bool omit_required_call(ChatRequest& chat) {
  return omit_choice(chat, ToolChoice::Kind::kAny);
}

bool omit_refused_calls(ChatRequest& chat) {
  return omit_choice(chat, ToolChoice::Kind::kNone);
}

bool merge_options(ChatRequest& chat) {
  bool found = false;
  for (DeclaredTool& tool : chat.tools) {
    std::string merged = merged_options(tool.parameters);
    found |= merged != tool.parameters;
    tool.parameters = std::move(merged);
  }
  return found;
}

bool omit_result_names(ChatRequest& chat) {
  bool found = false;
  for (ChatMessage& message : chat.messages) {
    found |= message.name.has_value();
    message.name.reset();
  }
  return found;
}

// Writes "" for the missing text of messages with calls.
bool write_empty_text(ChatRequest& chat) {
  bool found = false;
  for (ChatMessage& message : chat.messages) {
    if (!message.content.empty() || message.calls.empty()) continue;
    message.content = {{ContentChunk::Kind::kText, ""}};
    found = true;
  }
  return found;
}

// Writes ids as Mistral's API requires them: nine letters and digits.
bool shorten_call_ids(ChatRequest& chat) {
  const auto has_calls = [](const ChatMessage& message) { return !message.calls.empty(); };
  if (!std::any_of(chat.messages.begin(), chat.messages.end(), has_calls)) return false;
  map_call_ids(chat, {.required = true});
  return true;
}

// Moves the system prompt to the start of the first user's message.
bool join_system_to_user(ChatRequest& chat) {
  std::vector<ChatMessage>& messages = chat.messages;
  if (messages.empty() || messages.front().role != Role::kSystem) return false;
  const std::string rules = text_of(messages.front());
  if (messages.size() < 2 || messages[1].role != Role::kUser) {
    messages.front().role = Role::kUser;
    return true;
  }
  messages[1] = text_message(Role::kUser, rules + "\n\n" + text_of(messages[1]));
  messages.erase(messages.begin());
  return true;
}

// Splits messages with several calls. The result of each call follows it.
bool separate_calls(ChatRequest& chat) {
  std::vector<ChatMessage> separate;
  bool found = false;
  auto next = chat.messages.begin();
  while (next != chat.messages.end()) {
    ChatMessage message = std::move(*next++);
    std::vector<RequestedCall> more;
    if (message.calls.size() > 1) {
      more.assign(message.calls.begin() + 1, message.calls.end());
      message.calls.resize(1);
      found = true;
    }
    separate.push_back(std::move(message));
    const auto take_result = [&](const std::string& id) {
      if (next == chat.messages.end() || next->call_id != id) return;
      separate.push_back(std::move(*next++));
    };
    if (!more.empty()) take_result(separate.back().calls.front().id);
    for (RequestedCall& call : more) {
      const std::string id = call.id;
      separate.push_back(text_message(Role::kAssistant, ""));
      separate.back().content.clear();
      separate.back().calls.push_back(std::move(call));
      take_result(id);
    }
  }
  chat.messages = std::move(separate);
  return found;
}

std::string call_as_text(const RequestedCall& call) {
  const Result<Json> args = parse_json(call.arguments);
  return to_line(Json{{"tool", call.name}, {"args", args ? *args : Json(call.arguments)}});
}

std::string tools_as_text(std::span<const DeclaredTool> tools) {
  std::string text = "\n\n" + std::string(kCallsAsText[0].bytes);
  for (const DeclaredTool& tool : tools) {
    const Result<Json> args = parse_json(tool.parameters);
    text += "\n" + to_line(Json{{"tool", tool.name},
                                {"description", tool.description},
                                {"args", args ? *args : Json::object()}});
  }
  return text;
}

// Declares the tools in the first message. Writes calls as text, and results as the user's text.
bool write_calls_as_text(ChatRequest& chat) {
  if (chat.tools.empty() || chat.messages.empty()) return false;
  std::vector<ChatMessage> written;
  for (const ChatMessage& message : chat.messages) {
    std::string text = text_of(message);
    for (const RequestedCall& call : message.calls) {
      text += (text.empty() ? "" : "\n") + call_as_text(call);
    }
    const Role role = message.role == Role::kTool ? Role::kUser : message.role;
    const bool joins = role == Role::kUser && !written.empty() && written.back().role == role;
    if (joins) text = text_of(written.back()) + "\n\n" + text;
    if (joins) written.pop_back();
    written.push_back(text_message(role, std::move(text)));
  }
  ChatMessage& first = written.front();
  first = text_message(first.role, text_of(first) + tools_as_text(chat.tools));
  chat.messages = std::move(written);
  chat.tools.clear();
  chat.tool_choice = {};
  return true;
}

bool has_results(const ChatRequest& chat) {
  return std::any_of(chat.messages.begin(), chat.messages.end(),
                     [](const ChatMessage& message) { return message.role == Role::kTool; });
}

// Joins neighbours with the same role.
bool join_neighbours(ChatRequest& chat) {
  std::vector<ChatMessage> joined;
  for (ChatMessage& message : chat.messages) {
    const bool joins = !joined.empty() && joined.back().role == message.role &&
                       message.role != Role::kTool && message.calls.empty() &&
                       joined.back().calls.empty();
    if (!joins) {
      joined.push_back(std::move(message));
      continue;
    }
    const std::string more = text_of(message);
    std::vector<ContentChunk>& content = joined.back().content;
    content.push_back({ContentChunk::Kind::kText, content.empty() ? more : "\n\n" + more});
  }
  const bool found = joined.size() < chat.messages.size();
  chat.messages = std::move(joined);
  return found;
}

bool write_arguments_as_objects(ChatRequest& chat) {
  const auto has_calls = [](const ChatMessage& message) { return !message.calls.empty(); };
  const bool has_any = std::any_of(chat.messages.begin(), chat.messages.end(), has_calls);
  return has_any && !std::exchange(chat.object_arguments, true);
}

// A change, and the words of refusals that suggest it, in lower case. The words of one group must
// occur, except those after '!', which must not.
struct Change {
  std::vector<std::vector<std::string_view>> words;
  bool (*make)(ChatRequest& chat);
  bool may_be_guessed = false;
  bool (*is_meant)(const ChatRequest& chat) = nullptr;  // a refusal of this conversation; null: all
};

const std::vector<Change>& changes() {
  static const std::vector<Change> kChanges = {
      {{{"anyof"}, {"parameters"}, {"schema"}, {"grammar"}}, merge_options, true},
      {{{"tool_choice"}, {"allowed_tools"}}, drop_allowed_tools},
      {{{"tool_choice"}, {"tool choice"}, {"grammar"}}, omit_required_call, true},
      {{{"tool_choice"}}, omit_refused_calls},
      {{{"item pairs"},
        {"no attribute 'items'"},
        {"no method named items"},
        {"arguments", "valid dictionary"},
        {"arguments", "dict_type"},
        {"arguments", "cannot unmarshal string"},
        {"arguments", "expected a map"},
        {"arguments", "must be an object"},
        {"arguments", "not of type", "object"}},
       write_arguments_as_objects},
      {{{"single tool-c"}}, separate_calls},
      {{{"tool_calls"}}, drop_text_beside_calls},
      {{{"messages", "'name'"}, {"messages", "tool.name"}}, omit_result_names},
      {{{"content", "none is not"},
        {"content", "null"},
        {"content", "valid string"},
        {"content", "none", "not"},
        {"content", "nil"},
        {"content", "required"},
        {"content", "missing"},
        {"nonetype"}},
       write_empty_text},
      {{{"call id"}, {"tool_call_id"}}, shorten_call_ids},
      {{{"role", "!system", "!user"},
        {"role", "user", "assistant", "!tool"},
        {"role: tool"},
        {"tool role"}},
       write_calls_as_text,
       true,
       has_results},
      {{{"alternat"}, {"role", "in a row"}, {"consecutive"}}, join_neighbours},
      {{{"role", "!tool", "!user"}, {"role", "user", "assistant", "!system"}, {"system", "role"}},
       join_system_to_user},
  };
  return kChanges;
}

std::string said_by(const ServerRefusal& refusal) {
  return to_lower(refusal.parameter + " " + refusal.message);
}

bool suggests(const std::string& refusal, const Change& change) {
  return std::any_of(change.words.begin(), change.words.end(), [&](const auto& group) {
    return std::all_of(group.begin(), group.end(), [&](std::string_view word) {
      const bool must_occur = !word.starts_with('!');
      if (!must_occur) word.remove_prefix(1);
      return (refusal.find(word) != std::string::npos) == must_occur;
    });
  });
}

}  // namespace

AcceptedForm::AcceptedForm(bool takes_options) : learned_(changes().size()) {
  learned_.front() = !takes_options;
}

void AcceptedForm::apply(ChatRequest& chat) const {
  for (std::size_t i = 0; i < learned_.size(); ++i) {
    if (learned_[i]) (void)changes()[i].make(chat);
  }
}

bool AcceptedForm::learn(ChatRequest& chat, const ServerRefusal& refusal) {
  const std::string said = said_by(refusal);
  for (std::size_t i = 0; i < learned_.size(); ++i) {
    const Change& change = changes()[i];
    const bool is_meant = change.is_meant == nullptr || change.is_meant(chat);
    if (learned_[i] || !is_meant || !suggests(said, change)) continue;
    if (change.make(chat)) return learned_[i] = true;
  }
  return false;
}

bool AcceptedForm::guess(ChatRequest& chat) {
  for (std::size_t i = 0; i < learned_.size(); ++i) {
    if (learned_[i] || !changes()[i].may_be_guessed) continue;
    if (changes()[i].make(chat)) return learned_[i] = true;
  }
  return false;
}

bool suggests_form(const ServerRefusal& refusal) {
  const std::string said = said_by(refusal);
  return std::any_of(changes().begin(), changes().end(),
                     [&said](const Change& change) { return suggests(said, change); });
}

bool drop_text_beside_calls(ChatRequest& chat) {
  bool found = false;
  for (ChatMessage& message : chat.messages) {
    if (message.calls.empty()) continue;
    found |= std::erase_if(message.content, [](const ContentChunk& chunk) {
               return chunk.kind == ContentChunk::Kind::kText;
             }) > 0;
  }
  return found;
}

std::string unused_calls_as_text(std::span<const RequestedCall> calls, bool only_rejected) {
  std::string text;
  for (const RequestedCall& call : calls) {
    const std::vector<CallPart> parts =
        check_calls({&call, 1}, KnownTools({}, CallChecks::kNothing));
    const bool is_rejected = std::holds_alternative<RejectedText>(parts.front());
    if (is_rejected || !only_rejected) text += "\n" + call.name + " " + call.arguments;
  }
  return text;
}

void replace_refused_parts(std::vector<ChatMessage>& messages) {
  for (ChatMessage& message : messages) {
    if (message.name) message.name = sendable_name(*message.name);
    for (RequestedCall& call : message.calls) call.name = sendable_name(call.name);
    const bool is_empty = message.calls.empty() && trim(text_of(message)).empty();
    if (message.role == Role::kAssistant && is_empty) {
      message.content = {{ContentChunk::Kind::kText, std::string(kNoContent)}};
    }
  }
}

void join_users_to_results(std::vector<ChatMessage>& messages) {
  std::vector<ChatMessage> joined;
  for (ChatMessage& message : messages) {
    const bool follows = !joined.empty() && joined.back().role == Role::kTool;
    if (!follows || message.role != Role::kUser) {
      joined.push_back(std::move(message));
      continue;
    }
    std::vector<ContentChunk>& result = joined.back().content;
    if (result.empty()) result.emplace_back();
    result.back().text += (result.back().text.empty() ? "" : "\n\n") + text_of(message);
  }
  messages = std::move(joined);
}

}  // namespace pedro
