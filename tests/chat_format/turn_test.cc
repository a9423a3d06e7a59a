// Tests turn-based formats beyond the templates of their makers. llama/template_test.cc compares
// the formats with these templates.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/json.h"
#include "chat_format/family_named.h"
#include "chat_format/format_family.h"
#include "chat_format/tool_text.h"
#include "messages_api/read_chat_request.h"
#include "tokenizer/model_registry.h"

namespace pedro {
namespace {

ChatRequest turn_request(const std::string& messages, const std::string& more = "") {
  const auto request = read_chat_request(fmt::format(R"({{"messages":[{}]{}}})", messages, more));
  REQUIRE_MESSAGE(request.ok(), request.error().message);
  return *request;
}

std::string text_as(std::string_view format, const ChatRequest& request) {
  const auto prompt = render_conversation(family_named(format), request);
  return prompt ? to_text(*prompt) : prompt.error().message;
}

const std::string kUser = R"({"role":"user","content":"x"})";
const std::string kCall =
    R"({"role":"assistant","content":"t","tool_calls":[{"id":"1","function":{"name":"f","arguments":{"a":[1,"b"]}}}]})";
const std::string kResult = R"({"role":"tool","content":"r","tool_call_id":"1"})";
const std::string kTools =
    R"(,"tools":[{"type":"function","function":{"name":"f","description":"d"}}])";

}  // namespace

TEST_CASE("turns: the model starts a reply, continues one, or has no turn") {
  struct Row {
    std::string messages;
    std::string text;
  };
  const std::string user = "<|im_start|>user\nx<|im_end|>\n<|im_start|>assistant\n";
  const Row rows[] = {
      {kUser, user},
      {kUser + R"(,{"role":"assistant","content":"y"})", user + "y<|im_end|>\n"},
      {kUser + R"(,{"role":"assistant","content":"y","prefix":true})", user + "y"},
  };
  for (const Row& row : rows) CHECK(text_as("chatml", turn_request(row.messages)) == row.text);
}

TEST_CASE("turns: a call in plain text, and its result as a user's turn") {
  CHECK(text_as("generic", turn_request(kUser + "," + kCall + "," + kResult)) ==
        "<|im_start|>user\nx<|im_end|>\n"
        "<|im_start|>assistant\nt\n{\"tool\": \"f\", \"args\": {\"a\": [1, \"b\"]}}<|im_end|>\n"
        "<|im_start|>user\nResult of f:\nr<|im_end|>\n"
        "<|im_start|>assistant\n");
  const std::string with_tools = text_as("generic", turn_request(kUser, kTools));
  CHECK(with_tools.find("\n### f\nd\nArguments, as a JSON Schema: {}\n") != std::string::npos);
}

TEST_CASE("turns: the date is the request's, in the family's spelling") {
  const ChatRequest request = turn_request(kUser, R"(,"date":"2026-01-02")");
  CHECK(text_as("llama3", request).find("Today Date: 02 Jan 2026\n") != std::string::npos);
  CHECK(text_as("harmony", request).find("Current date: 2026-01-02\n") != std::string::npos);
  CHECK(text_as("llama3", turn_request(kUser)).find("Today Date: 26 Jul 2024\n") !=
        std::string::npos);
}

TEST_CASE("turns: system messages that a head does not accept keep their place") {
  const std::string two = R"({"role":"system","content":"a"},)" + kUser +
                          R"(,{"role":"system","content":"b"},)" + kUser;
  CHECK(text_as("hermes", turn_request(two)).find("<|im_start|>system\nb<|im_end|>\n") !=
        std::string::npos);
  CHECK(text_as("deepseek", turn_request(two))
            .starts_with("<｜begin▁of▁sentence｜>a\n\nb<｜User｜>x"));
  CHECK(text_as("gemma", turn_request(R"({"role":"system","content":"a"})")) ==
        "<bos><start_of_turn>user\na<end_of_turn>\n<start_of_turn>model\n");
}

TEST_CASE("turns: names the part that cannot be written") {
  const std::string two_calls =
      R"({"role":"assistant","tool_calls":[{"function":{"name":"f"}},{"function":{"name":"g"}}]})";
  const std::string no_object =
      R"({"role":"assistant","tool_calls":[{"function":{"name":"f","arguments":"[1]"}}]})";
  const std::string cannot = "this conversation cannot be written: ";
  CHECK(text_as("chatml", turn_request(kCall)) == cannot + "the format has no calls");
  CHECK(text_as("gemma", turn_request(kResult)) == cannot + "the format has no results of tools");
  CHECK(text_as("llama3", turn_request(two_calls)) == cannot + "a turn has more than one call");
  CHECK(text_as("llama3", turn_request("", kTools)) ==
        cannot + "tools belong in the first user's turn, and there is none");
  CHECK(text_as("qwen3-coder", turn_request(no_object)) ==
        cannot + "the arguments of a call are not a JSON object");
  CHECK(text_as("hermes", turn_request(R"({"role":"assistant","prefix":true},)" + kUser)) ==
        cannot + "a prefix is not the last message");
}

TEST_CASE("turns: says why a conversation is not valid") {
  struct Row {
    const char* format;
    std::string messages;
    std::string reason;
  };
  const Row rows[] = {
      {"hermes", kUser, ""},
      {"hermes", kUser + "," + kCall + "," + kResult, ""},
      {"hermes", "", "messages: the list is empty"},
      {"hermes", kUser + R"(,{"role":"assistant","content":"y"})",
       "messages[1]: the last message is the assistant's: expected a user's, a tool's, or "
       "\"prefix\": true"},
      {"hermes", kUser + "," + kResult, "messages[1]: a result that no call is waiting for"},
      {"hermes", kUser + "," + kCall + "," + kResult + "," + kResult,
       "messages[3]: a result that no call is waiting for"},
      {"hermes", kUser + "," + kCall + R"(,{"role":"assistant","content":"y"},)" + kUser,
       "messages[2]: the assistant speaks again, and 1 calls have no result"},
      {"chatml", kUser + "," + kCall + "," + kResult, "messages[1]: the format has no calls"},
      {"hermes",
       kUser + R"(,{"role":"assistant","tool_calls":[{"function":{"name":""}}]},)" + kUser,
       "messages[1]: a call has no name"},
      {"hermes",
       kUser +
           R"(,{"role":"assistant","tool_calls":[{"function":{"name":"f","arguments":"x"}}]},)" +
           kUser,
       "messages[1]: the arguments of a call are not a JSON object"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.messages);
    const Status valid = check_conversation(family_named(row.format), turn_request(row.messages));
    CHECK((valid ? "" : valid.error().message) == row.reason);
  }
}

TEST_CASE("turns: a row of the table that is wrong is refused") {
  struct Row {
    const char* row;
    const char* reason;
  };
  const Row rows[] = {
      {R"({"pieces":{"user":"a{{content}}"}})", ""},
      {R"({})", "expected an object as \"pieces\""},
      {R"({"pieces":{"usr":"a"}})", "pieces: 'usr' is not a piece, or not a text"},
      {R"({"pieces":{"user":"{{contents}}"}})", "pieces: {{contents}} is not a value"},
      {R"({"pieces":{},"trims":["users"]})", "trims: \"users\" is not known"},
      {R"({"pieces":{},"control":[""]})", "control, tags: expected names, got \"\""},
      {R"({"pieces":{},"thinking":"sometimes"})",
       "thinking: expected after_user, after_answer, with_tools or always"},
  };
  for (const Row& row : rows) {
    const auto rules = read_turn_rules(*parse_json(row.row));
    CHECK((rules ? "" : rules.error().message) == row.reason);
  }
}

TEST_CASE("turns: a schema that is nested deep is any type from somewhere on") {
  std::string schema = R"({"type":"string"})";
  for (int i = 0; i < 40; ++i) {
    schema = R"({"type":"object","properties":{"p":)" + schema + "}}";
  }
  const std::string text = tool_typescript({"f", "d", schema});
  CHECK(text.find("string") == std::string::npos);
  CHECK(text.find("any}") != std::string::npos);
}

TEST_CASE("formats: the families that models are said to be of are known") {
  for (const KnownModel& model : ModelRegistry::builtin().models()) {
    CAPTURE(model.pattern);
    const bool by_api = model.family == "openai" || model.family == "anthropic";
    CHECK((by_api || find_format(model.family).ok()));
  }
}

}  // namespace pedro
