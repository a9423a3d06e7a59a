#include "monitor/job_figures.h"

#include <doctest/doctest.h>

#include "base/clock.h"
#include "base/text.h"
#include "monitor/figure_sums.h"
#include "monitor/journal_lines.h"

namespace pedro {

TEST_CASE("figures: a journal gives tokens, times and calls of each phase") {
  const JobFigures job = figures_in(small_journal());
  CHECK(job.id == "20261121-100000-build-7f3a");
  CHECK(job.model == "gpt-4.1-mini");
  CHECK(job.outcome == "not_verified");
  CHECK(job.exit_code == 5);
  CHECK(job.ms() == 20'000);
  REQUIRE(job.inferences.size() == 3);
  CHECK(job.inferences[1].usage.cached_tokens == 900);
  CHECK(job.inferences[1].missed_tokens == 149);
  CHECK(job.inferences[1].window_used_tokens == 1740);
  REQUIRE(job.phases.size() == 2);
  CHECK(job.phases[0].ms == 6000);
  CHECK(job.phases[1].ms == 10'000);
  CHECK(job.phases[1].end == "rounds");
  REQUIRE(job.tools.size() == 2);
  CHECK(job.tools[0].calls == 2);
  CHECK(job.tools[0].failed == 1);
  CHECK(job.tools[0].succeeded() == 1);
  CHECK(job.tools[1].refused == 1);
  CHECK(job.tools[1].failed == 0);
  CHECK(job.checks == 1);
  CHECK(job.checks_failed == 1);
  CHECK(job.retries == 1);
  CHECK(job.failed_requests == 1);
  REQUIRE(job.compactions.size() == 1);
  CHECK(job.compactions[0].inference == 2);
  CHECK(job.compactions[0].saved() == 600);
  CHECK(job.compactions[0].exchanges == 1);
  CHECK(job.compactions[0].estimated);
  REQUIRE(job.compactions[0].stayed.size() == 2);
  CHECK(job.compactions[0].stayed[1].why == "error");
  CHECK(job.compactions[0].stayed[1].exchanges == 2);
  CHECK(job.compactions[0].stayed[1].tokens == 150);
}

TEST_CASE("figures: a prompt's content is listed by kind, also after a compaction") {
  const JobFigures job = figures_in(small_journal());
  // rules, task, phase prompts, replies, results, advice, note, tools and turns
  CHECK(job.inferences[0].context == ContextShares{300, 100, 200, 0, 0, 0, 0, 400});
  CHECK(job.inferences[1].context == ContextShares{300, 100, 200, 50, 600, 0, 0, 450});
  const ContextShares behind = job.inferences[2].context;
  CHECK(behind[0] == 300);
  CHECK(behind[3] == 40);
  CHECK(behind[4] == 500);
  CHECK(behind[6] == 100);
  long long all = 0;
  for (const long long tokens : behind) all += tokens;
  CHECK(all == 1800);
}

TEST_CASE("figures: another conversation of the job begins with nothing of the one before") {
  const JobFigures job = figures_in(
      R"({"type":"context.appended","tokens":500,"messages":[{"id":1,"role":"system","parts":[{"kind":"system","tokens":400}]}]}
{"type":"turn.completed","phase":"a","round":1,"usage":{"input_tokens":500}}
{"type":"context.appended","tokens":600,"messages":[{"id":2,"role":"system","parts":[{"kind":"system","tokens":450}]}]}
{"type":"turn.completed","phase":"b","round":1,"usage":{"input_tokens":600}}
)");
  REQUIRE(job.inferences.size() == 2);
  CHECK(job.inferences[1].context == ContextShares{450, 0, 0, 0, 0, 0, 0, 150});
}

TEST_CASE("figures: a clock that is set back takes no time away") {
  const JobFigures job = figures_in(
      R"({"ts":"2026-11-21T10:00:00.000Z","type":"phase.started","phase":"plan"}
{"ts":"2026-11-21T10:00:05.000Z","type":"something"}
{"ts":"2026-11-21T09:00:00.000Z","type":"something"}
{"ts":"2026-11-21T10:00:06.000Z","type":"phase.completed","phase":"plan"}
)");
  CHECK(job.phases[0].ms == 6000);
  CHECK(job.ms() == 6000);
}

TEST_CASE("figures: an old, cut off or hostile journal gives its readable figures") {
  const auto old = R"({"ts":"2026-11-21T10:00:00.000Z","type":"phase.started","phase":"plan"}
{"ts":"2026-11-21T10:00:04.000Z","type":"turn.completed","phase":"plan","round":1,"usage":{"input_tokens":10,"output_tokens":2}}
{"ts":"2026-11-21T10:00:05.000Z","type":"turn.com)";
  const JobFigures job = figures_in(old);
  CHECK(job.phases[0].ms == 4000);
  CHECK(job.outcome.empty());
  REQUIRE(job.inferences.size() == 1);
  CHECK(job.inferences[0].context == ContextShares{});

  const JobFigures hostile = figures_in(
      R"({"type":"turn.completed","phase":7,"usage":[],"timings":"x","tokens":3}
{"type":"turn.completed","usage":{"input_tokens":-5,"cached_input_tokens":99,"output_tokens":9223372036854775807}}
{"type":"context.compacted","left":"all","before":"x"}
{"type":"item.completed","item":{"type":"tool_call","tool":"a\nb\u001b[31m"}}
{"type":"thread.completed","exit_code":99999}
[1]
)");
  REQUIRE(hostile.inferences.size() == 2);
  CHECK(hostile.inferences[1].usage.prompt_tokens == 0);
  CHECK(hostile.inferences[1].usage.cached_tokens == 0);
  CHECK(hostile.exit_code == 255);
  CHECK(hostile.tools[0].name.find('\n') == std::string::npos);
  CHECK(hostile.tools[0].name.find('\x1b') == std::string::npos);
}

TEST_CASE("figures: a model that invents tools does not fill the table") {
  std::string journal;
  for (int i = 0; i < 300; ++i) {
    journal += R"({"type":"item.completed","item":{"type":"tool_call","valid":false,"tool":"t)" +
               std::to_string(i) + "\"}}\n";
  }
  const JobFigures job = figures_in(journal);
  CHECK(job.tools.size() == 101);
  CHECK(job.tools.back().name == "other");
  CHECK(job.tools.back().refused == 200);
}

TEST_CASE("figures: phases beyond the first hundred are one row") {
  std::string journal;
  for (int i = 0; i < 300; ++i) {
    for (const char* type : {"phase.started", "turn.completed", "phase.completed"}) {
      journal += to_line({{"type", type}, {"phase", "p" + std::to_string(i)}}) + "\n";
    }
  }
  const JobFigures job = figures_in(journal);
  REQUIRE(job.phases.size() == 101);
  CHECK(job.phases[99].name == "p99");
  CHECK(job.phases[99].runs == 1);
  CHECK(job.phases[100].name == "other");
  CHECK(job.phases[100].runs == 200);
  CHECK(job.inferences[99].phase == 99);
  CHECK(job.inferences[299].phase == 100);
}

TEST_CASE("sums: tokens and cost by model, phase and tool") {
  const JobFigures job = figures_in(small_journal());
  const ModelRegistry& models = ModelRegistry::builtin();
  FigureSums sums(models);
  sums.add(job);
  sums.add(job);
  CHECK(sums.total().jobs == 2);
  CHECK(sums.total().inferences == 6);
  CHECK(sums.total().usage.prompt_tokens == 9000);
  CHECK(sums.total().evaluated_tokens() == 5200);
  CHECK(sums.total().saved_tokens == 1200);
  CHECK(sums.total().ms == 40'000);
  REQUIRE(sums.phases().size() == 2);
  CHECK(sums.phases()[1].name == "build work");
  CHECK(sums.phases()[1].sums.compactions == 2);
  CHECK(sums.phases()[1].sums.jobs == 2);
  CHECK(sums.tools()[0].calls == 4);
  // 9000 at $0.40 and 200 at $1.60 for a million
  CHECK(sums.total().cost.dollars == doctest::Approx(0.0036 + 0.00032));
  CHECK(sums.total().cost.at_most);
  CHECK(sums.total().cost.unpriced == 0);
}

TEST_CASE("cost: cached tokens have their own price if it is known") {
  const Usage usage{.prompt_tokens = 1'000'000, .cached_tokens = 600'000, .generated_tokens = 100};
  KnownModel model;
  CHECK(cost_of(usage, &model).unpriced == 1);
  CHECK(cost_of(usage, nullptr).unpriced == 1);
  model.price_in = 2;
  model.price_out = 10;
  CHECK(cost_of(usage, &model).dollars == doctest::Approx(2.001));
  CHECK(cost_of(usage, &model).at_most);
  model.price_cached = 0.5;
  CHECK(cost_of(usage, &model).dollars == doctest::Approx(0.8 + 0.3 + 0.001));
  CHECK_FALSE(cost_of(usage, &model).at_most);
  Usage written = usage;
  written.cache_written_tokens = 100'000;
  CHECK(cost_of(written, &model).dollars == doctest::Approx(0.8 + 0.3 + 0.001));
  model.price_written = 2.5;
  CHECK(cost_of(written, &model).dollars == doctest::Approx(0.85 + 0.3 + 0.001));
}

TEST_CASE("rfc3339: reads only its own output format") {
  for (const long long ms : {0LL, 1'700'000'000'123LL, 951'782'399'999LL, 253'402'300'799'999LL}) {
    CHECK(from_rfc3339(to_rfc3339(ms)) == ms);
  }
  for (const char* text : {"", "2026", "2026-11-21 10:00:00.000Z", "2026-13-21T10:00:00.000Z",
                           "2026-02-30T10:00:00.000Z", "2026-11-21T24:00:00.000Z",
                           "2026-11-21T10:00:00.000+", "2026-11-21T10:00:00.00xZ"}) {
    CAPTURE(text);
    CHECK_FALSE(from_rfc3339(text).has_value());
  }
}

}  // namespace pedro
