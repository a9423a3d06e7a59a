#include "chat_format/format_family.h"

#include <fmt/format.h>

#include <cassert>
#include <vector>

#include "base/embedded_file.h"
#include "base/json.h"
#include "base/text.h"
#include "chat/call_ids.h"
#include "chat/conversation_check.h"
#include "chat_format/mistral_format.h"
#include "chat_format/tool_text.h"
#include "chat_format/turn_forms.h"
#include "chat_format/turn_render.h"
#include "messages_api/message_format.h"

namespace pedro {

extern const EmbeddedFile kFormatFamilies[];
extern const std::size_t kFormatFamiliesCount;

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

// Checks that a conversation can continue. It has messages and no final answer, and only the last
// message is a prefix. Results follow calls and do not outnumber them. Names are present, and the
// family has all parts. Error (kUsage): the first problem.
Status check_turns(const TurnRules& rules, const ChatRequest& request) {
  return TurnCheck(rules, request).run();
}

constexpr MistralRules kMistralV1{
    .sentencepiece = true,
    .inst_is_text = true,
    .system = MistralRules::System::kFirstUser,
    .tools = MistralRules::Tools::kNone,
    .calls = MistralRules::Calls::kNone,
    .results = MistralRules::Results::kNone,
    .call_ids = MistralRules::CallIds::kAny,
    .keeps_blanks = true,
    .begins_with_user = true,
    .text_with_calls = false,
};

constexpr MistralRules kMistralV2{
    .sentencepiece = true,
    .system = MistralRules::System::kLastUser,
    .calls = MistralRules::Calls::kList,
    .results = MistralRules::Results::kList,
    .call_ids = MistralRules::CallIds::kAny,
    .forgets_calls = true,
    .begins_with_user = true,
    .text_with_calls = false,
};

constexpr MistralRules kMistralV3{
    .sentencepiece = true,
    .system = MistralRules::System::kLastUser,
    .results = MistralRules::Results::kObject,
    .begins_with_user = true,
    .text_with_calls = false,
};

constexpr MistralRules kMistralV7{.sentencepiece = true};

constexpr MistralRules kMistralV11{
    .calls = MistralRules::Calls::kNamedWithIds,
    .results_in_order = true,
    .accepts_thinking = true,
};

constexpr MistralRules kMistralV13{
    .tools = MistralRules::Tools::kFirstUser,
    .calls = MistralRules::Calls::kNamed,
    .results = MistralRules::Results::kText,
    .call_ids = MistralRules::CallIds::kGiven,
    .results_in_order = true,
    .accepts_thinking = true,
    .writes_thinking = true,
};

constexpr MistralRules without_spaces(MistralRules rules) {
  rules.sentencepiece = false;
  return rules;
}

struct MistralRow {
  const char* name;
  const char* about;
  const char* vocabulary;
  MistralRules rules;
};

constexpr MistralRow kMistral[] = {
    {"mistral-v1", "Mistral 7B v0.1 and v0.2, Mixtral 8x7B: no tools", "mistral-v1", kMistralV1},
    {"mistral-v2", "Mistral Small and Large 2402: tools, earlier calls are forgotten", "mistral-v2",
     kMistralV2},
    {"mistral-v3", "Mistral 7B v0.3, Mixtral 8x22B, Codestral: calls have ids", "mistral-v3",
     kMistralV3},
    {"mistral-v3-tekken", "Mistral Nemo, Ministral 8B, Pixtral 12B: the same without blanks",
     "tekken", without_spaces(kMistralV3)},
    {"mistral-v7", "Mistral Large 2411: system prompts in their places", "mistral-v7", kMistralV7},
    {"mistral-v7-tekken", "Mistral Small 3: the same without blanks", "tekken",
     without_spaces(kMistralV7)},
    {"mistral-v11-tekken", "later models: each call by itself", "tekken", kMistralV11},
    {"mistral-v13-tekken", "later models: calls without ids, thinking, tools in front", "tekken",
     kMistralV13},
};

// The functions for each kind of rules. A new kind needs overloads here and a place in the variant.
Status check(const MistralRules& rules, const ChatRequest& request) {
  return check_mistral(rules, request);
}
Status check(const TurnRules& rules, const ChatRequest& request) {
  return check_turns(rules, request);
}
Result<Prompt> render(const MistralRules& rules, const ChatRequest& request) {
  return render_mistral(rules, request);
}
Result<Prompt> render(const TurnRules& rules, const ChatRequest& request) {
  return render_turns(rules, request);
}
Result<Prompt> continue_from(const MistralRules& rules, const ChatRequest& request,
                             std::size_t first, ReplyEnd end) {
  return continue_mistral(rules, request, first, end);
}
Result<Prompt> continue_from(const TurnRules& rules, const ChatRequest& request, std::size_t first,
                             ReplyEnd end) {
  return continue_turns(rules, request, first, end);
}
std::optional<CallIdForm> call_id_form(const MistralRules& rules) {
  if (rules.call_ids != MistralRules::CallIds::kNine) return {};
  return CallIdForm{.length = 9};
}
std::optional<CallIdForm> call_id_form(const TurnRules&) {
  return {};
}

std::vector<FormatFamily> all_families() {
  std::vector<FormatFamily> out;
  for (const MistralRow& row : kMistral) {
    const bool calls = row.rules.calls != MistralRules::Calls::kNone;
    out.push_back({row.name, row.about, row.vocabulary, row.rules,
                   calls ? CallSyntax::kMistral : CallSyntax::kJson});
  }
  assert(kFormatFamiliesCount == 1);
  const Result<Json> document = parse_json(kFormatFamilies[0].bytes);
  assert(document.ok());
  for (const Json& row : member(*document, "families")) {
    Result<TurnRules> rules = read_turn_rules(row);
    const auto syntax = call_syntax_named(text_of(row, "syntax", "json"));
    assert(rules.ok() && syntax);
    out.push_back({text_of(row, "name"), text_of(row, "about"), text_of(row, "vocabulary"),
                   *std::move(rules), *syntax});
  }
  return out;
}

}  // namespace

