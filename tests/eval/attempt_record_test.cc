#include "eval/attempt_record.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "eval/attempt_summary.h"
#include "eval/eval_page.h"

namespace pedro {
namespace {

const AttemptHeader kHeader = {"build", "grounded", "00ff", "-max-rounds 9", "1", "m", "b", "f"};

TaskAttempt attempt_of(const std::string& task, const std::string& kind, bool solved) {
  TaskAttempt attempt;
  attempt.task = task;
  attempt.kind = kind;
  attempt.language = "python";
  attempt.solved = solved;
  attempt.outcome = solved ? "done" : "limit";
  attempt.exit_code = solved ? 0 : 6;
  attempt.verified = solved;
  attempt.visible_in_clone = solved;
  attempt.rounds = 4;
  attempt.calls = 3;
  attempt.refused = 2;
  attempt.same_refused = 1;
  attempt.generated_tokens = 50;
  attempt.prompt_tokens = 900;
  attempt.cached_tokens = 800;
  attempt.seconds = 20;
  attempt.first_call_s = 1.5;
  attempt.tries = 2;
  return attempt;
}

std::string text_of_record(const std::vector<TaskAttempt>& attempts) {
  std::string text = to_line(kHeader) + "\n";
  for (const TaskAttempt& attempt : attempts) text += to_line(attempt) + "\n";
  return text;
}

AttemptRecord record_of(const std::vector<TaskAttempt>& attempts) {
  return {kHeader, attempts};
}

}  // namespace

TEST_CASE("attempt record: a line has all that is known of an attempt") {
  CHECK(to_line(attempt_of("py-a", "line", true)) ==
        R"({"task":"py-a","run":1,"kind":"line","language":"python","solved":true,)"
        R"("outcome":"done","exit_code":0,"verified":true,"visible_in_clone":true,"rounds":4,)"
        R"("calls":3,"refused":2,"same_refused_in_a_row":1,"generated_tokens":50,)"
        R"("prompt_tokens":900,"cached_tokens":800,"seconds":20.0,"first_call_s":1.5,"tries":2})");
  CHECK(to_line(kHeader) ==
        R"({"type":"eval-tasks","record":1,"agent":"build","label":"grounded","tasks":"00ff",)"
        R"("args":"-max-rounds 9","version":"1","model":"m","backend":"b","format":"f"})");
  TaskAttempt none = attempt_of("py-a", "line", false);
  none.first_call_s = -1;
  CHECK(to_line(none).find("first_call_s") == std::string::npos);
}

TEST_CASE("attempt record: written rows are read back, torn lines are ignored") {
  const std::string whole =
      text_of_record({attempt_of("a", "line", true), attempt_of("b", "file", false)});
  CHECK(is_attempt_record(whole));
  const std::string again = to_line(attempt_of("a", "line", false)) + "\n";
  for (const std::string& text : {whole, whole + again.substr(0, 30), whole + again}) {
    const auto record = read_attempt_record("r", text);
    REQUIRE(record.ok());
    CHECK(record->header == kHeader);
    REQUIRE(record->attempts.size() == 2);
    CHECK(text_of_record(record->attempts) == whole);
    CHECK(record->find("a", 1) == &record->attempts[0]);
    CHECK(record->find("a", 2) == nullptr);
    CHECK(record->find("c", 1) == nullptr);
  }
}

TEST_CASE("attempt record: an attempt that is made again does not replace the first") {
  const auto record = read_attempt_record(
      "r", text_of_record({attempt_of("a", "line", false), attempt_of("a", "line", true)}));
  REQUIRE(record.ok());
  REQUIRE(record->attempts.size() == 1);
  CHECK_FALSE(record->find("a", 1)->solved);
}

TEST_CASE("attempt record: an invalid one is an error with its location") {
  const std::string header = to_line(kHeader) + "\n";
  struct Row {
    std::string text;
    const char* message;
  };
  for (const Row& row : {
           Row{"", "r:1: the file is empty"},
           Row{"{\"type\":\"eval\",\"record\":1}\n",
               "r:1: not a record of `eval tasks`, version 1"},
           Row{"{\"type\":\"eval-tasks\",\"record\":2}\n",
               "r:1: not a record of `eval tasks`, version 1"},
           Row{header + "[]\n{}\n", "r:2: expected a JSON object"},
           Row{header + "{\"task\":\"a\"}\n", "r:2: expected task and run"},
       }) {
    const auto record = read_attempt_record("r", row.text);
    REQUIRE_FALSE(record.ok());
    CHECK(record.error().message == row.message);
  }
  CHECK_FALSE(is_attempt_record("{\"type\":\"eval\",\"record\":1}\n"));
  CHECK_FALSE(is_attempt_record(""));
}

TEST_CASE("attempt summary: by kind and for all") {
  std::vector<TaskAttempt> attempts = {
      attempt_of("a", "function", true), attempt_of("b", "line", true),
      attempt_of("c", "line", false), attempt_of("d", "line", true)};
  attempts[1].seconds = 40;
  attempts[2].seconds = 900;
  attempts[2].rounds = 30;
  attempts[2].tries = 8;
  attempts[2].same_refused = 30;
  attempts[2].verified = true;  // but no check in the clone agrees
  const auto summaries = summarize(record_of(attempts));
  REQUIRE(summaries.size() == 3);
  CHECK(summaries[0].kind == "line");
  CHECK(summaries[0].solved.some == 2);
  CHECK(summaries[0].solved.all == 3);
  CHECK(summaries[0].verified == 3);
  CHECK(summaries[0].falsely_verified == 1);
  CHECK(summaries[0].seconds == 30);
  CHECK(summaries[0].rounds == 4);
  CHECK(summaries[0].most_same_refused == 30);
  CHECK(summaries[1].kind == "function");
  CHECK(summaries[1].solved.all == 1);
  CHECK(summaries[2].kind == "all");
  CHECK(summaries[2].solved.some == 3);
  CHECK(summaries[2].seconds == 20);
  CHECK(summaries[2].tries == 2);
  const std::string table = to_table(summaries);
  CHECK(table.find("3 of 4   75.0%   30 to 95%") != std::string::npos);
  const Json json = to_json(summaries[2]);
  CHECK(number_of(member(json, "solved"), "some") == 3);
  CHECK(number_of(json, "falsely_verified") == 1);
}

TEST_CASE("attempt summary: one line about an attempt") {
  TaskAttempt attempt = attempt_of("a", "line", true);
  CHECK(to_text(attempt) == "solved, verified, 20 s");
  attempt.visible_in_clone = false;
  CHECK(to_text(attempt) == "solved, falsely verified, 20 s");
  attempt = attempt_of("a", "line", false);
  attempt.outcome = "not_verified";
  CHECK(to_text(attempt) == "not solved, not verified, 20 s");
}

TEST_CASE("attempt page: its own file, and names are text") {
  AttemptRecord record = record_of({attempt_of("<b>", "line", true)});
  record.header.label = "<i>";
  const std::string page = to_page(record);
  CHECK(page.find("&lt;b&gt;") != std::string::npos);
  CHECK(page.find("Tasks solved by m: &lt;i&gt;") != std::string::npos);
  CHECK(page.find("<b>") == std::string::npos);
  CHECK(page.find("<i>") == std::string::npos);
  CHECK(page.find("://") == std::string::npos);
  CHECK(page.find("solved, verified, 20 s") != std::string::npos);
}

TEST_CASE("attempt diff: tasks are compared in pairs") {
  AttemptRecord before =
      record_of({attempt_of("both", "line", true), attempt_of("lost", "line", true),
                 attempt_of("won", "line", false), attempt_of("neither", "line", false),
                 attempt_of("only here", "line", true)});
  AttemptRecord after =
      record_of({attempt_of("won", "line", true), attempt_of("both", "line", true),
                 attempt_of("neither", "line", false), attempt_of("lost", "line", false),
                 attempt_of("only there", "line", true), attempt_of("won", "line", true)});
  after.attempts.back().run = 2;
  before.attempts.push_back(attempt_of("won", "line", false));
  before.attempts.back().run = 2;
  before.attempts.front().seconds = 60;
  after.attempts[0].visible_in_clone = false;
  const AttemptDiff diff = compare(before, after);
  CHECK(diff.solved.both == 1);
  CHECK(diff.solved.only_first == 1);
  CHECK(diff.solved.only_second == 2);
  CHECK(diff.solved.neither == 1);
  CHECK(to_text(diff, "noise") ==
        "solved: 2 of 5 (40.0%) -> 3 of 5 (60.0%), -36.4 to +63.1 points, p 1.0000: noise\n"
        "both 1, only before 1, only after 2, neither 1\n"
        "lost: lost\n"
        "won: won, won (run 2)\n"
        "verified: 2 -> 3, falsely 0 -> 1\n"
        "seconds where both solved: 60 -> 20\n");
  const Json json = to_json(diff, "noise");
  CHECK(text_of(json, "verdict") == "noise");
  CHECK(number_of(json, "only_after") == 2);
  CHECK(json["won"] == Json{"won", "won (run 2)"});
}

}  // namespace pedro
