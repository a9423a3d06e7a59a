#include "llm/accepted_messages.h"

#include <doctest/doctest.h>

#include "messages_api/openai_messages.h"

namespace pedro {
namespace {

ChatRequest conversation() {
  ChatMessage call = text_message(Role::kAssistant, "");
  call.calls = {{"call_abc123", "f", "{}"}};
  ChatMessage result = text_message(Role::kTool, "r");
  result.call_id = "call_abc123";
  result.name = "f";
  ChatRequest chat;
  chat.messages = {text_message(Role::kSystem, "S"), text_message(Role::kUser, "A"), call, result};
  chat.tools = {{"f", "d", R"({"type":"object","properties":{}})"}};
  chat.tool_choice.kind = ToolChoice::Kind::kAny;
  return chat;
}

}  // namespace

TEST_CASE("accepted messages: a refusal of a form changes the form") {
  struct Row {
    const char* name;
    const char* message;
    const char* parameter;
    const char* before;  // in the request
    const char* after;
    bool has_next = false;  // an equal refusal then changes something else
  };
  for (const Row& row : {
           Row{"ids", "Tool call id was call_abc123 but must be a-z, A-Z, 0-9, with a length of 9.",
               "", R"("tool_call_id":"call_abc123")", R"("name":"f","content":"r")"},
           Row{"names of results", "'messages.3' : property 'name' is unsupported", "",
               R"("name":"f","content":"r")", R"("tool_call_id":"call_abc123","content":"r")"},
           Row{"names of results by place", "Extra inputs are not permitted",
               "messages.3.tool.name", R"("name":"f","content":"r")",
               R"("tool_call_id":"call_abc123","content":"r")"},
           Row{"no content", "none is not an allowed value", "messages.2.content",
               R"("content":null)", R"("content":"")"},
           Row{"no content by place", "field required", "messages.2.content", R"("content":null)",
               R"("content":"")"},
           Row{"a required call by its grammar", "cannot make the grammar", "",
               R"("tool_choice":"required")", R"("tools")"},
           Row{"results", "Unexpected role: tool", "", R"("role":"tool")",
               R"({"role":"assistant","content":"{\"tool\":\"f\",\"args\":{}}"},)"
               R"({"role":"user","content":"r"})"},
           Row{"declared tools", "Unexpected role: tool", "", R"("tools")",
               R"({\"tool\":\"f\",\"description\":\"d\",\"args\":{\"type\":\"object\",)"
               R"(\"properties\":{}}}"},{"role":"user")"},
           Row{"a system prompt", "System role not supported", "", R"("role":"system")",
               R"({"role":"user","content":"S\n\nA"})"},
           Row{"results, by the accepted roles", "Input should be 'system', 'user' or 'assistant'",
               "messages.3.role", R"("role":"tool")", R"({"role":"user","content":"r"})", true},
           Row{"results, without their role", "Unexpected message role.", "", R"("role":"tool")",
               R"({"role":"user","content":"r"})", true},
           Row{"results, as roles alternate",
               "After the optional system message, conversation roles must alternate "
               "user/assistant/user/assistant/...",
               "", R"("role":"tool")", R"({"role":"user","content":"r"})", true},
           Row{"a system prompt, by the accepted roles",
               "Input should be 'user', 'assistant' or 'tool'", "messages.0.role",
               R"("role":"system")", R"({"role":"user","content":"S\n\nA"})"},
           Row{"no content, as a missing field", "messages[2]: missing field `content`", "",
               R"("content":null)", R"("content":"")"},
           Row{"no content, in Python", "can only concatenate str (not \"NoneType\") to str", "",
               R"("content":null)", R"("content":"")"},
           Row{"arguments, in a template", "Can only get item pairs from a mapping.", "",
               R"("arguments":"{}")", R"("arguments":{})"},
           Row{"arguments, by their place", "Input should be a valid dictionary",
               "messages.2.tool_calls.0.function.arguments", R"("arguments":"{}")",
               R"("arguments":{})"},
           Row{"arguments, in Go",
               "json: cannot unmarshal string into Go struct field .arguments of type map", "",
               R"("arguments":"{}")", R"("arguments":{})"},
           Row{"a required call", "Input should be 'none' or 'auto'", "tool_choice",
               R"("tool_choice":"required")", R"("tools")"},
       }) {
    CAPTURE(std::string(row.name));
    AcceptedForm form(true);
    ChatRequest chat = conversation();
    CHECK(render_openai(chat).find(row.before) != std::string::npos);
    ServerRefusal refusal;
    refusal.status = 400;
    refusal.message = row.message;
    refusal.parameter = row.parameter;
    CHECK(form.learn(chat, refusal));
    const std::string sent = render_openai(chat);
    CHECK_MESSAGE(sent.find(row.before) == std::string::npos, sent);
    CHECK_MESSAGE(sent.find(row.after) != std::string::npos, sent);
    ChatRequest next = conversation();
    form.apply(next);
    CHECK(render_openai(next) == sent);
    CHECK(form.learn(next, refusal) == row.has_next);
  }
}

