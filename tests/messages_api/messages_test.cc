// Tests tests/data/format/messages.jsonl. Each row has a request, and its text in each format or
// the reason that it has none. An invalid request also has the reason.
#include <doctest/doctest.h>

#include <random>

#include "base/json.h"
#include "base/text.h"
#include "chat_format/python_json.h"
#include "messages_api/anthropic_messages.h"
#include "messages_api/message_format.h"
#include "messages_api/read_chat_request.h"
#include "support/hostile_texts.h"
#include "support/read_file.h"

namespace pedro {
namespace {

std::vector<Json> rows() {
  std::vector<Json> all;
  const std::string text = read_file(TEST_DATA "/format/messages.jsonl");
  for (const std::string_view line : split_lines(text)) all.push_back(*parse_json(line));
  return all;
}

std::string shown(const ChatMessage& message) {
  std::string out(to_string(message.role));
  for (const ContentChunk& chunk : message.content) {
    const bool thinks = chunk.kind == ContentChunk::Kind::kThinking;
    out +=
        (thinks ? " think " : " text ") + to_line(Json(chunk.text)) + (chunk.closed ? "" : " open");
    if (chunk.signature) out += (chunk.redacted ? " redacted " : " signed ") + *chunk.signature;
  }
  for (const auto& [id, name, arguments] : message.calls) {
    out += " call " + to_line(Json{id, name, arguments});
  }
  if (message.prefix) out += " prefix";
  if (message.call_id) out += " of " + *message.call_id;
  if (message.name) out += " by " + *message.name;
  return out + "\n";
}

std::string shown(const ChatRequest& request) {
  std::string out;
  for (const ChatMessage& message : request.messages) out += shown(message);
  for (const auto& [name, description, parameters] : request.tools) {
    out += "tool " + to_line(Json{name, description, parameters}) + "\n";
  }
  out += "choice " + std::to_string(static_cast<int>(request.tool_choice.kind)) + " " +
         request.tool_choice.tool + "\n";
  return out + request.reasoning_effort + (request.continue_final_message ? " continue" : "");
}

// Converts a body back to a request, following the documentation of Anthropic's API.
class AnthropicBody {
 public:
  ChatRequest read(const Json& body) {
    if (body.contains("system")) add(Role::kSystem, body["system"]);
    for (const Json& turn : body["messages"]) {
      add(turn["role"] == "user" ? Role::kUser : Role::kAssistant, turn["content"]);
    }
    for (const Json& tool : member(body, "tools")) {
      request_.tools.push_back({tool["name"].get<std::string>(), text_of(tool, "description"),
                                to_line(tool["input_schema"])});
    }
    constexpr std::pair<std::string_view, ToolChoice::Kind> kKinds[] = {
        {"auto", ToolChoice::Kind::kAuto},
        {"none", ToolChoice::Kind::kNone},
        {"any", ToolChoice::Kind::kAny},
        {"tool", ToolChoice::Kind::kTool}};
    const Json& choice = member(body, "tool_choice");
    for (const auto& [name, kind] : kKinds) {
      if (text_of(choice, "type") == name) request_.tool_choice = {kind, text_of(choice, "name")};
    }
    return std::move(request_);
  }

 private:
  void add(Role role, const Json& blocks) {
    ChatMessage message;
    message.role = role;
    for (const Json& block : blocks) {
      const std::string type = text_of(block, "type");
      if (type == "tool_result") {
        REQUIRE(message.content.empty());
        ChatMessage result;
        result.role = Role::kTool;
        result.call_id = text_of(block, "tool_use_id");
        for (const Json& text : member(block, "content")) {
          result.content.push_back({ContentChunk::Kind::kText, text_of(text, "text")});
        }
        request_.messages.push_back(result);
      } else if (type == "tool_use") {
        message.calls.push_back(
            {text_of(block, "id"), text_of(block, "name"), to_line(block["input"])});
      } else if (type == "text") {
        message.content.push_back({ContentChunk::Kind::kText, text_of(block, "text")});
      } else {
        const bool redacted = type == "redacted_thinking";
        message.content.push_back({ContentChunk::Kind::kThinking, text_of(block, "thinking"), true,
                                   text_of(block, redacted ? "data" : "signature"), redacted});
      }
    }
    if (!message.content.empty() || !message.calls.empty()) request_.messages.push_back(message);
  }

  ChatRequest request_;
};

/// Random conversations of all shapes that both formats support, with hostile texts.
class RandomConversation {
 public:
  RandomConversation(unsigned seed, MessageFormat format) : random_(seed), format_(format) {}

