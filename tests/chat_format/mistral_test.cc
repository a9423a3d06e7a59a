// Tests Mistral's formats without vocabularies: rendered texts and validation results.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "chat_format/family_named.h"
#include "chat_format/format_family.h"
#include "chat_format/reference_rows.h"
#include "messages_api/read_chat_request.h"

namespace pedro {
namespace {

ChatRequest request_of(const std::string& messages, const std::string& tools = "[]") {
  const auto request =
      read_chat_request(fmt::format(R"({{"messages":[{}],"tools":{}}})", messages, tools));
  REQUIRE_MESSAGE(request.ok(), request.error().message);
  return *request;
}

// The example of Mistral's documentation of tool calls.
const std::string kTool =
    R"({"type": "function", "function": {"name": "calculator", "description": "Performs mathematical calculations", "parameters": {"type": "object", "properties": {"operation": {"type": "string", "description": "The operation to be done in python format."}}, "required": ["operation"]}}})";
const std::string kMessages[] = {
    R"({"role":"user","content":"What's 2+2?"})",
    R"({"role":"assistant","tool_calls":[{"id":"VvvODy9mT","type":"function","function":{"name":"calculator","arguments":"{\"operation\": \"2+2\"}"}}]})",
    R"({"role":"tool","name":"calculator","tool_call_id":"VvvODy9mT","content":"4"})",
    R"({"role":"assistant","content":"2+2=4"})",
};

// The rendered text after each of the four steps.
std::vector<std::string> steps(std::string_view format) {
  std::vector<std::string> texts;
  std::string messages;
  for (const std::string& message : kMessages) {
    messages += (messages.empty() ? "" : ",") + message;
    const auto prompt =
        render_conversation(family_named(format), request_of(messages, "[" + kTool + "]"));
    REQUIRE_MESSAGE(prompt.ok(), prompt.error().message);
    texts.push_back(to_text(*prompt));
  }
  return texts;
}

}  // namespace

TEST_CASE("mistral: the documentation's strings, version 2") {
  const std::string user =
      "<s>[AVAILABLE_TOOLS] [" + kTool + "][/AVAILABLE_TOOLS][INST] What's 2+2?[/INST]";
  const std::string call =
      user + R"([TOOL_CALLS] [{"name": "calculator", "arguments": {"operation": "2+2"}}]</s>)";
  const std::string result =
      call + R"([TOOL_RESULTS] [{"name": "calculator", "content": 4}][/TOOL_RESULTS])";
  CHECK(steps("mistral-v2") == std::vector{user, call, result, result + " 2+2=4</s>"});
}

TEST_CASE("mistral: the documentation's strings, version 3") {
  for (const bool tekken : {false, true}) {
    const char* const space = tekken ? "" : " ";
    const std::string user = fmt::format(
        "<s>[AVAILABLE_TOOLS]{0}[{1}][/AVAILABLE_TOOLS][INST]{0}What's 2+2?[/INST]", space, kTool);
    const std::string call = fmt::format(
        R"({}[TOOL_CALLS]{}[{{"name": "calculator", "arguments": {{"operation": "2+2"}}, "id": "VvvODy9mT"}}]</s>)",
        user, space);
    const std::string result =
        fmt::format(R"({}[TOOL_RESULTS]{}{{"content": 4, "call_id": "VvvODy9mT"}}[/TOOL_RESULTS])",
                    call, space);
    const std::string answer = fmt::format("{}{}2+2=4</s>", result, space);
    CHECK(steps(tekken ? "mistral-v3-tekken" : "mistral-v3") ==
          std::vector{user, call, result, answer});
  }
}

TEST_CASE("mistral: texts and verdicts as the reference has them") {
  const std::string data = TEST_DATA "/format/";
  const auto rows =
      read_reference_rows(data + "mistral.expected.jsonl", data + "mistral.requests.jsonl");
  CHECK(rows.size() == 376);
  for (const ReferenceRow& row : rows) {
    const std::string difference = difference_from(row, nullptr);
    CHECK_MESSAGE(difference.empty(), row.format << ": " << row.name << ": " << difference);
  }
}

