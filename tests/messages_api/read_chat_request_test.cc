#include "messages_api/read_chat_request.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

namespace pedro {
namespace {

// Prints a request on one line, to compare complete values.
std::string shown_request(const ChatRequest& request) {
  std::string out;
  for (const ChatMessage& message : request.messages) {
    out += fmt::format("{}{}(", to_string(message.role), message.prefix ? "…" : "");
    for (const ContentChunk& chunk : message.content) {
      const bool thinks = chunk.kind == ContentChunk::Kind::kThinking;
      out += fmt::format("{}'{}'{}", thinks ? "think" : "", chunk.text, chunk.closed ? "" : "-");
    }
    for (const RequestedCall& call : message.calls) {
      out += fmt::format(" {}:{}<{}>", call.id, call.name, call.arguments);
    }
    if (message.call_id) out += " id=" + *message.call_id;
    if (message.name) out += " name=" + *message.name;
    out += ")";
  }
  for (const DeclaredTool& tool : request.tools) {
    out += fmt::format(" tool {}: '{}' {}", tool.name, tool.description, tool.parameters);
  }
  if (!request.reasoning_effort.empty()) out += " effort=" + request.reasoning_effort;
  return out + (request.continue_final_message ? " continue" : "");
}

struct RequestRow {
  std::string name;
  std::string json;
  std::string expected;  // shown_request(), or "ERROR: " and the message
};

std::string read_request(const std::string& json, const ChatRequestLimits& limits = {}) {
  const auto request = read_chat_request(json, limits);
  return request ? shown_request(*request) : "ERROR: " + request.error().message;
}

std::string messages(const std::string& inner) {
  return "{\"messages\":[" + inner + "]}";
}

}  // namespace

TEST_CASE("chat request: reads requests of OpenAI's clients") {
  const RequestRow rows[] = {
      {"text", messages(R"({"role":"user","content":"Hi \u00e9"})"), "user('Hi é')"},
      {"the order of members does not matter", messages(R"({"content":"x","role":"system"})"),
       "system('x')"},
      {"no text", messages(R"({"role":"user","content":""})"), "user()"},
      {"no messages", messages(""), ""},
      {"chunks",
       messages(
           R"({"role":"user","content":[{"type":"text","text":"a"},{"text":"","type":"text"}]})"),
       "user('a''')"},
      {"thinking",
       messages(
           R"({"role":"assistant","content":[{"type":"thinking","thinking":"h","closed":false}]})"),
       "assistant(think'h'-)"},
      {"thinking beside the text",
       messages(R"({"role":"assistant","reasoning_content":"h","content":"x"})"),
       "assistant(think'h''x')"},
      {"calls",
       messages(R"({"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function",)"
                R"("function":{"name":"f","arguments":"{\"a\":1}"}}]})"),
       "assistant( c1:f<{\"a\":1}>)"},
      {"arguments as an object stay as they are written",
       messages(
           R"({"role":"assistant","tool_calls":[{"function":{"arguments":{"a": 1.0e1},"name":"f"}}]})"),
       "assistant( :f<{\"a\": 1.0e1}>)"},
      {"a result", messages(R"({"role":"tool","content":"4","tool_call_id":"c1","name":null})"),
       "tool('4' id=c1)"},
      {"tools",
       R"({"tools":[{"type":"function","function":{"name":"f","strict":true,"description":null,)"
       R"("parameters":{"z":1,"a":1.50}}},{"function":{"name":"g"}}],"messages":[]})",
       " tool f: '' {\"z\":1,\"a\":1.50} tool g: '' {}"},
      {"null for tools and calls",
       R"({"tools":null,"messages":[{"role":"assistant","tool_calls":null}]})", "assistant()"},
      {"a prefix", messages(R"({"role":"assistant","content":"x","prefix":true})"),
       "assistant…('x')"},
      {"a prefix by another name",
       R"({"continue_final_message":true,"messages":[{"role":"assistant","content":"x"}]})",
       "assistant…('x') continue"},
      {"nothing to continue",
       R"({"continue_final_message":true,"messages":[{"role":"user","content":"x"}]})",
       "user('x') continue"},
      {"what else is there",
       R"({"model":"m","stream":{"x":[1]},"messages":[],"reasoning_effort":"high"})",
       " effort=high"},
  };
  for (const RequestRow& row : rows) {
    CAPTURE(row.name);
    CHECK(read_request(row.json) == row.expected);
  }
}