  ChatRequest make() {
    if (chance(2)) add(Role::kSystem);
    for (std::size_t turns = 1 + below(3); turns > 0; --turns) {
      add(Role::kUser);
      for (std::size_t rounds = below(3); rounds > 0; --rounds) add_round();
      if (turns > 1) add_answer();
    }
    for (std::size_t i = below(3); i > 0; --i) add_tool();
    if (!request_.tools.empty()) {
      request_.tool_choice.kind = static_cast<ToolChoice::Kind>(below(5));
      const bool named = request_.tool_choice.kind == ToolChoice::Kind::kTool;
      if (named) request_.tool_choice.tool = request_.tools.front().name;
    }
    return std::move(request_);
  }

 private:
  std::size_t below(std::size_t count) { return random_() % count; }
  bool chance(std::size_t of) { return below(of) == 0; }
  std::string text() { return texts_[below(texts_.size())]; }

  ChatMessage& add(Role role) {
    ChatMessage message;
    message.role = role;
    for (std::size_t i = 1 + below(3); i > 0; --i) {
      message.content.push_back({ContentChunk::Kind::kText, text()});
    }
    request_.messages.push_back(std::move(message));
    return request_.messages.back();
  }

  ChatMessage& add_answer() {
    ChatMessage& message = add(Role::kAssistant);
    if (!chance(3)) return message;
    ContentChunk thinking{ContentChunk::Kind::kThinking, text()};
    if (format_ == MessageFormat::kAnthropic) thinking.signature = text();
    message.content.insert(message.content.begin(), std::move(thinking));
    return message;
  }

  void add_round() {
    ChatMessage& message = add_answer();
    std::vector<RequestedCall> calls;
    for (std::size_t i = 1 + below(2); i > 0; --i) {
      const std::string arguments = R"({"a":)" + to_line(Json(text())) + R"(,"b":[1,2.5]})";
      calls.push_back({"call_" + std::to_string(++calls_), "f", arguments});
    }
    message.calls = calls;
    for (const RequestedCall& call : calls) add(Role::kTool).call_id = call.id;
  }

  void add_tool() {
    request_.tools.push_back({"f" + std::to_string(request_.tools.size()), text(),
                              R"({"type":"object","title":)" + to_line(Json(text())) + "}"});
  }

  std::mt19937 random_;
  MessageFormat format_;
  std::vector<std::string> texts_ = hostile_texts();
  ChatRequest request_;
  std::size_t calls_ = 0;
};

}  // namespace

TEST_CASE("messages: each format writes them as it has them") {
  for (const Json& row : rows()) {
    const std::string name = text_of(row, "name");
    CAPTURE(name);
    const auto request = read_chat_request(to_line(row["request"]));
    REQUIRE(request.ok());
    for (const MessageFormatRow& format : message_formats()) {
      CAPTURE(format.name);
      const Json& expected = row[std::string(format.name)];
      const auto body = render_messages(format.format, *request);
      if (expected.is_string()) {
        REQUIRE_FALSE(body.ok());
        CHECK(body.error().message == expected.get<std::string>());
      } else {
        REQUIRE_MESSAGE(body.ok(), body.error().message);
        const auto json = parse_json(*body);
        REQUIRE(json.ok());
        CHECK(to_line(*json) == to_line(expected));
      }
      const Status valid = check_messages(format.format, *request);
      const std::string reason = valid.ok() ? "" : valid.error().message;
      CHECK(reason == text_of(member(row, "invalid"), format.name));
    }
  }
}

TEST_CASE("messages: a written conversation is read back unchanged") {
  for (unsigned seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    const ChatRequest openai = RandomConversation(seed, MessageFormat::kOpenAi).make();
    const auto read = read_chat_request(*render_messages(MessageFormat::kOpenAi, openai));
    REQUIRE_MESSAGE(read.ok(), read.error().message);
    REQUIRE(shown(*read) == shown(openai));

    const ChatRequest anthropic = RandomConversation(seed, MessageFormat::kAnthropic).make();
    const auto body = render_messages(MessageFormat::kAnthropic, anthropic);
    REQUIRE(body.ok());
    REQUIRE(shown(AnthropicBody().read(*parse_json(*body))) == shown(anthropic));
    for (const MessageFormatRow& format : message_formats()) {
      CHECK(check_messages(format.format, anthropic).ok());
    }
  }
}

TEST_CASE("messages: JSON stays as it was written") {
  const std::string request =
      R"({"messages":[{"role":"user","content":"x"},{"role":"assistant","tool_calls":[{"id":"a",)"
      R"("function":{"name":"f","arguments":" {\"n\": 1.50e+3, \"n\":12345678901234567890}\n"}}]},)"
      R"({"role":"tool","tool_call_id":"a","content":"y"}],)"
      R"("tools":[{"function":{"name":"f","parameters":{"minimum": 1.00}}}]})";
  const auto read = read_chat_request(request);
  REQUIRE(read.ok());
  const std::string openai = *render_messages(MessageFormat::kOpenAi, *read);
  CHECK(openai.find(R"("arguments":" {\"n\": 1.50e+3, \"n\":12345678901234567890}\n")") !=
        openai.npos);
  CHECK(openai.find(R"("parameters":{"minimum": 1.00})") != openai.npos);
  const std::string anthropic = *render_messages(MessageFormat::kAnthropic, *read);
  CHECK(anthropic.find(R"("input":{"n": 1.50e+3, "n":12345678901234567890}})") != anthropic.npos);
  CHECK(anthropic.find(R"("input_schema":{"type":"object","minimum": 1.00})") != anthropic.npos);
}

