#include <doctest/doctest.h>

#include "chat_format/call_form.h"
#include "llm/staged_call.h"
#include "support/tiny_vocabulary.h"

namespace pedro {
namespace {

Prompt text_prompt(std::string text) {
  Prompt prompt;
  PromptText part;
  part.text = std::move(text);
  prompt.parts.emplace_back(std::move(part));
  return prompt;
}

// Returns one token per byte.
std::vector<TokenId> ids_of(std::string_view text) {
  std::vector<TokenId> ids;
  for (const char byte : text) ids.push_back(static_cast<unsigned char>(byte));
  return ids;
}

}  // namespace

TEST_CASE("thinking: it is closed as the family closes it, however the model ends") {
  const auto tokenizer = tiny_tokenizer({});
  PromptEncoder encoder(*tokenizer);
  ThinkingForm form;
  form.end = "</think>";
  form.behind_end = text_prompt("\n\n");
  form.close = text_prompt("\n</think>\n\n");
  const Prompt lead = text_prompt("<call>");
  struct Row {
    const char* name;
    const char* written;
    CompletionEnd end;
    const char* thinking;
    const char* whole;
    bool is_cut;
    std::size_t evaluated;
  };
  for (const Row& row : {
           Row{"it ends it", "I see.\n</think>", CompletionEnd::kWord, "I see.",
               "I see.\n</think>\n\n<call>", false, 14},
           Row{"with something of what is behind", "Yes</think>\n", CompletionEnd::kWord, "Yes",
               "Yes</think>\n\n<call>", false, 11},
           Row{"with more than that", "Yes</think>x", CompletionEnd::kWord, "Yes",
               "Yes</think>x\n\n<call>", false, 11},
           Row{"the limit ends it", "On and on", CompletionEnd::kLimit, "On and on",
               "On and on\n</think>\n\n<call>", true, 8},
           Row{"it ends the whole reply", "Bye#", CompletionEnd::kToken, "Bye",
               "Bye\n</think>\n\n<call>", true, 3},
           Row{"with nothing at all", "#", CompletionEnd::kToken, "", "\n</think>\n\n<call>", true,
               0},
           Row{"inside a character", "\xC3", CompletionEnd::kLimit, "\xEF\xBF\xBD",
               "\xC3\n</think>\n\n<call>", true, 0},
       }) {
    CAPTURE(row.name);
    const AskThinking ask = [&](std::string_view stop) -> Result<Completion> {
      CHECK(stop == "</think>");
      Completion answer;
      answer.tokens = ids_of(row.written);
      answer.end = row.end;
      answer.usage.generated_tokens = static_cast<long long>(answer.tokens.size());
      return answer;
    };
    const Result<Thought> thought = think(form, lead, encoder, ask);
    REQUIRE(thought.ok());
    CHECK(thought->text == row.thinking);
    CHECK(thought->ids == ids_of(row.whole));
    CHECK(thought->is_cut == row.is_cut);
    CHECK(thought->evaluated == row.evaluated);
  }
}

TEST_CASE("thinking: a server's error is an error") {
  const auto tokenizer = tiny_tokenizer({});
  PromptEncoder encoder(*tokenizer);
  const AskThinking ask = [](std::string_view) -> Result<Completion> {
    return Error{ErrorKind::kModel, "gone"};
  };
  const Result<Thought> thought = think({}, {}, encoder, ask);
  REQUIRE_FALSE(thought.ok());
  CHECK(thought.error().message == "gone");
}

}  // namespace pedro
