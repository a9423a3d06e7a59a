#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>

#include "sys/process_table.h"

namespace pedro {
namespace {

// An observation at one moment: the output so far, and the state of the command's processes.
struct Moment {
  double at_s;
  std::uint64_t printed;
  ProcessLook look;
};

// Returns the time in seconds at which the command is found idle; 0: never. The limit is 10 s, so
// the watch checks each second.
double idle_at(const std::vector<Moment>& moments,
               IdleWatch::Sign sign = IdleWatch::Sign::kComputes) {
  IdleWatch watch(10, sign);
  for (const Moment& moment : moments) {
    if (watch.is_idle(moment.at_s, moment.printed, [&] { return moment.look; })) {
      return moment.at_s;
    }
  }
  return 0;
}

// Returns one moment per second. Each equals the one before, except for the changes by `change`.
std::vector<Moment> seconds(int count, const std::function<void(int, Moment&)>& change) {
  std::vector<Moment> moments;
  Moment moment{0, 0, {{7}, 100, false}};
  for (int i = 1; i <= count; ++i) {
    moment.at_s = i;
    change(i, moment);
    moments.push_back(moment);
  }
  return moments;
}

}  // namespace

TEST_CASE("idle_watch: an inactive program is idle after its time, counted from the first look") {
  CHECK(idle_at(seconds(30, [](int, Moment&) {})) == 11);
}

TEST_CASE("idle_watch: whatever it does, it is not idle") {
  const long long ticks = ::sysconf(_SC_CLK_TCK);
  struct Row {
    const char* what;
    std::function<void(int, Moment&)> change;
    double idle_at;
  };
  const std::vector<Row> rows = {
      {"it prints", [](int, Moment& m) { ++m.printed; }, 0},
      {"it printed once", [](int i, Moment& m) { m.printed = i >= 5 ? 1 : 0; }, 15},
      {"it uses a processor", [&](int, Moment& m) { m.look.cpu_ticks += ticks; }, 0},
      {"it uses a hundredth of one", [&](int, Moment& m) { m.look.cpu_ticks += ticks / 100; }, 0},
      {"it uses that every other second",
       [&](int i, Moment& m) { m.look.cpu_ticks += i % 2 == 0 ? ticks / 100 : 0; }, 0},
      {"it used a hundredth once", [&](int i, Moment& m) { m.look.cpu_ticks += i == 4 ? 1 : 0; },
       14},
      {"it waits for a disk", [](int, Moment& m) { m.look.waits_for_disk = true; }, 0},
      {"it starts a process",
       [](int i, Moment& m) {
         m.look.processes = {7, 100 + i / 9};
       },
       0},
      {"a process of it ends",
       [](int i, Moment& m) {
         m.look.processes = i < 8 ? std::vector{7, 8} : std::vector{7};
       },
       18},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what);
    CHECK(idle_at(seconds(60, row.change)) == row.idle_at);
  }
}

TEST_CASE("idle_watch: it looks ten times in its time, however often it is asked") {
  IdleWatch watch(10);
  int looks = 0;
  for (int i = 0; i < 900; ++i) {
    watch.is_idle(i / 100.0, 0, [&] {
      ++looks;
      return ProcessLook{{7}, 0, false};
    });
  }
  CHECK(looks == 8);
}

TEST_CASE("idle_watch: sees this process and its CPU use") {
  const auto spent = static_cast<double>(::clock());
  while (static_cast<double>(::clock()) - spent < 0.05 * CLOCKS_PER_SEC) {
  }
  const ProcessLook look = look_at({::getpid()});
  REQUIRE_FALSE(look.processes.empty());
  CHECK(look.processes.front() == ::getpid());
  CHECK(look.cpu_ticks > 0);
}

TEST_CASE("idle_watch: a command that only computes shows no sign of transfers") {
  const auto loops_at = [](const std::function<void(int, Moment&)>& change) {
    return idle_at(seconds(60,
                           [&](int i, Moment& moment) {
                             moment.look.cpu_ticks += ::sysconf(_SC_CLK_TCK);
                             change(i, moment);
                           }),
                   IdleWatch::Sign::kTransfers);
  };
  CHECK(loops_at([](int, Moment&) {}) == 11);
  CHECK(loops_at([](int, Moment& m) { ++*m.look.transfers; }) == 0);
  CHECK(loops_at([](int i, Moment& m) { m.look.transfers = i < 5 ? 1 : 2; }) == 15);
  CHECK(loops_at([](int, Moment& m) { m.look.transfers.reset(); }) == 0);
  CHECK(loops_at([](int, Moment& m) { ++m.printed; }) == 0);
}

}  // namespace pedro
