#include <doctest/doctest.h>

#include <string>

#include "base/clock.h"
#include "base/text.h"
#include "eval/attempt_record.h"

namespace pedro {
namespace {

const std::string kStart =
    R"({"ts":"2026-11-21T10:00:02.000Z","type":"thread.started","thread_id":"x","branch":"p/a",)"
    R"("model":"m","backend":"b","format":"f"})"
    "\n";

std::string round_of(const std::string& reply, const std::string& then) {
  return R"({"type":"turn.started","phase":"p","round":1})"
         "\n"
         R"({"type":"item.completed","item":{"type":"agent_message","text":")" +
         reply + R"("}})" + "\n" +
         R"({"type":"turn.completed","phase":"p","round":1,"usage":{"input_tokens":100,)"
         R"("cached_input_tokens":90,"output_tokens":7}})"
         "\n" +
         then;
}

const std::string kRan =
    R"({"ts":"2026-11-21T10:00:05.500Z","type":"item.completed","item":{"type":"tool_call",)"
    R"("tool":"file","valid":true,"ok":true}})"
    "\n";
const std::string kInvalid =
    R"({"ts":"2026-11-21T10:00:03.000Z","type":"item.completed","item":{"type":"tool_call",)"
    R"("tool":"file","valid":false,"ok":false}})"
    "\n";
const std::string kAccepted = R"({"type":"phase.completed","phase":"p","end":"completed"})"
                              "\n";
const std::string kAtLimit = R"({"type":"phase.completed","phase":"p","end":"rounds"})"
                             "\n";
const std::string kEnd =
    R"({"type":"thread.completed","outcome":"limit","exit_code":6,"rounds":5,"branch":"p/a-2",)"
    R"("tries":3})"
    "\n";

struct Told {
  TaskAttempt attempt;
  std::string branch;
};

Told told_by(const std::string& text) {
  FakeFileSystem files;
  files.files["/j"] = text;
  const auto journal = read_attempt_journal(files, "/j");
  REQUIRE(journal.ok());
  Told told{{}, journal->branch()};
  journal->fill(told.attempt, *from_rfc3339("2026-11-21T10:00:00.000Z"));
  return told;
}

}  // namespace

TEST_CASE("attempt journal: calls, refusals, tokens, the first call, the end") {
  const Told told =
      told_by(kStart + round_of("a", kInvalid) + round_of("b", kRan) + round_of("c", kAccepted) +
              round_of("d", kInvalid + kRan) + round_of("e", kAtLimit) + kEnd);
  CHECK(told.branch == "p/a-2");
  CHECK(told.attempt.outcome == "limit");
  CHECK(told.attempt.rounds == 5);
  CHECK(told.attempt.calls == 4);
  CHECK(told.attempt.refused == 3);  // "a", one of "d", and "e"
  CHECK(told.attempt.same_refused == 1);
  CHECK(told.attempt.generated_tokens == 35);
  CHECK(told.attempt.prompt_tokens == 500);
  CHECK(told.attempt.cached_tokens == 450);
  CHECK(told.attempt.first_call_s == 5.5);
  CHECK(told.attempt.tries == 3);
}

TEST_CASE("attempt journal: a job that died keeps its figures up to then") {
  const Told told = told_by(kStart + round_of("a", kRan) + round_of("b", ""));
  CHECK(told.branch == "p/a");
  CHECK(told.attempt.outcome.empty());
  CHECK(told.attempt.rounds == 2);
  CHECK(told.attempt.tries == 0);
  CHECK(told_by(kStart).attempt.first_call_s == -1);
}

TEST_CASE("attempt journal: the same refused reply in a row") {
  const std::string same = round_of("x", "");
  struct Row {
    const char* name;
    std::string rounds;
    int most;
  };
  for (const Row& row : {
           Row{"none", round_of("x", kRan) + round_of("x", kRan), 0},
           Row{"once each", round_of("x", "") + round_of("y", "") + round_of("x", ""), 1},
           Row{"three times", round_of("y", "") + same + same + same + round_of("z", ""), 3},
           Row{"with success in between", same + same + round_of("x", kRan) + same, 2},
           Row{"an invalid call", round_of("x", kInvalid) + round_of("x", kInvalid), 2},
           Row{"up to the limit", same + round_of("x", kAtLimit), 2},
       }) {
    CAPTURE(row.name);
    CHECK(told_by(kStart + row.rounds).attempt.same_refused == row.most);
  }
}

}  // namespace pedro