TEST_CASE("messages: thinking goes back with its signature") {
  const auto reply = read_reply(MessageFormat::kAnthropic,
                                R"({"content":[{"type":"thinking","thinking":"Hm.","signature":""},
      {"type":"redacted_thinking","data":"eHl6"},{"type":"text","text":"Hi."}],"stop_reason":"end_turn"})");
  REQUIRE(reply.ok());
  ChatRequest request = *read_chat_request(R"({"messages":[{"role":"user","content":"a"}]})");
  request.messages.push_back(reply->message);
  CHECK(*render_messages(MessageFormat::kAnthropic, request) ==
        R"({"messages":[{"role":"user","content":[{"type":"text","text":"a"}]},)"
        R"({"role":"assistant","content":[{"type":"thinking","thinking":"Hm.","signature":""},)"
        R"({"type":"redacted_thinking","data":"eHl6"},{"type":"text","text":"Hi."}]}]})");
}

TEST_CASE("messages: Anthropic's cached part ends with the user's last two turns") {
  const std::string mark = R"(,"cache_control":{"type":"ephemeral"})";
  int four = 0;
  std::vector<Json> requests = {
      *parse_json(R"({"messages":[{"role":"system","content":"S"},{"role":"user","content":"a"},)"
                  R"({"role":"assistant","content":"b"},{"role":"user","content":"c"},)"
                  R"({"role":"assistant","content":"d"},{"role":"user","content":"e"}],)"
                  R"("tools":[{"type":"function","function":{"name":"f"}}]})")};
  for (const Json& row : rows()) requests.push_back(row["request"]);
  for (const Json& line : requests) {
    const auto request = read_chat_request(to_line(line));
    REQUIRE(request.ok());
    const auto plain = render_anthropic(*request);
    const auto marked = render_anthropic(*request, CacheMarks::kPrefixes);
    REQUIRE(plain.ok() == marked.ok());
    if (!plain) continue;
    CHECK(replace_all(*marked, mark, "") == *plain);
    const Json body = *parse_json(*marked);
    std::size_t marks = 0;
    for (const char* part : {"system", "tools"}) {
      if (!body.contains(part)) continue;
      CHECK(body[part].back().contains("cache_control"));
      ++marks;
    }
    std::size_t turns = 0;
    const Json& messages = body["messages"];
    for (std::size_t i = messages.size(); i-- > 0;) {
      if (messages[i]["role"] != "user") continue;
      CHECK(messages[i]["content"].back().contains("cache_control") == (turns < 2));
      if (++turns <= 2) ++marks;
    }
    CHECK((marked->size() - plain->size()) / mark.size() == marks);
    four += marks == 4 ? 1 : 0;
  }
  CHECK(four == 1);
}

TEST_CASE("messages: strict servers get texts as strings") {
  ChatMessage call = text_message(Role::kAssistant, "Look.");
  call.calls = {{"a", "f", "{}"}};
  ChatMessage result = text_message(Role::kTool, "r\n\"");
  result.call_id = "a";
  ChatRequest chat;
  chat.messages = {text_message(Role::kSystem, "S"), text_message(Role::kSystem, "T"),
                   text_message(Role::kUser, "A"), call, result};
  const auto written = render_anthropic(chat, CacheMarks::kPrefixes, ContentForm::kString);
  REQUIRE(written.ok());
  CHECK(*written == R"({"system":"S\n\nT","messages":[{"role":"user","content":"A"},)"
                    R"({"role":"assistant","content":[{"type":"text","text":"Look."},)"
                    R"({"type":"tool_use","id":"a","name":"f","input":{}}]},)"
                    R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"a",)"
                    R"("content":"r\n\""}]}]})");
}

