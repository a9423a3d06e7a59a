#include "llm/thinking_stage.h"

#include <algorithm>

#include "base/text.h"
#include "base/utf8.h"
#include "chat_format/call_form.h"

namespace pedro {
namespace {

Result<std::string> text_of_tokens(const std::vector<TokenId>& tokens, Tokenizer& tokenizer) {
  PEDRO_TRY(const std::vector<std::string> pieces, tokenizer.pieces(tokens));
  std::string text;
  for (const std::string& piece : pieces) text += piece;
  return text;
}

// Removes the prefix `written` from `prompt`, if present.
Prompt without_beginning(Prompt prompt, std::string_view written) {
  if (prompt.parts.empty()) return prompt;
  auto* first = std::get_if<PromptText>(&prompt.parts.front());
  if (first == nullptr || !first->text.starts_with(written)) return prompt;
  first->text.erase(0, written.size());
  if (first->text.empty()) prompt.parts.erase(prompt.parts.begin());
  return prompt;
}

}  // namespace

Result<Thought> think(const ThinkingForm& form, const Prompt& lead, PromptEncoder& encoder,
                      const AskThinking& ask) {
  PEDRO_TRY(Completion answer, ask(form.end));
  const bool ends_reply = answer.end == CompletionEnd::kToken;
  Thought thought;
  thought.usage = answer.usage;
  thought.ids = std::move(answer.tokens);
  if (!thought.ids.empty()) {  // the last token was sampled but not evaluated
    thought.evaluated = std::min(thought.ids.size() - 1, answer.exact);
  }
  if (ends_reply) thought.ids.pop_back();
  PEDRO_TRY(const std::string written, text_of_tokens(thought.ids, encoder.tokenizer()));
  const std::size_t end = written.find(form.end);
  thought.is_cut = end == std::string::npos;
  thought.text = with_valid_characters(trim(std::string_view(written).substr(0, end)));
  Prompt rest = thought.is_cut
                    ? form.close
                    : without_beginning(form.behind_end,
                                        std::string_view(written).substr(end + form.end.size()));
  append(rest, lead);
  if (rest.parts.empty()) return thought;
  if (auto* text = std::get_if<PromptText>(&rest.parts.front())) text->continues = true;
  PEDRO_TRY(const std::vector<TokenId> ids, encoder.encode(rest));
  thought.ids.insert(thought.ids.end(), ids.begin(), ids.end());
  return thought;
}

}  // namespace pedro