TEST_CASE("mistral: says why a conversation is not valid") {
  struct Row {
    const char* format;
    std::string messages;
    std::string reason;
  };
  const std::string user = R"({"role":"user","content":"x"})";
  const auto call = [](const std::string& id, const std::string& name = "f") {
    return fmt::format(
        R"({{"role":"assistant","tool_calls":[{{"id":"{}","function":{{"name":"{}"}}}}]}})", id,
        name);
  };
  const auto result = [](const std::string& id) {
    return fmt::format(R"({{"role":"tool","content":"1","tool_call_id":"{}"}})", id);
  };
  const std::string answer = R"({"role":"assistant","content":"y"})";
  const Row rows[] = {
      {"mistral-v3", "", "messages: the list is empty"},
      {"mistral-v3", answer,
       "messages[0]: a conversation begins with a user's or a system message"},
      {"mistral-v3", user + "," + answer,
       "messages[1]: the last message is the assistant's: expected a user's, a tool's, or "
       "\"prefix\": true"},
      {"mistral-v3", user + "," + result("VvvODy9mT"), "messages[1]: role tool cannot follow user"},
      {"mistral-v3", user + "," + call("call_1") + "," + result("call_1"),
       "messages[1]: an id of a call is nine ASCII letters and digits, got 'call_1'"},
      {"mistral-v3", user + "," + call("") + "," + result("VvvODy9mT"),
       "messages[1]: a call and its result need an id"},
      {"mistral-v3", user + "," + call("VvvODy9mT") + R"(,{"role":"tool","content":"1"})",
       "messages[2]: a result needs its \"tool_call_id\""},
      {"mistral-v3", user + "," + call("VvvODy9mT") + "," + answer + "," + user,
       "messages[2]: the assistant speaks again after 1 calls and 0 results: each call needs one"},
      {"mistral-v2", user + "," + call("", "a b") + "," + result("x"),
       "messages[1]: a function's name is 1 to 64 ASCII letters, digits, '_' and '-', got 'a b'"},
      {"mistral-v2", user + R"(,{"role":"assistant","content":""},)" + user,
       "messages[1]: an assistant's message has either text or calls"},
      {"mistral-v3", user + R"(,{"role":"assistant","content":"x","prefix":true},)" + user,
       "messages[1]: only the last message can be a prefix"},
      {"mistral-v7", user + R"(,{"role":"assistant","reasoning":"h","content":"y"},)" + user,
       "messages[1]: the format has no thinking in a message of role assistant"},
      {"mistral-v11-tekken", user + "," + call("VvvODy9mT") + "," + result("abcdefgh2"),
       "messages[2]: no call before has the id 'abcdefgh2'"},
      {"mistral-v11-tekken",
       user + "," + call("VvvODy9mT") + "," + result("VvvODy9mT") + "," + result("VvvODy9mT"),
       "messages[3]: a second result of the call 'VvvODy9mT'"},
      {"mistral-v13-tekken", user + "," + call("call_1") + "," + result("call_1"), ""},
      {"mistral-v13-tekken", user + "," + call("") + "," + result("null"),
       "messages[1]: a call and its result need an id"},
      {"mistral-v1", user, ""},
  };
  for (const Row& row : rows) {
    CAPTURE(row.messages);
    const Status valid = check_conversation(family_named(row.format), request_of(row.messages));
    CHECK((valid ? "" : valid.error().message) == row.reason);
  }
}

TEST_CASE("mistral: names the invalid part of a tool") {
  struct Row {
    std::string function;
    std::string reason;
  };
  const Row rows[] = {
      {R"("name":"f","parameters":{"type":"object","properties":{"a":{"type":["string","null"]}}})",
       ""},
      {R"("name":"f","parameters":{"properties":{"a":true,"b":{"$ref":"#/nowhere"}}})", ""},
      {R"("name":"f g")",
       "tools[0]: a function's name is 1 to 64 ASCII letters, digits, '_' and '-', got 'f g'"},
      {R"("name":"f","parameters":{"properties":{"a":{"minLength":-1}}})",
       "tools[0].parameters: not a JSON Schema: /properties/a/minLength: expected an integer >= 0, "
       "got -1"},
      {R"("name":"f","parameters":{"required":["a","a"]})",
       "tools[0].parameters: not a JSON Schema: /required: expected an array of distinct items, "
       "got one with a duplicate item"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.function);
    const ChatRequest request =
        request_of(R"({"role":"user","content":"x"})", "[{\"function\":{" + row.function + "}}]");
    const Status valid = check_conversation(family_named("mistral-v3"), request);
    CHECK((valid ? "" : valid.error().message) == row.reason);
  }
}

TEST_CASE("mistral: says why a conversation cannot be written") {
  struct Row {
    const char* format;
    std::string messages;
    std::string reason;
  };
  const std::string call =
      R"({"role":"assistant","content":"t","tool_calls":[{"function":{"name":"f"}}]})";
  const Row rows[] = {
      {"mistral-v1", call, "the format has no calls"},
      {"mistral-v1", R"({"role":"tool","content":"x"})", "the format has no results of tools"},
      {"mistral-v2", call, "an assistant's turn has both text and calls"},
      {"mistral-v3", R"({"role":"assistant"})",
       "an assistant's message has neither text nor calls"},
      {"mistral-v3", R"({"role":"tool","content":"x"})", "a result has no \"tool_call_id\""},
      {"mistral-v13-tekken", call, "a call has no id"},
      {"mistral-v11-tekken", R"({"role":"assistant","reasoning":"h"})",
       "the format has no thinking"},
      {"mistral-v3", R"({"role":"system","content":[{"type":"thinking","thinking":"h"}]})",
       "a system message has thinking"},
      {"mistral-v7",
       R"({"role":"assistant","content":"x","prefix":true},{"role":"user","content":"y"})",
       "a prefix is not the last message"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.messages);
    const auto prompt = render_conversation(family_named(row.format), request_of(row.messages));
    CHECK((prompt ? "" : prompt.error().message) ==
          "this conversation cannot be written: " + row.reason);
  }
}

TEST_CASE("mistral: ids of calls that are of another form are mapped") {
  const ChatRequest request = request_of(
      R"({"role":"user","content":"x"},
         {"role":"assistant","tool_calls":[{"id":"call_1","function":{"name":"f"}}]},
         {"role":"tool","content":"1","tool_call_id":"call_1"})");
  const FormatFamily& family = family_named("mistral-v3");
  CHECK(!check_conversation(family, request));
  CHECK(check_conversation(family, with_native_call_ids(family, request)));
  const FormatFamily& later = family_named("mistral-v13-tekken");
  CHECK(with_native_call_ids(later, request).messages[1].calls[0].id == "call_1");
}

TEST_CASE("formats: one that is not known is named, and one that was meant") {
  CHECK(find_format("mistral-v3-tekke").error().message ==
        "no format is called 'mistral-v3-tekke' (did you mean 'mistral-v3-tekken'?): see "
        "`pedrocli format list`");
  CHECK(find_format("openai").error().message ==
        "'openai' is a message format, not a model family: for a server that speaks it, use "
        "-backend openai (model.type)");
}

}  // namespace pedro