TEST_CASE("chat request: refuses an invalid request with its location") {
  const RequestRow rows[] = {
      {"nothing", "", "ERROR: request: 1:1: expected an object, got the end of the text"},
      {"cut before a message", "{\"messages\": [\n",
       "ERROR: messages[0]: 2:1: expected an object, got the end of the text"},
      {"cut in a message", R"({"messages": [{"role": "user")",
       "ERROR: messages[0]: 1:30: expected ',' or '}', got the end of the text"},
      {"an array", "[]", "ERROR: request: 1:1: expected an object, got an array"},
      {"no messages", "{}", "ERROR: request: \"messages\" is missing"},
      {"messages twice", R"({"messages":[],"messages":[]})",
       "ERROR: request: 1:16: \"messages\" appears twice"},
      {"messages that are none", R"({"messages":{}})",
       "ERROR: request: 1:13: expected an array, got an object"},
      {"a message that is none", messages("3"),
       "ERROR: messages[0]: 1:14: expected an object, got a number"},
      {"no role", messages(R"({"content":"x"})"),
       "ERROR: messages[0]: 1:25: \"role\" is missing: \"system\", \"user\", \"assistant\" or "
       "\"tool\""},
      {"a role that is none", messages(R"({"role":"root","content":"x"})"),
       "ERROR: messages[0]: 1:22: expected \"system\", \"user\", \"assistant\" or \"tool\" as "
       "\"role\""},
      {"a user without content", messages(R"({"role":"user"})"),
       "ERROR: messages[0]: 1:22: \"content\" is missing"},
      {"a tool with null", messages(R"({"role":"tool","content":null})"),
       "ERROR: messages[0]: 1:39: \"content\" is missing"},
      {"content that is none", messages(R"({"role":"user","content":3})"),
       "ERROR: messages[0]: 1:39: expected a string or an array as \"content\", got a number"},
      {"a chunk of another kind",
       messages(R"({"role":"user","content":[{"type":"image_url","image_url":"x"}]})"),
       "ERROR: messages[0]: 1:72: expected a chunk of \"type\" \"text\" or \"thinking\": others "
       "cannot be written as text"},
      {"a user who calls",
       messages(R"({"role":"user","content":"x","tool_calls":[{"function":{"name":"f"}}]})"),
       "ERROR: messages[0]: 1:77: only an assistant's message has \"tool_calls\""},
      {"a call without a name",
       messages(R"({"role":"assistant","tool_calls":[{"function":{"arguments":"x"}}]})"),
       "ERROR: messages[0]: 1:73: a \"function\" with a \"name\" is missing"},
      {"a call without a function", messages(R"({"role":"assistant","tool_calls":[{"id":"x"}]})"),
       "ERROR: messages[0]: 1:54: a \"function\" with a \"name\" is missing"},
      {"arguments that are none",
       messages(R"({"role":"assistant","tool_calls":[{"function":{"name":"f","arguments":[]}}]})"),
       "ERROR: messages[0]: 1:84: expected a string or an object as \"arguments\", got an array"},
      {"a tool of another kind", R"({"tools":[{"type":"web"}]})",
       "ERROR: tools[0]: 1:19: expected \"function\" as \"type\""},
      {"parameters that are none", R"({"tools":[{"function":{"name":"f","parameters":[]}}]})",
       "ERROR: tools[0]: 1:48: expected an object as \"parameters\", got an array"},
      {"a name that is none", messages(R"({"role":"tool","content":"x","name":[]})"),
       "ERROR: messages[0]: 1:50: expected a string, got an array"},
      {"an end that is missing", R"({"messages":[{"role":"user","content":"x"})",
       "ERROR: messages[0]: 1:43: expected ',' or ']', got the end of the text"},
      {"more behind it", "{\"messages\":[]} {}",
       "ERROR: request: 1:17: unexpected text after the end"},
      {"half a surrogate pair", messages(R"({"role":"user","content":"\ud800"})"),
       "ERROR: messages[0]: 1:40: invalid escape"},
      {"no UTF-8", messages("{\"role\":\"user\",\"content\":\"\xFF\"}"),
       "ERROR: messages[0]: 1:39: a string that is not UTF-8"},
      {"a NUL", messages(std::string("{\"role\":\"user\",\"content\":\"a\0b\"}", 31)),
       "ERROR: messages[0]: 1:41: a control character in a string"},
      {"too deep", "{\"x\":" + std::string(200, '[') + std::string(200, ']') + ",\"messages\":[]}",
       "ERROR: request: 1:133: JSON nested more than 128 deep"},
  };
  for (const RequestRow& row : rows) {
    CAPTURE(row.name);
    CHECK(read_request(row.json) == row.expected);
  }
}

TEST_CASE("chat request: has limits") {
  const std::string two =
      messages(R"({"role":"user","content":"123456789"},{"role":"user","content":[)"
               R"({"type":"text","text":"a"},{"type":"text","text":"b"}]})");
  CHECK(read_request(two, {.max_bytes = two.size()}) == "user('123456789')user('a''b')");
  CHECK(read_request(two, {.max_bytes = 100}) ==
        fmt::format("ERROR: request: {} bytes, more than the limit of 100", two.size()));
  CHECK(read_request(two, {.max_text_bytes = 8}) ==
        "ERROR: messages[0]: 1:39: a string of 9 bytes, more than the limit of 8");
  CHECK(read_request(two, {.max_messages = 1}) == "ERROR: messages[1]: 1:39: more than 1 messages");
  CHECK(read_request(two, {.max_parts = 1}) == "ERROR: messages[1]: 1:100: more than 1 chunks");
}

}  // namespace pedro
