// Tests the exact progress output that a user sees.
#include "progress.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include "base/text.h"

namespace pedro {
namespace {

struct ProgressBench {
  ProgressBench(Verbosity verbosity, bool terminal, int columns)
      : progress(clock, verbosity, terminal, false, columns, out), events(progress.events()) {}
  ProgressBench(const ProgressBench&) = delete;
  ProgressBench& operator=(const ProgressBench&) = delete;
  ~ProgressBench() { std::fclose(out); }

  /// The output since the last call. Each rewritten line begins with '|'.
  std::string take_shown() {
    std::rewind(out);
    std::string text;
    for (int c = std::fgetc(out); c != EOF; c = std::fgetc(out)) text += static_cast<char>(c);
    std::rewind(out);
    REQUIRE(::ftruncate(::fileno(out), 0) == 0);
    return replace_all(text, "\r\x1b[K", "|");
  }

  void begin_round() {
    REQUIRE(progress.on_phase_started("plan", 2, 5).ok());
    REQUIRE(progress.on_round_started("plan", 3).ok());
    take_shown();
  }

  FakeClock clock;
  std::FILE* out = std::tmpfile();
  Progress progress;
  GenerateEvents events;
};

}  // namespace

TEST_CASE("progress: on a terminal a line shows speed and text of the reply") {
  ProgressBench bench(Verbosity::kNormal, true, 66);
  bench.begin_round();
  bench.events.on_prefill(500, 2000);
  CHECK(bench.take_shown() == "|plan · round 3 · reading 25% of 2000 tokens");
  bench.clock.ms += 200;
  bench.events.on_prefill(2000, 2000);
  CHECK(bench.take_shown().empty());
  bench.events.on_text("Let", 1);
  CHECK(bench.take_shown() == "|plan · round 3 · 1 tokens, 0.0/s · Let");
  bench.clock.ms += 50;
  bench.events.on_text(" me", 1);
  CHECK(bench.take_shown().empty());  // at most ten updates per second
  bench.clock.ms += 450;
  bench.events.on_text(" see:\n\x1b[2Jint\tmain() {\xE2\x80\xAE}", 9);
  CHECK(bench.take_shown() ==
        "|plan · round 3 · 11 tokens, 20.0/s · see: \xEF\xBF\xBD[2Jint main() {\xEF\xBF\xBD}");

  Reply reply;
  reply.usage.generated_tokens = 11;
  REQUIRE(bench.progress.on_reply(reply, 1000, 4000).ok());
  REQUIRE(bench.progress.on_round_started("plan", 4).ok());
  CHECK(bench.take_shown() == "|plan · round 4 · waiting · window 25% of 4000");
  bench.clock.ms += 500;
  bench.events.on_text("é", 1);  // the count starts again with each reply
  CHECK(bench.take_shown() == "|plan · round 4 · 1 tokens, 0.0/s · window 25% of 4000 · é");
  bench.events.on_notice("the reply repeated itself after 130 tokens; asked again");
  CHECK(bench.take_shown() == "|  the reply repeated itself after 130 tokens; asked again\n");
}

TEST_CASE("progress: without a terminal prints only whole lines, and none when quiet") {
  ProgressBench file(Verbosity::kNormal, false, 60);
  file.begin_round();
  file.clock.ms += 30'000;
  file.events.on_prefill(500, 2000);
  file.events.on_text("Let me see", 3);
  CHECK(file.take_shown().empty());
  file.events.on_notice("news");
  CHECK(file.take_shown() == "  news\n");

  ProgressBench quiet(Verbosity::kQuiet, true, 60);
  quiet.begin_round();
  quiet.events.on_text("Let me see", 3);
  quiet.events.on_notice("news");
  CHECK(quiet.take_shown().empty());
}

TEST_CASE("progress: a line says how fast each reply was") {
  ProgressBench bench(Verbosity::kVerbose, false, 80);
  bench.begin_round();
  Reply reply;
  reply.usage = {.prompt_tokens = 900, .cached_tokens = 800, .generated_tokens = 50};
  reply.usage.generate_ms = 2500;
  REQUIRE(bench.progress.on_reply(reply, 1000, 4000).ok());
  CHECK(bench.take_shown() ==
        "  round 3: 900 prompt tokens (800 cached), 50 generated at 20.0/s, window 25% of 4000\n");
}

TEST_CASE("progress: the answers of a try are reported in one line") {
  ProgressBench bench(Verbosity::kNormal, false, 80);
  bench.begin_round();
  const ToolCall written{"call00001", "file", {{"action", "write"}, {"path", "a.c"}}, true};
  CheckOutcome outcome;
  outcome.check.command = "make test";
  for (int answer = 0; answer < 3; ++answer) {
    REQUIRE(bench.progress.on_call_finished(written, {}, true).ok());
    REQUIRE(bench.progress.on_check_finished(outcome).ok());
  }
  CHECK(bench.take_shown().empty());
  Reply reply;
  reply.usage.generated_tokens = 50;
  reply.usage.generate_ms = 4000;
  REQUIRE(bench.progress.on_reply(reply, 0, 0).ok());
  CHECK(bench.take_shown() == "  try 3: 3 answers, none passes; 50 tokens, 12.5/s\n");
  REQUIRE(bench.progress.on_call_finished(written, {}, true).ok());
  outcome.passed = true;
  REQUIRE(bench.progress.on_check_finished(outcome).ok());
  REQUIRE(bench.progress.on_reply(reply, 0, 0).ok());
  CHECK(bench.take_shown() == "  try 3: 1 answer, the last one passes; 50 tokens, 12.5/s\n");
  REQUIRE(bench.progress.on_check_finished(outcome).ok());
  CHECK(bench.take_shown() == "  pass make test (0.0 s)\n");
}

}  // namespace pedro
