#include <doctest/doctest.h>

#include "agent/context_keeper.h"
#include "call_parser/call_parser.h"
#include "sys/file_system.h"

namespace pedro {
namespace {

const std::string kSummary = R"({"tool": "summary", "args": {"text": " The cause is in a.c. "}})";

struct Asked : Model {
  Result<ModelInfo> open() override { return ModelInfo{}; }
  Result<Reply> generate(const GenerateRequest&) override { return Reply{}; }
  void begin_anew() override {}
  Result<Reply> ask_aside(const GenerateRequest& request) override {
    ++times;
    question = text_of(request.chat.messages.back());
    messages = request.chat.messages.size();
    max_tokens = request.max_tokens;
    calls = request.calls.size();
    if (calls > 0)
      longest =
          number_of(member(member(*request.calls[0].args_json, "properties"), "text"), "maxLength");
    if (fails) return Error{*fails, "the server is gone"};
    Reply reply;
    reply.text = text;
    reply.stop = stop;
    if (calls > 0) {
      reply.parts = parse_calls(text, CallSyntax::kJson, request.calls, CallChecks::kNothing);
    }
    reply.usage.generated_tokens = 7;
    return reply;
  }

  std::string text = kSummary;
  StopReason stop = StopReason::kEnd;
  std::optional<ErrorKind> fails;
  int times = 0;
  std::size_t calls = 0;
  std::string question;
  std::size_t messages = 0;
  long long max_tokens = 0;
  long long longest = 0;
};

struct SummarizerBench {
  SummarizerBench() {
    chat.messages = {text_message(Role::kSystem, "S"), text_message(Role::kUser, "U")};
  }

  Result<Summary> write(MessageId last = 2, long long room = 1000) {
    return summarizer.write({.chat = chat}, last, 300, room);
  }

  RealFileSystem files;
  Feedback feedback = *Feedback::load(*PromptLibrary::open(files, ""));
  ChatRequest chat;
  Asked model;
  Summarizer summarizer{model, feedback};
};

}  // namespace

TEST_CASE("summarizer: the model is asked at the conversation's end, within limits") {
  SummarizerBench bench;
  const auto summary = bench.write();
  REQUIRE(summary.ok());
  CHECK(summary->text == "The cause is in a.c.");
  CHECK(summary->problem.empty());
  CHECK(summary->usage.generated_tokens == 7);
  CHECK(bench.chat.messages.size() == 2);
  CHECK(bench.model.messages == 3);
  CHECK(bench.model.question.find("Use at most 200 words") != std::string::npos);
  CHECK(bench.model.longest == 1200);
  CHECK(bench.model.max_tokens >= 300);
  CHECK(bench.model.max_tokens < 400);
}

TEST_CASE("summarizer: the same conversation is summarized once") {
  SummarizerBench bench;
  REQUIRE(bench.write(2).ok());
  const auto again = bench.write(2);
  REQUIRE(again.ok());
  CHECK(again->text == "The cause is in a.c.");
  CHECK(again->usage.generated_tokens == 0);  // already counted
  CHECK(bench.model.times == 1);
  REQUIRE(bench.write(5).ok());
  CHECK(bench.model.times == 2);
}

TEST_CASE("summarizer: an invalid summary is rejected with the reason") {
  struct Row {
    std::string text;
    StopReason stop;
    std::optional<ErrorKind> fails;
    long long room;
    const char* problem;
  };
  const std::vector<Row> rows = {
      {"words", StopReason::kEnd, {}, 1000, "the reply was not a call with a text"},
      {kSummary + kSummary, StopReason::kEnd, {}, 1000, "the reply was not a call with a text"},
      {R"({"tool": "file", "args": {"text": "x"}})",
       StopReason::kEnd,
       {},
       1000,
       "the reply was not a call with a text"},
      {R"({"tool": "summary", "args": {"text": " "}})",
       StopReason::kEnd,
       {},
       1000,
       "the reply was not a call with a text"},
      {"{\"tool\"", StopReason::kLimit, {}, 1000, "it did not end within 348 tokens"},
      {kSummary, StopReason::kEnd, ErrorKind::kModel, 1000, "the server is gone"},
      {kSummary, StopReason::kEnd, ErrorKind::kLimit, 1000, "the server is gone"},
      {kSummary, StopReason::kEnd, {}, 100, "there is no room for it"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    SummarizerBench bench;
    bench.model.text = row.text;
    bench.model.stop = row.stop;
    bench.model.fails = row.fails;
    const auto summary = bench.write(2, row.room);
    REQUIRE(summary.ok());
    CHECK(summary->text.empty());
    CHECK(summary->problem == row.problem);
  }
}

TEST_CASE("summarizer: plain text if only declared tools can be called") {
  SummarizerBench bench;
  Summarizer summarizer(bench.model, bench.feedback, SummaryForm::kText);
  bench.model.text = " The cause is in a.c.\n";
  const auto summary = summarizer.write({.chat = bench.chat}, 2, 300, 1000);
  REQUIRE(summary.ok());
  CHECK(summary->text == "The cause is in a.c.");
  CHECK(bench.model.calls == 0);
  CHECK(bench.model.question.find("Do not call a tool.") != std::string::npos);
  bench.model.text = " ";
  const auto none = summarizer.write({.chat = bench.chat}, 3, 300, 1000);
  REQUIRE(none.ok());
  CHECK(none->text.empty());
  CHECK(none->problem == "the reply has no text");
}

TEST_CASE("summarizer: an interruption ends it") {
  SummarizerBench bench;
  bench.model.fails = ErrorKind::kInterrupted;
  const auto summary = bench.write();
  REQUIRE(!summary.ok());
  CHECK(summary.error().kind == ErrorKind::kInterrupted);
}

}  // namespace pedro
