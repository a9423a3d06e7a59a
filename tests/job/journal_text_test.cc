#include "job/journal_text.h"

#include <doctest/doctest.h>

namespace pedro {
namespace {

struct Row {
  const char* name;
  const char* event;  // without "ts"
  const char* expected;
};

constexpr const char* kTime = "21:45:03  ";

}  // namespace

TEST_CASE("journal text: each event is a readable line, or none") {
  const Row rows[] = {
      {"the beginning",
       R"("type":"thread.started","thread_id":"20261121-214500-042-build-7f3a",)"
       R"("agent":"build","task":"Fix it","model":"qwen","branch":"pedrocli/x")",
       "job 20261121-214500-042-build-7f3a: Fix it\n          build, model qwen, branch "
       "pedrocli/x"},
      {"a phase", R"("type":"phase.started","phase":"plan","number":2,"total":5)", "[2/5] plan"},
      {"a round",
       R"("type":"turn.completed","round":3,"usage":{"input_tokens":9,"cached_input_tokens":8,)"
       R"("output_tokens":7})",
       "  round 3: 9 prompt tokens (8 cached), 7 generated"},
      {"a call that was right",
       R"("type":"item.completed","item":{"type":"tool_call","tool":"file","ok":true,)"
       R"("args":{"action":"read","path":"a.txt"},"text":"bytes"})",
       "  ok file read path=\"a.txt\""},
      {"a call that failed",
       R"("type":"item.completed","item":{"type":"tool_call","tool":"file","ok":false,"valid":true,)"
       R"("args":{"action":"read"},"text":"no such file\nmore"})",
       "  failed file read\n               no such file"},
      {"a call that was refused",
       R"("type":"item.completed","item":{"type":"tool_call","tool":"x","ok":false,"valid":false})",
       "  refused x"},
      {"what is not allowed",
       R"("type":"item.completed","item":{"type":"policy_decision","action":"bash run",)"
       R"("command":"rm -r /","allowed":false})",
       "  not allowed: bash run rm -r /"},
      {"a check that fails",
       R"("type":"item.completed","item":{"type":"command_execution","command":"make",)"
       R"("status":"failed","exit_code":2,"duration_s":1.25})",
       "  FAIL make (1.2 s, exit 2)"},
      {"a check that hangs",
       R"("type":"item.completed","item":{"type":"command_execution","command":"make",)"
       R"("status":"failed","timed_out":true,"duration_s":9})",
       "  FAIL make (9.0 s, timed out)"},
      {"a check that passes",
       R"("type":"item.completed","item":{"type":"command_execution","command":"make",)"
       R"("status":"completed","duration_s":0.5})",
       "  pass make (0.5 s)"},
      {"a notice", R"("type":"item.completed","item":{"type":"error","message":"odd"})", "  odd"},
      {"a compaction", R"("type":"context.compacted","before":9,"after":4)",
       "  context: 9 -> 4 tokens"},
      {"a phase's end",
       R"("type":"phase.completed","phase":"plan","end":"completed","output":{"summary":"a\nb"})",
       "  a b"},
      {"a phase that was stuck", R"("type":"phase.completed","phase":"plan","end":"stuck")",
       "  plan: stuck"},
      {"an error", R"("type":"error","message":"no server")", "error: no server"},
      {"the end",
       R"("type":"thread.completed","outcome":"limit","exit_code":6,"rounds":4,)"
       R"("usage":{"output_tokens":12},"branch":"b","report":"/r")",
       "ended: limit, exit 6, 4 rounds, 12 tokens generated, branch b, report /r"},
      {"what steers a terminal", R"("type":"error","message":"a\u001b[2Jb\rc")",
       "error: a\xEF\xBF\xBD[2Jb c"},
      {"what began", R"("type":"item.started","item":{"type":"tool_call"})", ""},
      {"an unknown type", R"("type":"new.thing")", ""},
      {"texts where numbers belong", R"("type":"phase.started","phase":1,"number":"x")", "[0/0] "},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    const auto event =
        parse_json(std::string(R"({"ts":"2026-11-21T21:45:03.007Z",)") + row.event + "}");
    REQUIRE(event.ok());
    const std::string expected = row.expected;
    CHECK(journal_text(*event) == (expected.empty() ? "" : kTime + expected + "\n"));
  }
  CHECK(journal_text(Json()) == "");
  CHECK(journal_text(*parse_json(R"({"type":"error","message":"m"})")) == "          error: m\n");
}

TEST_CASE("journal text: a long text is cut, in few steps") {
  const Json event = {{"type", "error"}, {"message", std::string(1'000'000, 'x')}};
  CHECK(journal_text(event).size() < 400);
}

}  // namespace pedro