TEST_CASE("messages: ids become such as a server takes") {
  ChatRequest request = *read_chat_request(
      R"({"messages":[{"role":"user","content":"a"},{"role":"assistant","tool_calls":[)"
      R"({"id":"functions.f:0","function":{"name":"f"}},{"id":"","function":{"name":"f"}},)"
      R"({"id":"ok_1","function":{"name":"f"}},{"id":"","function":{"name":"f"}}]},)"
      R"({"role":"tool","content":"w","tool_call_id":"functions.f:0"},{"role":"tool","content":"x"},)"
      R"({"role":"tool","content":"y","tool_call_id":"ok_1"},{"role":"tool","content":"z"}]})");
  for (const MessageFormatRow& format : message_formats()) {
    CAPTURE(format.name);
    CHECK_FALSE(check_messages(format.format, request).ok());
    const ChatRequest mapped = with_native_call_ids(format.format, request);
    const Status valid = check_messages(format.format, mapped);
    CHECK_MESSAGE(valid.ok(), valid.error().message);
    const auto& calls = mapped.messages[1].calls;
    CHECK((calls[0].id == "functions.f:0") == (format.format == MessageFormat::kOpenAi));
    CHECK(calls[2].id == "ok_1");
    CHECK(calls[1].id != calls[3].id);
    for (std::size_t i = 0; i < 4; ++i) CHECK(mapped.messages[2 + i].call_id == calls[i].id);
    // Later messages do not change earlier ids.
    ChatRequest longer = request;
    longer.messages.push_back(request.messages[1]);
    longer = with_native_call_ids(format.format, longer);
    CHECK(shown(longer.messages[1]) == shown(mapped.messages[1]));
    CHECK(longer.messages.back().calls[1].id != calls[1].id);
  }
}

// Needs linear time: comparing each call with each other takes minutes.
TEST_CASE("messages: a turn of very many calls, and results in another order") {
  constexpr int kCalls = 20'000;
  const auto result_of = [](std::optional<std::string> id) {
    ChatMessage result = text_message(Role::kTool, "x");
    result.call_id = std::move(id);
    return result;
  };
  ChatRequest request;
  request.messages = {text_message(Role::kUser, "a"), text_message(Role::kAssistant, "b")};
  auto& calls = request.messages.back().calls;
  for (int i = 0; i < kCalls; ++i) {
    calls.push_back({"call_" + std::to_string(i), "f", "{}"});
    calls.push_back({"", "f", "{}"});
  }
  std::vector<ChatMessage> results;
  for (int i = kCalls; i-- > 0;) results.push_back(result_of("call_" + std::to_string(i)));
  for (int i = 0; i < kCalls; ++i) results.push_back(result_of({}));
  request.messages.insert(request.messages.end(), results.begin(), results.end());
  for (const MessageFormatRow& format : message_formats()) {
    CAPTURE(format.name);
    const ChatRequest mapped = with_native_call_ids(format.format, request);
    const Status valid = check_messages(format.format, mapped);
    CHECK_MESSAGE(valid.ok(), valid.error().message);
    CHECK(mapped.messages[2].call_id == mapped.messages[1].calls[2 * kCalls - 2].id);
    CHECK(mapped.messages.back().call_id == mapped.messages[1].calls.back().id);
  }
}

TEST_CASE("messages: hostile contents stay contents") {
  for (const std::string& text : hostile_texts()) {
    CAPTURE(text);
    ChatRequest request;
    for (const Role role : {Role::kSystem, Role::kUser, Role::kAssistant, Role::kUser}) {
      ChatMessage message;
      message.role = role;
      message.content.push_back({ContentChunk::Kind::kText, text});
      request.messages.push_back(message);
    }
    request.messages[2].calls.push_back({text, text, "{\"a\":" + python_json_string(text) + "}"});
    request.messages[3].role = Role::kTool;
    request.messages[3].call_id = text;
    request.tools.push_back({text, text, "{\"a\":" + python_json_string(text) + "}"});
    const auto openai = read_chat_request(*render_messages(MessageFormat::kOpenAi, request));
    REQUIRE(openai.ok());
    CHECK(shown(*openai) == shown(request));
    const Json body = *parse_json(*render_messages(MessageFormat::kAnthropic, request));
    CHECK(body["messages"].size() == 3);
    CHECK(body["messages"][1]["content"][1]["input"]["a"] == text);
    CHECK(body["tools"][0]["input_schema"]["a"] == text);
    CHECK_FALSE(check_messages(MessageFormat::kAnthropic, request).ok());
  }
}

}  // namespace pedro
