#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "base/result.h"
#include "call_parser/call_syntax.h"
#include "chat/chat_request.h"
#include "chat_format/call_form.h"
#include "chat_format/mistral_rules.h"
#include "chat_format/prompt.h"
#include "chat_format/turn_rules.h"

namespace pedro {

/// The format of conversations in a family of models: rules for one of the renderers.
struct FormatFamily {
  std::string name;   ///< "mistral-v3-tekken"
  std::string about;  ///< one line
  std::string
      vocabulary;  ///< the registry's name of its vocabulary; "" if its models have several ones
  std::variant<MistralRules, TurnRules> rules;
  CallSyntax syntax = CallSyntax::kJson;  ///< kJson also if the family has no calls of its own
};

/// All known families in listing order: Mistral's, then those of families.json.
std::span<const FormatFamily> format_families();

/// Finds a family by name. Error (kUsage): no family has the name, with a similar name as a hint.
/// Formats of messages are not families.
Result<const FormatFamily*> find_format(std::string_view name);

/// Returns the syntax of a family; `pedrocli format list` shows the names. Returns nothing for an
/// unknown name. Families without their own calls (mistral-v1, chatml) have kJson.
std::optional<CallSyntax> call_syntax_of(std::string_view family);

/// Checks that the family's models know such conversations, as its reference judges it. Error
/// (kUsage): the reason against it, "messages[3]: …". Many invalid conversations can be rendered.
/// For example, models are trained on conversations that end with an answer.
Status check_conversation(const FormatFamily& family, const ChatRequest& request);

/// Renders the conversation like the family's reference. Error (kUsage): it cannot be written.
Result<Prompt> render_conversation(const FormatFamily& family, const ChatRequest& request);

/// Renders the text after a reply: the end of its turn, the messages from `first`, and the next
/// reply's opening. messages[first - 1] is the reply. The prompt already contains it as the model
/// wrote it, without a token that ended it. Tools, system prompts and thinking stay in place,
/// although a full rendering might move or rewrite them.
Result<Prompt> render_continuation(const FormatFamily& family, const ChatRequest& request,
                                   std::size_t first, ReplyEnd end);

/// Returns the thinking that the opening of a reply starts; some templates always open it.
OpenThinking open_thinking(const FormatFamily& family);
/// Returns the text that closes that thinking; no parts if it is not open.
Prompt end_of_thinking(const FormatFamily& family);

/// Returns the form of a reply that begins with thinking; nothing if the family has none.
std::optional<ThinkingForm> thinking_form(const FormatFamily& family);

/// Returns the form of a call, which first closes open thinking. Returns nothing if the family's
/// models were not trained on calls.
std::optional<CallForm> call_form(const FormatFamily& family);

/// Returns the request with call ids that the family accepts. Replaces other ids ("call_1") by ids
/// derived from them, equally for a call and its results. A replacement depends only on the id and
/// the ids before it, so a growing conversation keeps its ids.
ChatRequest with_native_call_ids(const FormatFamily& family, ChatRequest request);

}  // namespace pedro
