#include "chat_format/format_tokens.h"

#include <fmt/format.h>

#include <algorithm>

#include "chat/sample_request.h"

namespace pedro {
namespace {

// Collects the control tokens of a family, also those of a call's lead.
std::vector<ControlToken> written_tokens(const FormatFamily& family) {
  const std::optional<CallForm> form = call_form(family);
  const RequestedCall call{"abcdefghi", "read_file", "{}"};
  ChatRequest chat = conversation({system_message("S"), user_message("U")});
  if (form) {
    chat.tools.push_back({call.name, "D.", R"({"type": "object", "properties": {}})"});
    chat.messages.push_back(calling_message({call}));
    chat.messages.push_back(result_message(call, "R"));
  } else {
    chat.messages.push_back(answer_message("A"));
    chat.messages.push_back(user_message("U"));
  }
  std::vector<ControlToken> out;
  const auto add = [&out](const Prompt& prompt) {
    for (const PromptPart& part : prompt.parts) {
      const auto* control = std::get_if<ControlToken>(&part);
      const bool is_new =
          control != nullptr && std::none_of(out.begin(), out.end(),
                                             [&](auto& one) { return one.name == control->name; });
      if (is_new) out.push_back(*control);
    }
  };
  if (const Result<Prompt> prompt = render_conversation(family, chat); prompt) add(*prompt);
  if (form) add(form->lead);
  return out;
}

}  // namespace

Result<MissingTokens> missing_tokens(const FormatFamily& family, Tokenizer& tokenizer) {
  const std::vector<ControlToken> tokens = written_tokens(family);
  std::vector<Passage> passages;
  for (const ControlToken& token : tokens) {
    passages.push_back({token.name, Specials::kAll, "control token"});
    passages.push_back({token.old_name, Specials::kAll, "control token"});
  }
  PEDRO_TRY(const auto ids, tokenizer.encode_each(passages));
  MissingTokens out;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (ids[2 * i].size() == 1 || ids[2 * i + 1].size() == 1) continue;
    (tokens[i].may_be_text ? out.tags : out.control).push_back(tokens[i].name);
  }
  return out;
}

std::string some_of(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 3;
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i == kShown) return out + fmt::format(" and {} more", names.size() - i);
    out += (i > 0 ? ", " : "") + names[i];
  }
  return out;
}

}  // namespace pedro
