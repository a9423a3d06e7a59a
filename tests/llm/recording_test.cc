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
  Result<long long> count(std::span<const Message>) override { return 1; }
  int n = 0;
};

std::string record(FakeFileSystem& files) {
  RecordingModel model(std::make_unique<Scripted>(), files, "/rec");
  REQUIRE(model.open().ok());
  std::vector<Message> turns = {{Role::kSystem, "S"}, {Role::kUser, "one\ntwo"}};
  GenerateRequest request;
  request.conversation = turns;
  request.grammar = "root ::= \"x\"";
  REQUIRE(model.generate(request).ok());
  turns.push_back({Role::kAssistant, "r1"});
  turns.push_back({Role::kUser, "three"});
  request.conversation = turns;
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
  std::vector<Message> turns = {{Role::kSystem, "S"}, {Role::kUser, "one\ntwo"}};
  GenerateRequest request;
  request.conversation = turns;
  request.grammar = "root ::= \"x\"";
  const auto first = replay.generate(request);
  REQUIRE(first.ok());
  CHECK(first->text == "r1");
  CHECK(first->usage.prompt_tokens == 10);
  turns.push_back({Role::kAssistant, "r1"});
  turns.push_back({Role::kUser, "three"});
  request.conversation = turns;
  const auto second = replay.generate(request);
  REQUIRE(second.ok());
  CHECK(second->stop == StopReason::kLimit);
  turns.push_back({Role::kAssistant, "r2"});
  turns.push_back({Role::kUser, "four"});
  request.conversation = turns;
  CHECK(replay.generate(request).error().message ==
        "rec: the run differs from the recording at call 3 of 2: the recording ends here");
}

TEST_CASE("replay: shows the first difference") {
  FakeFileSystem files;
  ReplayModel replay("rec", record(files));
  REQUIRE(replay.open().ok());
  const std::vector<Message> turns = {{Role::kSystem, "S"}, {Role::kUser, "one\n2"}};
  GenerateRequest request;
  request.conversation = turns;
  CHECK(replay.generate(request).error().message ==
        "rec: the run differs from the recording at call 1 of 2: user turn 2, line 2\n"
        "  recorded: two\n"
        "  now:      2");
}

TEST_CASE("replay: a file that is no recording is refused with its place") {
  struct Row {
    const char* text;
    const char* message;
  };
  for (const Row& row : {
           Row{"", "rec: the recording is empty"},
           Row{"{\"type\":\"x\"}\n", "rec:1: not a recording of version 1"},
           Row{"{\"type\":\"recording\",\"version\":1}\n{}\n", "rec:2: expected a call"},
       }) {
    CHECK(ReplayModel("rec", row.text).open().error().message == row.message);
  }
}

}  // namespace pedro
