#include "chat_format/format_tokens.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "base/text.h"
#include "support/tiny_vocabulary.h"

namespace pedro {

TEST_CASE("format_tokens: lists a family's tokens that a vocabulary lacks") {
  struct Row {
    const char* family;
    std::vector<std::string> tokens;
    const char* control;
    const char* tags;
  };
  const Row rows[] = {
      {"hermes",
       {"<|im_start|>", "<|im_end|>", "<tool_call>", "</tool_call>", "<tool_response>",
        "</tool_response>"},
       "",
       ""},
      {"hermes",
       {"<|im_start|>", "<|im_end|>"},
       "",
       "<tool_call> </tool_call> <tool_response> </tool_response>"},
      {"chatml", {"<|im_start|>"}, "<|im_end|>", ""},
      {"generic", {}, "<|im_start|> <|im_end|>", ""},
      {"mistral-v1", {"<s>", "</s>"}, "", ""},
      {"mistral-v3",
       {"<s>", "</s>", "[INST]", "[/INST]"},
       "[AVAILABLE_TOOLS] [/AVAILABLE_TOOLS] [TOOL_CALLS] [TOOL_RESULTS] [/TOOL_RESULTS]",
       ""},
      {"mistral-v13-tekken",
       {"<s>", "</s>", "[INST]", "[/INST]", "[SYSTEM_PROMPT]", "[/SYSTEM_PROMPT]",
        "[AVAILABLE_TOOLS]", "[/AVAILABLE_TOOLS]", "[TOOL_CALLS]", "<SPECIAL_32>", "[TOOL_RESULTS]",
        "[/TOOL_RESULTS]"},
       "",
       ""},
  };
  for (const Row& row : rows) {
    CAPTURE(std::string(row.family));
    const auto tokenizer = tiny_tokenizer(row.tokens);
    const auto family = find_format(row.family);
    REQUIRE(family.ok());
    const auto missing = missing_tokens(**family, *tokenizer);
    REQUIRE(missing.ok());
    CHECK(join(missing->control, " ") == row.control);
    CHECK(join(missing->tags, " ") == row.tags);
  }
}

TEST_CASE("format_tokens: some of many") {
  CHECK(some_of({}) == "");
  CHECK(some_of({"a", "b", "c"}) == "a, b, c");
  CHECK(some_of({"a", "b", "c", "d", "e"}) == "a, b, c and 2 more");
}

}  // namespace pedro
