#include <doctest/doctest.h>

#include <map>
#include <string>

#include "llm/server_pool.h"

namespace pedro {
namespace {

constexpr ServerLook kSingleSlot{.answers = true, .slots = 1};
constexpr ServerLook kNoServer{};

/// Servers a and b with one slot each, on a fake clock.
struct QueueBench {
  /// Starts jobs until all others must wait. Returns "INDEX SERVER " for each, or "INDEX - " for a
  /// job that is given up.
  std::string take_all() {
    std::string taken;
    while (const auto turn = queue.take()) {
      const std::string name = turn->server ? pool.name(*turn->server).substr(7) : "-";
      taken += std::to_string(turn->index) + " " + name + " ";
      if (turn->server) pool.begin_job(*turn->server);
    }
    return taken;
  }
  void pass(long long ms) { clock.ms += ms; }

  std::map<std::string, ServerLook> looks{{"http://a", kSingleSlot}, {"http://b", kSingleSlot}};
  int looked = 0;
  FakeClock clock;
  ServerPool pool{{"http://a", "http://b"},
                  {},
                  1,
                  [this](const std::string& url) {
                    ++looked;
                    return looks[url];
                  },
                  clock};
  JobQueue queue{pool};
};

}  // namespace

TEST_CASE("job queue: first come, first served; a job whose server is busy lets others pass") {
  QueueBench bench;
  bench.queue.add_last({.index = 0});
  bench.queue.add_last({.index = 1, .before = "http://a"});
  bench.queue.add_last({.index = 2, .only = "http://b"});
  bench.queue.add_last({.index = 3});
  CHECK(bench.take_all() == "0 a 2 b ");
  CHECK_FALSE(bench.queue.empty());
  bench.pool.end_job(1);
  CHECK(bench.take_all() == "3 b ");
  bench.queue.add_first({.index = 4, .before = "http://a"});
  bench.pool.end_job(0);
  CHECK(bench.take_all() == "4 a ");
  bench.pool.end_job(0);
  CHECK(bench.take_all() == "1 a ");
  CHECK(bench.queue.empty());
}

TEST_CASE("job queue: jobs are given up one by one if no server answers for ten minutes") {
  QueueBench bench;
  bench.looks = {{"http://a", kNoServer}, {"http://b", kNoServer}};
  bench.queue.add_last({.index = 0});
  bench.queue.add_last({.index = 1, .before = "http://b"});
  bench.pass(1000);
  CHECK(bench.take_all().empty());
  bench.pass(JobQueue::kMaxGoneMs - 1000);
  CHECK(bench.take_all().empty());
  bench.looks["http://b"] = kSingleSlot;
  bench.pass(6000);
  CHECK(bench.take_all() == "0 b ");
  bench.looks["http://b"] = kNoServer;
  bench.pass(6000);
  CHECK(bench.take_all().empty());
  bench.pass(JobQueue::kMaxGoneMs);
  CHECK(bench.take_all() == "1 - ");
}

TEST_CASE("job queue: many jobs that must wait cost one look at the servers") {
  QueueBench bench;
  for (std::size_t i = 0; i < 20'000; ++i) bench.queue.add_last({.index = i});
  CHECK(bench.take_all() == "0 a 1 b ");
  const int before = bench.looked;
  bench.pass(1000);
  CHECK(bench.take_all().empty());
  CHECK(bench.looked - before == 2);
  bench.queue.clear();
  CHECK(bench.queue.empty());
}

}  // namespace pedro
