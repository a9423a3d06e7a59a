// Refusals of a prompt for its length in the wordings of many servers (length_refusals.jsonl), and
// similar refusals that are not about the prompt.
#include "llm/length_refusal.h"

#include <doctest/doctest.h>

#include "base/json.h"
#include "base/text.h"
#include "llm/server_refusal.h"
#include "support/read_file.h"

namespace pedro {

TEST_CASE("length refusal: the wordings of servers") {
  const std::string rows = read_file(TEST_DATA "/llm/length_refusals.jsonl");
  for (const std::string_view line : split_lines(rows)) {
    const Json row = *parse_json(line);
    const std::string name = text_of(row, "name");
    CAPTURE(name);
    const int status = static_cast<int>(number_of(row, "status"));
    const std::string body = row.contains("text") ? text_of(row, "text") : to_line(row["body"]);
    const bool is_event = status == 200;
    const std::optional<ServerRefusal> refusal =
        is_event ? find_refusal(status, body) : read_refusal(status, body);
    const std::optional<Overflow> found = refusal ? read_length_refusal(*refusal) : std::nullopt;
    if (!truth_of(row, "accepted", true)) {
      CHECK_FALSE(found.has_value());
      continue;
    }
    REQUIRE(found.has_value());
    CHECK(found->window == number_of(row, "window"));
    CHECK(found->tokens == number_of(row, "tokens"));
    CHECK(to_error(*refusal, {"KEY", ""}).kind == ErrorKind::kLimit);
  }
}

TEST_CASE("length refusal: numbers and gaps of a pattern") {
  struct Row {
    const char* name;
    const char* text;
    const char* pattern;
    bool found;
    Overflow sizes;
  };
  for (const Row& row : {
           Row{"a word", "it is too long", "too long", true, {}},
           Row{"no word", "it is short", "too long", false, {}},
           Row{"both numbers", "7 of 1,234,567.", "{prompt} of {window}", true, {7, 1234567}},
           Row{"no number", "x of y", "{prompt} of {window}", false, {}},
           Row{"a gap", "a to z, of 12", "a … of {window}", true, {0, 12}},
           Row{"the wrong order", "of 12, then a", "a … of {window}", false, {}},
           Row{"any number", "1 + 2 > 3", "{prompt} + {} > {window}", true, {1, 3}},
       }) {
    CAPTURE(row.name);
    Overflow sizes;
    CHECK(find_length_sentence(row.text, row.pattern, sizes) == row.found);
    CHECK(sizes == row.sizes);
  }
  const std::string far = "a" + std::string(300, ' ') + "b";
  Overflow sizes;
  CHECK_FALSE(find_length_sentence(far, "a … b", sizes));
}

}  // namespace pedro
