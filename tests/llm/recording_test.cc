#include "llm/recording.h"

#include <doctest/doctest.h>

namespace pedro {
namespace {

struct Scripted : Model {
  Result<ModelInfo> open() override { return ModelInfo{"m", "llamacpp", 1000, true}; }
  Result<Reply> generate(const GenerateRequest&) override {
    Reply reply;
    reply.text = "r" + std::to_string(++n);
    reply.stop = n == 2 ? StopReason::kLimit : StopReason::kEnd;
    reply.usage.prompt_tokens = 10 * n;
    reply.expected_cached_tokens = n;
    return reply;
  }
  Result<Reply> ask_aside(const GenerateRequest& request) override { return generate(request); }
  void begin_anew() override { n = 0; }
  int n = 0;
};

ChatRequest first_messages() {
  ChatRequest chat;
  chat.messages = {text_message(Role::kSystem, "S"), text_message(Role::kUser, "one\ntwo")};
  return chat;
}

ChatMessage call_of_reply() {
  ChatMessage message;
  message.role = Role::kAssistant;
  message.calls.push_back({"c1", "file", "{}"});
  return message;
}

ChatMessage result_of_call() {
  ChatMessage message = text_message(Role::kTool, "three");
  message.call_id = "c1";
  return message;
}

std::string record(FakeFileSystem& files) {
  RecordingModel model(std::make_unique<Scripted>(), files, "/rec");
  REQUIRE(model.open().ok());
  ChatRequest chat = first_messages();
  const GenerateRequest request{.chat = chat};
  REQUIRE(model.generate(request).ok());
  chat.messages.push_back(call_of_reply());
  chat.messages.push_back(result_of_call());
  REQUIRE(model.generate(request).ok());
  return files.files["/rec"];
}

}  // namespace

TEST_CASE("replay: gives the recorded replies again") {
  FakeFileSystem files;
  ReplayModel replay("rec", record(files));
  const auto info = replay.open();
  REQUIRE(info.ok());
  CHECK(info->name == "m");
  CHECK(info->backend == "replay");
  CHECK(info->context_tokens == 1000);
  ChatRequest chat = first_messages();
  const GenerateRequest request{.chat = chat};
  const auto first = replay.generate(request);
  REQUIRE(first.ok());
  CHECK(first->text == "r1");
  CHECK(first->usage.prompt_tokens == 10);
  chat.messages.push_back(call_of_reply());
  chat.messages.push_back(result_of_call());
  const auto second = replay.generate(request);
  REQUIRE(second.ok());
  CHECK(second->stop == StopReason::kLimit);
  chat.messages.push_back(text_message(Role::kAssistant, "r2"));
  chat.messages.push_back(text_message(Role::kUser, "four"));
  CHECK(replay.generate(request).error().message ==
        "rec: the run differs from the recording at call 3 of 2: the recording ends here");
}

TEST_CASE("replay: requests are made together as in the recorded session") {
  struct Wide : Scripted {
    Result<std::size_t> together(std::span<const GenerateRequest> requests) override {
      return requests.size() - 1;
    }
  };
  FakeFileSystem files;
  RecordingModel model(std::make_unique<Wide>(), files, "/rec");
  REQUIRE(model.open().ok());
  const ChatRequest chat = first_messages();
  const GenerateRequest request{.chat = chat};
  const std::vector<GenerateRequest> four(4, request);
  REQUIRE(model.generate(request).ok());
  CHECK(model.together(four).value() == 3);
  for (int i = 0; i < 3; ++i) {
    model.begin_anew();
    REQUIRE(model.generate(request).ok());
  }
  ReplayModel replay("rec", files.files["/rec"]);
  REQUIRE(replay.open().ok());
  CHECK(replay.together(four).value() == 1);
  REQUIRE(replay.generate(request).ok());
  CHECK(replay.together(four).value() == 3);
  CHECK(replay.together(std::span(four).first(2)).value() == 2);
}

TEST_CASE("replay: calls are read as the model writes them, whatever its format is called") {
  struct Tagged : Scripted {
    Result<ModelInfo> open() override {
      ModelInfo info{"m", "llamacpp", 1000, true};
      info.format = "learned";
      info.has_tools = true;
      info.syntax = CallSyntax::kTags;
      return info;
    }
    Result<Reply> generate(const GenerateRequest&) override {
      Reply reply;
      reply.text = "<tool_call><function=f><parameter=a>\n1\n</parameter></function></tool_call>";
      return reply;
    }
  };
  FakeFileSystem files;
  RecordingModel model(std::make_unique<Tagged>(), files, "/rec");
  REQUIRE(model.open().ok());
  const ChatRequest chat = first_messages();
  REQUIRE(model.generate({.chat = chat}).ok());
  ReplayModel replay("rec", files.files["/rec"]);
  const auto info = replay.open();
  REQUIRE(info.ok());
  CHECK(info->format == "learned");
  CHECK(info->has_tools);
  CHECK(info->can.grammar);
  const auto reply = replay.generate({.chat = chat});
  REQUIRE(reply.ok());
  REQUIRE(reply->parts.size() == 1);
  const auto* call = std::get_if<ParsedCall>(&reply->parts[0]);
  REQUIRE(call != nullptr);
  CHECK(call->tool == "f");
  CHECK(call->args == Json{{"a", "1"}});
}

TEST_CASE("replay: every syntax of calls reads back") {
  struct Written : Scripted {
    Result<ModelInfo> open() override {
      ModelInfo info{"m", "llamacpp", 1000, true};
      info.syntax = syntax;
      return info;
    }
    CallSyntax syntax = CallSyntax::kJson;
  };
  for (const CallSyntax syntax : call_syntaxes()) {
    CAPTURE(to_string(syntax));
    FakeFileSystem files;
    auto written = std::make_unique<Written>();
    written->syntax = syntax;
    RecordingModel model(std::move(written), files, "/rec");
    REQUIRE(model.open().ok());
    REQUIRE(model.generate({.chat = first_messages()}).ok());
    ReplayModel replay("rec", files.files["/rec"]);
    const auto info = replay.open();
    REQUIRE(info.ok());
    CHECK(info->syntax == syntax);
  }
}

TEST_CASE("replay: shows the first difference") {
  FakeFileSystem files;
  ReplayModel replay("rec", record(files));
  REQUIRE(replay.open().ok());
  ChatRequest chat = first_messages();
  chat.messages[1] = text_message(Role::kUser, "one\n2");
  CHECK(replay.generate({.chat = chat}).error().message ==
        "rec: the run differs from the recording at call 1 of 2: user message 2, line 2\n"
        "  recorded: two\n"
        "  now:      2");
}

TEST_CASE("replay: a side question is answered in its place only") {
  FakeFileSystem files;
  RecordingModel model(std::make_unique<Scripted>(), files, "/rec");
  REQUIRE(model.open().ok());
  ChatRequest chat = first_messages();
  REQUIRE(model.generate({.chat = chat}).ok());
  chat.messages.push_back(text_message(Role::kAssistant, "r1"));
  ChatRequest with_question = chat;
  with_question.messages.push_back(text_message(Role::kUser, "Q"));
  REQUIRE(model.ask_aside({.chat = with_question}).ok());
  chat.messages.push_back(text_message(Role::kUser, "go on"));
  REQUIRE(model.generate({.chat = chat}).ok());

  ReplayModel replay("rec", files.files["/rec"]);
  REQUIRE(replay.open().ok());
  chat.messages.resize(2);
  CHECK_FALSE(replay.ask_aside({.chat = with_question}).ok());
  CHECK(replay.generate({.chat = chat})->text == "r1");
  chat = with_question;
  CHECK(
      replay.generate({.chat = chat}).error().message ==
      "rec: the run differs from the recording at call 2 of 3: an aside request is recorded here");
  CHECK(replay.ask_aside({.chat = with_question})->text == "r2");
  chat.messages.back() = text_message(Role::kUser, "go on");
  CHECK(replay.generate({.chat = chat})->text == "r3");
}

TEST_CASE("replay: calls and results count, and so do tools") {
  struct Row {
    const char* name;
    void (*change)(ChatRequest& chat);
    const char* difference;
  };
  for (const Row& row : {
           Row{"another argument",
               [](ChatRequest& chat) { chat.messages[2].calls[0].arguments = "[]"; },
               "assistant message 3, line 1\n  recorded: call c1 file {}\n"
               "  now:      call c1 file []"},
           Row{"a result of another call",
               [](ChatRequest& chat) { chat.messages[3].call_id = "c2"; },
               "tool message 4, line 1\n  recorded: result of c1: three\n"
               "  now:      result of c2: three"},
           Row{"a user instead of a tool",
               [](ChatRequest& chat) { chat.messages[3].role = Role::kUser; },
               "message 4 has the role user, recorded is tool"},
           Row{"another tool",
               [](ChatRequest& chat) {
                 chat.tools.push_back({"t", "d", "{}"});
               },
               "the tools or the output schema have changed"},
       }) {
    CAPTURE(row.name);
    FakeFileSystem files;
    ReplayModel replay("rec", record(files));
    REQUIRE(replay.open().ok());
    ChatRequest chat = first_messages();
    REQUIRE(replay.generate({.chat = chat}).ok());
    chat.messages.push_back(call_of_reply());
    chat.messages.push_back(result_of_call());
    row.change(chat);
    CHECK(replay.generate({.chat = chat}).error().message ==
          std::string("rec: the run differs from the recording at call 2 of 2: ") + row.difference);
  }
}

TEST_CASE("replay: a file that is no recording is refused with its place") {
  struct Row {
    const char* text;
    const char* message;
  };
  for (const Row& row : {
           Row{"", "rec: the recording is empty"},
           Row{"{\"type\":\"x\"}\n", "rec:1: not a recording of version 2"},
           Row{"{\"type\":\"recording\",\"version\":2}\n{}\n", "rec:2: expected a call"},
       }) {
    CHECK(ReplayModel("rec", row.text).open().error().message == row.message);
  }
}

TEST_CASE("replay: reports repetitive replies again") {
  struct Looping : Scripted {
    Result<Reply> generate(const GenerateRequest& request) override {
      Result<Reply> reply = Scripted::generate(request);
      reply->stop = StopReason::kLoop;
      reply->discarded = {130, 250};
      return reply;
    }
  };
  FakeFileSystem files;
  RecordingModel model(std::make_unique<Looping>(), files, "/rec");
  REQUIRE(model.open().ok());
  const ChatRequest chat = first_messages();
  REQUIRE(model.generate({.chat = chat}).ok());

  std::vector<std::string> notices;
  ReplayModel replay("rec", files.files["/rec"],
                     [&](std::string_view message) { notices.emplace_back(message); });
  REQUIRE(replay.open().ok());
  const Result<Reply> reply = replay.generate({.chat = chat});
  REQUIRE_MESSAGE(reply.ok(), reply.error().message);
  CHECK(reply->stop == StopReason::kLoop);
  CHECK(reply->discarded == std::vector<long long>{130, 250});
  CHECK(notices ==
        std::vector<std::string>{"the reply repeated itself after 130 tokens; asked again",
                                 "the reply repeated itself after 250 tokens; asked again"});
}

}  // namespace pedro