TEST_CASE("accepted messages: a template with one call per message gets each with its result") {
  ChatRequest chat = conversation();
  chat.messages[2] = text_message(Role::kAssistant, "Look.");
  chat.messages[2].calls = {{"a", "f", "{}"}, {"b", "g", R"({"n":1})"}, {"c", "f", "{}"}};
  chat.messages.pop_back();
  for (const char* id : {"a", "b", "c"}) {
    chat.messages.push_back(text_message(Role::kTool, std::string("result of ") + id));
    chat.messages.back().call_id = id;
  }
  chat.messages.push_back(text_message(Role::kUser, "So?"));
  AcceptedForm form(true);
  ServerRefusal refusal;
  refusal.status = 400;
  refusal.message = "Jinja Exception: This model only supports single tool-calls at once!";
  REQUIRE(form.learn(chat, refusal));
  CHECK(check_openai(chat).ok());
  std::string said;
  for (const ChatMessage& message : chat.messages) {
    said += std::string(to_string(message.role)) + " " + text_of(message);
    for (const RequestedCall& call : message.calls) said += "+" + call.id + call.name;
    said += "; ";
  }
  CHECK(said ==
        "system S; user A; assistant Look.+af; tool result of a; assistant +bg; tool result of b; "
        "assistant +cf; tool result of c; user So?; ");
  CHECK_FALSE(form.learn(chat, refusal));
}

TEST_CASE("accepted messages: roles that alternate, with one change for each refusal") {
  ServerRefusal refusal;
  refusal.status = 400;
  refusal.message = "Conversation roles must alternate user/assistant/user/assistant/...";
  AcceptedForm form(true);
  ChatRequest chat = conversation();
  chat.messages.push_back(text_message(Role::kAssistant, "B"));
  chat.messages.push_back(text_message(Role::kAssistant, "C"));
  const auto roles = [&chat] {
    std::string all;
    for (const ChatMessage& message : chat.messages) all += to_string(message.role).front();
    return all;
  };
  const char* const expected[] = {"suauaa", "suaua", "uaua"};
  for (const char* const row : expected) {
    REQUIRE(form.learn(chat, refusal));
    CHECK(roles() == row);
  }
  CHECK(text_of(chat.messages.back()) == "B\n\nC");
  CHECK_FALSE(form.learn(chat, refusal));
  // The first prompt has no results: tools stay.
  ChatRequest first;
  first.messages = {text_message(Role::kSystem, "S"), text_message(Role::kUser, "A")};
  first.tools = conversation().tools;
  AcceptedForm other(true);
  REQUIRE(other.learn(first, refusal));
  CHECK(first.messages.size() == 1);
  CHECK(first.tools.size() == 1);
}

TEST_CASE("accepted messages: other refusals change nothing") {
  for (const char* message : {"no such model", "Unexpected role 'user' after role 'tool'", ""}) {
    AcceptedForm form(true);
    ChatRequest chat = conversation();
    const std::string before = render_openai(chat);
    ServerRefusal refusal;
    refusal.status = 400;
    refusal.message = message;
    CHECK_FALSE(form.learn(chat, refusal));
    CHECK(render_openai(chat) == before);
  }
}

TEST_CASE("accepted messages: empty answers and names that servers refuse are replaced") {
  ChatMessage call = text_message(Role::kAssistant, "");
  call.calls = {{"a", "file<|channel|>commentary", "{}"}, {"b", "", "{}"}, {"c", "f_1-x", "{}"}};
  ChatMessage result = text_message(Role::kTool, "r");
  result.name = std::string(70, 'n') + ".";
  std::vector<ChatMessage> messages = {text_message(Role::kAssistant, ""),
                                       text_message(Role::kAssistant, " \n"),
                                       text_message(Role::kAssistant, "hm"),
                                       text_message(Role::kUser, ""),
                                       call,
                                       result};
  replace_refused_parts(messages);
  CHECK(text_of(messages[0]) == "...");
  CHECK(text_of(messages[1]) == "...");
  CHECK(text_of(messages[2]) == "hm");
  CHECK(text_of(messages[3]).empty());
  CHECK(text_of(messages[4]).empty());
  CHECK(messages[4].calls[0].name == "file__channel__commentary");
  CHECK(messages[4].calls[1].name == "_");
  CHECK(messages[4].calls[2].name == "f_1-x");
  CHECK(messages[5].name == std::string(64, 'n'));
}

}  // namespace pedro
