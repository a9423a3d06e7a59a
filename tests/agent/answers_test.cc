#include "agent/answers.h"

#include <doctest/doctest.h>

#include "agent/logged_run.h"

using namespace pedro;

namespace {

// A model that returns prepared replies and counts its requests.
struct CountingModel : Model {
  Result<ModelInfo> open() override { return ModelInfo{}; }
  Result<Reply> generate(const GenerateRequest&) override {
    ++asked;
    if (error) return *error;
    return reply;
  }
  Result<Reply> ask_aside(const GenerateRequest& request) override { return generate(request); }
  Status restore(const GenerateRequest&, const Reply& given, Asked) override {
    restored += given.text + ";";
    return {};
  }
  void begin_anew() override {}

  Reply reply;
  std::optional<Error> error;
  int asked = 0;
  std::string restored;
};

struct Bench {
  Bench() {
    REQUIRE(files.make_folders("/job", 0700).ok());
    chat.messages = {text_message(Role::kUser, "go on")};
  }

  GenerateRequest request() const { return {.chat = chat}; }

  FakeFileSystem files;
  ChatRequest chat;
  CountingModel model;
};

Reply whole_reply() {
  Reply reply;
  reply.text = "text with \"quotes\" and ü";
  reply.thinking = "hm";
  reply.parts = {ParsedCall{{3, 40}, "id7", "file", {{"path", "a.txt"}, {"lines", {1, 2}}}},
                 RejectedText{{}, {CallProblem::Kind::kTooLong, "3:14", "a call", "noise"}}};
  reply.stop = StopReason::kLimit;
  reply.usage = {100, 90, 12, 1.5, 2.25, 7, 50};
  reply.expected_cached_tokens = 91;
  reply.miss = CacheMiss{90, 17, "\xff"};
  reply.tokens = ReplyTokens{{5, 6, 151645}, -1, ReplyEnd::kPlainArguments};
  return reply;
}

}  // namespace

TEST_CASE("answers: a reply is the same again, with its calls, its usage and its tokens") {
  const Reply reply = whole_reply();
  const Json json = to_json(reply);
  const Reply again = reply_from(*parse_json(to_line(json)));
  CHECK(to_json(again) == json);
  CHECK(again.text == reply.text);
  CHECK(again.usage.estimated_tokens == 50);
  CHECK(std::get<ParsedCall>(again.parts[0]).args == std::get<ParsedCall>(reply.parts[0]).args);
  CHECK(std::get<ParsedCall>(again.parts[0]).where == ByteRange{3, 40});
  CHECK(std::get<RejectedText>(again.parts[1]).problem.kind == CallProblem::Kind::kTooLong);
  CHECK(again.usage.generate_ms == 2.25);
  CHECK(again.miss->position == 90);
  CHECK(again.miss->text == "\xff");
  CHECK(again.tokens->ids == reply.tokens->ids);
  CHECK(again.tokens->cached == -1);
  CHECK(again.tokens->end == ReplyEnd::kPlainArguments);
  CHECK_FALSE(reply_from(to_json(Reply{})).tokens);
}

TEST_CASE("answers: results, checks and paths of any bytes are the same again") {
  ToolResult result{false, "no such file", {"a.txt", "b\xff.txt"}, "[exit 1]", "out-3", true};
  result.found = {"x_echo"};
  const std::vector<NoteStore::Kept> kept = {{"out-3", ""}, {"plan", "1. read"}};
  const Json json = *parse_json(to_line(to_json(result, kept)));
  CHECK(to_json(tool_result_from(json), kept_from(json)) == json);
  CHECK(tool_result_from(json).changed == result.changed);
  CHECK(tool_result_from(json).ended == result.ended);
  CHECK(tool_result_from(json).may_repeat);
  CHECK(tool_result_from(json).found == result.found);
  CHECK(kept_from(json)[1].text == "1. read");

  const CheckOutcome check{
      {"test", "make test", "Makefile"}, false, 2, true, 1.5, 0.5, "out", {"note"}};
  const Json checked = *parse_json(to_line(to_json(check)));
  CHECK(to_json(check_outcome_from(checked)) == checked);
  CHECK(check_outcome_from(checked).timed_out);
  CHECK(check_outcome_from(checked).stalled_s == 0.5);
  CHECK(check_outcome_from(checked).notes == check.notes);
}

TEST_CASE("logged model: logged replies are not requested again, and the model receives them") {
  Bench bench;
  bench.model.reply = whole_reply();
  {
    AnswerLog log = *AnswerLog::create(bench.files, "/job", {});
    LoggedModel model(bench.model, log);
    CHECK(model.generate(bench.request()).ok());
    bench.model.error = Error{ErrorKind::kModel, "no summary"};
    CHECK_FALSE(model.ask_aside(bench.request()).ok());
    bench.model.error = Error{ErrorKind::kLimit, "too long", Overflow{900, 800}};
    CHECK_FALSE(model.generate(bench.request()).ok());
  }
  CHECK(bench.model.asked == 3);
  AnswerLog log = *AnswerLog::reopen(bench.files, "/job");
  LoggedModel model(bench.model, log);
  const auto again = model.generate(bench.request());
  REQUIRE(again.ok());
  CHECK(to_json(*again) == to_json(whole_reply()));
  CHECK(model.ask_aside(bench.request()).error().message == "no summary");
  const auto too_long = model.generate(bench.request());
  REQUIRE_FALSE(too_long.ok());
  CHECK(too_long.error().overflow == Overflow{900, 800});
  CHECK(bench.model.asked == 3);
  CHECK(bench.model.restored == whole_reply().text + ";");
  bench.model.error.reset();
  CHECK(model.generate(bench.request()).ok());
  CHECK(bench.model.asked == 4);
}

TEST_CASE("logged model: another conversation than the one it was is refused") {
  Bench bench;
  {
    AnswerLog log = *AnswerLog::create(bench.files, "/job", {});
    LoggedModel model(bench.model, log);
    CHECK(model.generate(bench.request()).ok());
  }
  bench.chat.messages[0] = text_message(Role::kUser, "go on!");
  AnswerLog log = *AnswerLog::reopen(bench.files, "/job");
  LoggedModel model(bench.model, log);
  const auto reply = model.generate(bench.request());
  REQUIRE_FALSE(reply.ok());
  CHECK(reply.error().kind == ErrorKind::kUsage);
  CHECK(reply.error().message.find("prompts or settings have changed since") != std::string::npos);
  CHECK(bench.model.asked == 1);
}