std::span<const FormatFamily> format_families() {
  static const std::vector<FormatFamily> families = all_families();
  return families;
}

Result<const FormatFamily*> find_format(std::string_view name) {
  std::vector<std::string> names;
  for (const FormatFamily& family : format_families()) {
    if (family.name == name) return &family;
    names.push_back(family.name);
  }
  if (message_format_named(name)) {
    return Error{ErrorKind::kUsage,
                 fmt::format("'{0}' is a message format, not a model family: for a server that "
                             "speaks it, use -backend {0} (model.type)",
                             name)};
  }
  return Error{ErrorKind::kUsage,
               fmt::format("no format is called '{}'{}: see `pedrocli format list`", name,
                           did_you_mean(name, names))};
}

std::optional<CallSyntax> call_syntax_of(std::string_view family) {
  for (const FormatFamily& known : format_families()) {
    if (known.name == family) return known.syntax;
  }
  return {};
}

Status check_conversation(const FormatFamily& family, const ChatRequest& request) {
  return std::visit([&](const auto& rules) { return check(rules, request); }, family.rules);
}

Result<Prompt> render_conversation(const FormatFamily& family, const ChatRequest& request) {
  return std::visit([&](const auto& rules) { return render(rules, request); }, family.rules);
}

Result<Prompt> render_continuation(const FormatFamily& family, const ChatRequest& request,
                                   std::size_t first, ReplyEnd end) {
  assert(first > 0 && first <= request.messages.size());
  const bool plain = end == ReplyEnd::kPlainArguments;
  Result<Prompt> rest = std::visit(
      [&](const auto& rules) {
        return continue_from(rules, request, first, plain ? ReplyEnd::kByModel : end);
      },
      family.rules);
  if (!rest) return rest;
  Prompt prompt = plain ? plain_call_form().close : Prompt{};
  prompt.spaced = rest->spaced;
  prompt.guarded = rest->guarded;
  append(prompt, *rest);
  if (prompt.parts.empty()) return prompt;
  if (auto* text = std::get_if<PromptText>(&prompt.parts.front())) text->continues = true;
  return prompt;
}

OpenThinking open_thinking(const FormatFamily& family) {
  const auto* rules = std::get_if<TurnRules>(&family.rules);
  return rules == nullptr ? OpenThinking{} : open_thinking(*rules);
}

Prompt end_of_thinking(const FormatFamily& family) {
  const auto* rules = std::get_if<TurnRules>(&family.rules);
  return rules == nullptr ? Prompt{} : end_of_thinking(*rules);
}

std::optional<ThinkingForm> thinking_form(const FormatFamily& family) {
  return std::visit([](const auto& rules) { return thinking_form_of(rules); }, family.rules);
}

std::optional<CallForm> call_form(const FormatFamily& family) {
  return std::visit([](const auto& rules) { return call_form_of(rules); }, family.rules);
}

ChatRequest with_native_call_ids(const FormatFamily& family, ChatRequest request) {
  const auto form = std::visit([](const auto& rules) { return call_id_form(rules); }, family.rules);
  if (form) map_call_ids(request, *form);
  return request;
}

}  // namespace pedro
