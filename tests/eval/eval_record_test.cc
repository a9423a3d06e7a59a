#include "eval/eval_record.h"

#include <doctest/doctest.h>

#include "eval/eval_page.h"
#include "eval/eval_summary.h"

namespace pedro {
namespace {

EvalCall call_of(const std::string& configuration, int run, int round, int rounds,
                 CallFailure failure) {
  EvalCall call;
  call.configuration = configuration;
  call.run = run;
  call.round = round;
  call.rounds = rounds;
  call.task = "t";
  call.failure = failure;
  call.right = failure == CallFailure::kNone && round == 1;
  call.tokens = 10 * round;
  call.ms = 100;
  return call;
}

std::string record_of(const std::vector<EvalCall>& calls) {
  std::string text = to_line(EvalHeader{"m", "llamacpp", "hermes", "p", "1"}) + "\n";
  for (const EvalCall& call : calls) text += to_line(call) + "\n";
  return text;
}

}  // namespace

TEST_CASE("eval record: a call is read back with the model's reply") {
  EvalCall call = call_of("a", 1, 1, 1, CallFailure::kNone);
  call.reply = "{\"tool\":\"file\"}\n\xc3\xa4";
  const auto record = read_eval_record("r", record_of({call}));
  REQUIRE(record.ok());
  REQUIRE(record->calls.size() == 1);
  CHECK(record->calls[0].reply == call.reply);
}

TEST_CASE("eval record: written rows are read back, incomplete ones are ignored") {
  const auto kNone = CallFailure::kNone;
  const std::string whole = record_of({call_of("a", 1, 1, 2, kNone), call_of("a", 1, 2, 2, kNone)});
  const std::string half = to_line(call_of("b", 1, 1, 2, kNone)) + "\n";
  struct Row {
    const char* name;
    std::string text;
    std::size_t calls;
  };
  for (const Row& row : {
           Row{"whole", whole, 2},
           Row{"a conversation that is not at its end", whole + half, 2},
           Row{"a torn line", whole + half + half.substr(0, 20), 2},
           Row{"the same conversation again",
               whole + to_line(call_of("a", 1, 1, 2, kNone)) + "\n" +
                   to_line(call_of("a", 1, 2, 2, kNone)) + "\n",
               2},
           Row{"another one in between",
               whole + half + to_line(call_of("c", 1, 1, 2, kNone)) + "\n" +
                   to_line(call_of("b", 1, 2, 2, kNone)) + "\n",
               2},
           Row{"a line with fewer rounds than it counts",
               whole + half + to_line(call_of("b", 1, 2, 1, kNone)) + "\n" +
                   to_line(call_of("b", 1, 3, 3, kNone)) + "\n",
               2},
           Row{"a first line without rounds",
               whole + to_line(call_of("b", 1, 1, 0, kNone)) + "\n" +
                   to_line(call_of("b", 1, 2, 2, kNone)) + "\n",
               2},
           Row{"begun anew", whole + half + half + to_line(call_of("b", 1, 2, 2, kNone)) + "\n", 4},
       }) {
    CAPTURE(row.name);
    const auto record = read_eval_record("r", row.text);
    REQUIRE_MESSAGE(record.ok(), record.error().message);
    CHECK(record->header == EvalHeader{"m", "llamacpp", "hermes", "p", "1"});
    CHECK(record->calls.size() == row.calls);
    CHECK(record->has("a", 1));
    CHECK_FALSE(record->has("a", 2));
    CHECK(record->has("b", 1) == (row.calls == 4));
  }
}

TEST_CASE("eval record: an invalid one is an error with its location") {
  struct Row {
    const char* text;
    const char* message;
  };
  for (const Row& row : {
           Row{"", "r:1: the file is empty"},
           Row{"[1]\n", "r:1: expected a JSON object"},
           Row{"{\"type\":\"recording\"}\n", "r:1: not a record of `eval`, version 1"},
           Row{"{\"type\":\"eval\",\"record\":9}\n", "r:1: not a record of `eval`, version 1"},
           Row{"{\"type\":\"eval\",\"record\":1}\n{]\n{}\n", "r:2: expected a JSON object"},
       }) {
    const auto record = read_eval_record("r", row.text);
    REQUIRE_FALSE(record.ok());
    CHECK(record.error().message == row.message);
  }
}

TEST_CASE("eval summary: shares by third, kinds of failures, medians") {
  std::vector<EvalCall> calls;
  for (int round = 1; round <= 6; ++round) {
    calls.push_back(
        call_of("a", 1, round, 6, round <= 3 ? CallFailure::kNone : CallFailure::kNoCall));
  }
  calls.back().failure = CallFailure::kCut;
  calls.back().notice = "mode x";
  calls.push_back(call_of("<b>", 1, 1, 1, CallFailure::kNone));
  const auto record = read_eval_record("r", record_of(calls));
  REQUIRE(record.ok());
  const std::vector<EvalSummary> summaries = summarize(*record);
  REQUIRE(summaries.size() == 2);
  const EvalSummary& a = summaries[0];
  CHECK(a.configuration == "a");
  CHECK(a.valid.some == 3);
  CHECK(a.valid.all == 6);
  CHECK(a.right.some == 1);
  CHECK(a.thirds[0].some == 2);
  CHECK(a.thirds[1].some == 1);
  CHECK(a.thirds[2].some == 0);
  CHECK(a.thirds[2].all == 2);
  CHECK(a.failures[static_cast<std::size_t>(CallFailure::kNoCall)] == 2);
  CHECK(a.failures[static_cast<std::size_t>(CallFailure::kCut)] == 1);
  CHECK(a.tokens == 35);
  CHECK(a.notices.count("mode x") == 1);
  const std::string table = to_table(summaries);
  CHECK(table.find("50.0%") != std::string::npos);
  CHECK(table.find("1 cut, 2 no call") != std::string::npos);
  const Json json = to_json(a);
  CHECK(number_of(member(json, "valid"), "some") == 3);
  CHECK(number_of(member(json, "failures"), "no call") == 2);
  // The page is self-contained: it loads no external resources, and escapes names.
  const std::string page = to_page(record->header, summaries);
  CHECK(page.find("&lt;b&gt;") != std::string::npos);
  CHECK(page.find("<b>") == std::string::npos);
  CHECK(page.find("://") == std::string::npos);
  CHECK(page.find("<script") == std::string::npos);
}

}  // namespace pedro
