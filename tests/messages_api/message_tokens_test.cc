#include "messages_api/message_tokens.h"

#include <doctest/doctest.h>

#include "base/text.h"

namespace pedro {
namespace {

// Counts each word as one token.
long long count_words(std::string_view text) {
  long long words = 0;
  for (const std::string_view word : split(text, ' ')) words += trim(word).empty() ? 0 : 1;
  return words;
}

constexpr const char* kSchema = R"({"type":"object","required":["path"],"properties":{
  "path":{"type":"string","description":"Where it is"},
  "mode":{"type":"string","enum":["a","b \"c\""]},
  "lines":{"type":"array","items":{"type":"integer"}},
  "size":{"type":"number","enum":[1,2.5]},
  "deep":{"type":"object","properties":{"x":{"type":"object","description":"no more",
    "properties":{"y":{"type":"boolean"}}}}},
  "any":{"anyOf":[]}}})";

}  // namespace

TEST_CASE("message tokens: tools are the types that OpenAI's servers make of them") {
  const std::vector<DeclaredTool> tools = {{"read", "Reads a file", kSchema}, {"end", "", "{}"}};
  CHECK(typescript_of(tools) ==
        "namespace functions {\n"
        "\n"
        "// Reads a file\n"
        "type read = (_: {\n"
        "// Where it is\n"
        "path: string,\n"
        "mode?: \"a\" | \"b \\\"c\\\"\",\n"
        "lines?: number[],\n"
        "size?: 1 | 2.5,\n"
        "deep?: {\n"
        "  x?: {\n"
        "    y?: boolean,\n"
        "  },\n"
        "},\n"
        "any?: any,\n"
        "}) => any;\n"
        "\n"
        "type end = () => any;\n"
        "\n"
        "} // namespace functions");
}

TEST_CASE("message tokens: deeply nested and invalid schemas are counted in bounded time") {
  std::string deep;
  for (int i = 0; i < 90; ++i) deep += R"({"type":"array","items":)";
  deep += "{}";
  for (int i = 0; i < 90; ++i) deep += "}";
  const std::vector<DeclaredTool> tools = {{"f", "", R"({"properties":{"a":)" + deep + "}}"},
                                           {"g", "", "[nonsense"}};
  const std::string text = typescript_of(tools);
  std::string nested = "any";
  for (int i = 0; i < 32; ++i) nested += "[]";
  CHECK(text.find("type f = (_: {\na?: " + nested + ",\n") != std::string::npos);
  CHECK(text.find("type g = () => any;") != std::string::npos);
}

TEST_CASE("message tokens: counts the overhead of messages, names, calls and results") {
  const auto tokens = openai_message_tokens(count_words);
  CHECK(tokens->of_message(text_message(Role::kUser, "a b c")) == 3 + 1 + 3);
  ChatMessage named = text_message(Role::kSystem, "a");
  named.name = "bob";
  CHECK(tokens->of_message(named) == 3 + 1 + 1 + 2);
  ChatMessage call = text_message(Role::kAssistant, "");
  call.calls = {{"1", "f", R"({"a": 1})"}, {"2", "g", "{}"}};
  CHECK(tokens->of_message(call) == 3 + 1 + (1 + 2 + 3) + (1 + 1 + 3));
  CHECK(tokens->of_message(text_message(Role::kTool, "ok")) == 3 + 1 + 1 - 2);

  ChatRequest request;
  CHECK(tokens->of_the_rest(request) == 3);
  request.tool_choice = {ToolChoice::Kind::kTool, "f"};
  CHECK(tokens->of_the_rest(request) == 3 + 4 + 1);
  request.tool_choice = {ToolChoice::Kind::kNone, ""};
  CHECK(tokens->of_the_rest(request) == 3 + 1);
  request.tool_choice = {};
  request.tools = {{"f", "", "{}"}};
  const long long with_tools = tokens->of_the_rest(request);
  CHECK(with_tools == 3 + 9 + count_words(typescript_of(request.tools)));
  request.messages = {text_message(Role::kUser, "u"), text_message(Role::kSystem, "s")};
  CHECK(tokens->of_the_rest(request) == with_tools - 4);
}

TEST_CASE("message tokens: Anthropic's counts use constants, larger ones with tools") {
  const auto tokens = anthropic_message_tokens(count_words);
  CHECK(tokens->of_message(text_message(Role::kUser, "a b c")) == 2 + 3);
  ChatRequest request;
  CHECK(tokens->of_the_rest(request) == 6);
  request.tools = {{"f", "one two", R"({"properties":{"a":{"description":"x y"},"b":{}}})"}};
  CHECK(tokens->of_the_rest(request) == 6 + 549 + 3 + (13 + 1 + 2) + (12 + 1));
  request.tools.push_back({"g", "", "{}"});
  CHECK(tokens->of_the_rest(request) == 6 + 549 + 3 + (13 + 1 + 2) + (12 + 1) + 53 + 1);
}

}  // namespace pedro
