#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "base/result.h"
#include "chat/chat_request.h"
#include "format/call_form.h"
#include "format/mistral_rules.h"
#include "format/prompt.h"
#include "format/thinking_form.h"
#include "format/turn_rules.h"

namespace pedro {

/// How a family of models writes conversations: data, and which renderer reads it.
struct FormatFamily {
  std::string name;   ///< "mistral-v3-tekken"
  std::string about;  ///< one line
  std::string
      vocabulary;  ///< the registry's name of the one it belongs to; "" where there are many
  std::variant<MistralRules, TurnRules> rules;
};

/// All that are known, in the order they are listed: Mistral's, then those of families.json.
std::span<const FormatFamily> format_families();

/// The family of a name. Error (kUsage): there is none, but maybe one that was meant; a format of
/// messages is none.
Result<const FormatFamily*> find_format(std::string_view name);

/// Whether the family's models know such a conversation, as its reference judges it. An Error
/// (kUsage) is the reason against it: "messages[3]: …". What is not valid can often be rendered all
/// the same: a conversation that ends with the assistant's answer is what a model was trained on.
Status check_conversation(const FormatFamily& family, const ChatRequest& request);

/// The conversation as the family's reference writes it. An Error (kUsage) where it cannot be
/// written.
Result<Prompt> render_conversation(const FormatFamily& family, const ChatRequest& request);

/// What comes behind a reply. messages[first - 1] is that reply, and it stands in front of this as
/// the model wrote it, without a token that it ended with. The end of that turn, the messages from
/// `first` on, and the opening of the next reply: what a family would write anew or elsewhere when
/// asked for all of it (tools, system prompts, thinking) stays where it is.
Result<Prompt> render_continuation(const FormatFamily& family, const ChatRequest& request,
                                   std::size_t first, ReplyEnd end);

/// Some templates open thinking for the model, whatever they are told.
OpenThinking open_thinking(const FormatFamily& family);
/// What closes it; no parts where it is not open.
Prompt end_of_thinking(const FormatFamily& family);

/// How a reply that begins with thinking is written; nothing where the family has no thinking.
std::optional<ThinkingForm> thinking_form(const FormatFamily& family);

/// How the family's models write a call, thinking that is open closed before; nothing where they
/// were not trained to.
std::optional<CallForm> call_form(const FormatFamily& family);

/// The request with ids of calls that the family takes: other ids ("call_1") are replaced by ones
/// made from them, the same for a call and its results. An id's replacement depends on it and on
/// the ids before it only, so a conversation that grows keeps its ids.
ChatRequest with_native_call_ids(const FormatFamily& family, ChatRequest request);

}  // namespace pedro
