#include "monitor/usage_watch.h"

#include <doctest/doctest.h>

namespace pedro {
namespace {

struct Taken {
  long long prompt = 1000;
  long long cached = 900;
  long long generated = 10;
  double generate_ms = 100;
  long long missed = 0;
  long long used = 1000;
};

// A job that completes inferences one by one, and the warnings after each.
struct Watched {
  explicit Watched(WarnAt at, JobBudget budget = {}) : watch(at) { watch.set_budget(budget); }

  std::vector<std::string> take(const Taken& taken) {
    InferenceFigures one;
    one.usage = {taken.prompt, taken.cached, taken.generated, 10, taken.generate_ms};
    one.missed_tokens = taken.missed;
    one.window_used_tokens = taken.used;
    one.window_tokens = 8192;
    job.inferences.push_back(one);
    return watch.look(job, &model);
  }

  JobFigures job;
  KnownModel model;
  UsageWatch watch;
};

// Disables all warnings except one.
WarnAt only(double WarnAt::*what, double at) {
  WarnAt out{0, 0, 0, 0, 0};
  out.*what = at;
  return out;
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("usage watch: warns once of a nearly full window, and again after it was emptier") {
  Watched job(only(&WarnAt::window, 0.8));
  CHECK(job.take({.used = 6553}).empty());
  CHECK(
      job.take({.used = 6554}) ==
      Lines{"80 % of the window of 8192 tokens is used; start the server with a larger -c, or set "
            "context.high_water lower"});
  CHECK(job.take({.used = 7000}).empty());
  CHECK(job.take({.used = 3000}).empty());
  CHECK(job.take({.used = 8192}).size() == 1);
}

TEST_CASE("usage watch: warns once of each nearly exhausted budget") {
  Watched job(only(&WarnAt::budget, 0.5), {4, 600'000});
  CHECK(job.take({}).empty());
  CHECK(job.take({}) == Lines{"2 of 4 allowed inferences are used"});
  job.job.started_ms = 1'000'000;
  job.job.last_ms = 1'299'999;
  CHECK(job.take({}).empty());
  job.job.last_ms = 1'300'000;
  CHECK(job.watch.look(job.job, &job.model).empty());  // no new inference
  CHECK(job.take({}) == Lines{"5 of 10 allowed minutes are used"});
  CHECK(job.take({}).empty());

  Watched unlimited(only(&WarnAt::budget, 0.5));
  unlimited.job.started_ms = 1;
  unlimited.job.last_ms = 1'000'000'000;
  CHECK(unlimited.take({}).empty());
}

TEST_CASE("usage watch: reports the cost each time it grows by the same amount") {
  Watched job(only(&WarnAt::cost, 0.5));
  CHECK(job.take({}).empty());  // without a price
  job.model.price_in = 100;
  job.model.price_cached = 100;
  job.model.price_out = 0;
  CHECK(job.take({.prompt = 4990}).empty());
  CHECK(job.take({.prompt = 10}) == Lines{"the job has cost $0.50 so far"});
  CHECK(job.take({.prompt = 4000}).empty());
  CHECK(job.take({.prompt = 12000}) == Lines{"the job has cost $2.10 so far"});
  CHECK(job.take({.prompt = 3000}).empty());
  CompactionFigures asked;
  asked.asked.prompt_tokens = 2000;
  job.job.compactions.push_back(asked);
  CHECK(job.take({.prompt = 0, .cached = 0}) == Lines{"the job has cost $2.60 so far"});
}

TEST_CASE("usage watch: warns once of cache misses") {
  Watched job(only(&WarnAt::misses, 0.1));
  CHECK(job.take({.prompt = 2000, .cached = 0, .missed = 900}).empty());  // too few tokens missed
  CHECK(job.take({.prompt = 9000, .cached = 0, .missed = 199}).empty());  // less than a tenth
  CHECK(job.take({.prompt = 2000, .cached = 1999, .missed = 2}) ==
        Lines{"1101 tokens were evaluated again that should have been in the server's cache (10 % "
              "of all); is another client using the same slot?"});
  CHECK(job.take({.missed = 5000}).empty());
}

TEST_CASE("usage watch: warns once of a slower model") {
  Watched job(only(&WarnAt::slowdown, 3));
  for (int i = 0; i < 5; ++i) CHECK(job.take({.generate_ms = 100}).empty());
  CHECK(job.take({.generated = 3, .generate_ms = 9000}).empty());  // too few tokens to measure
  for (int i = 0; i < 3; ++i) CHECK(job.take({.generate_ms = 299}).empty());
  for (int i = 0; i < 2; ++i) CHECK(job.take({.generate_ms = 400}).empty());
  CHECK(job.take({.generate_ms = 400}) ==
        Lines{"a token takes 40 ms to generate; at first it took 10 ms"});
  CHECK(job.take({.generate_ms = 900}).empty());
}

TEST_CASE("usage watch: disabled warnings are not reported") {
  Watched job({0, 0, 0, 0, 0}, {1, 1});
  job.model.price_in = 1e6;
  for (int i = 0; i < 20; ++i) {
    CHECK(job.take({.generate_ms = 10.0 * i * i, .missed = 10000, .used = 8192}).empty());
  }
}

TEST_CASE("usage watch: warnings are read by name") {
  struct Row {
    const char* text;
    const char* error;
  };
  for (const Row& row : {
           Row{R"({"cost": 5, "slowdown": 0})", ""},
           Row{R"({"costs": 5})",
               "unknown warning 'costs' (did you mean 'cost'?); there are: window, budget, cost, "
               "misses, slowdown"},
           Row{R"({"cost": -1})", "cost: expected a number from 0 to 1000000, got -1"},
           Row{R"({"window": "80 %"})",
               "window: expected a number from 0 to 1000000, got \"80 %\""},
       }) {
    const auto at = read_warn_at(*parse_json(row.text));
    CHECK((at.ok() ? "" : at.error().message) == std::string(row.error));
  }
  CHECK(read_warn_at(*parse_json(R"({"cost": 5})"))->cost == 5);
  CHECK(read_warn_at(*parse_json(R"({"cost": 5})"))->window == 0.8);
}

}  // namespace pedro
