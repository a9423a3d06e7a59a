#include "job/batch_lease.h"

#include <doctest/doctest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "support/temp_folder.h"

namespace pedro {
namespace {

constexpr long long kShort_ms = 600;

struct Leases {
  /// Returns the message of the error, or "" and keeps the lease.
  std::string take(const std::string& host, long long lease_ms = BatchLease::kLease_ms) {
    auto taken = BatchLease::take(
        files, clock, cancel, state(), host,
        [this](std::string_view message) { notes.emplace_back(message); }, lease_ms);
    if (!taken) return taken.error().message;
    lease = *std::move(taken);
    return "";
  }
  std::string state() const { return folder.at("state"); }
  bool exists(int number) const {
    return std::filesystem::exists(state() + ".lease-" + std::to_string(number));
  }

  TempFolder folder;
  RealFileSystem files;
  RealClock clock;
  CancelToken cancel;
  std::vector<std::string> notes;
  std::unique_ptr<BatchLease> lease;
};

// A lease of a host that died: it has no heartbeat.
void leave(const Leases& bench, int number, const std::string& host) {
  bench.folder.write("state.lease-" + std::to_string(number), "{\"host\":\"" + host + "\"}\n");
}

}  // namespace

TEST_CASE("batch lease: exists while it is held, and an old one of the same host is void") {
  Leases bench;
  CHECK(bench.take("a") == "");
  CHECK(bench.exists(1));
  CHECK(bench.lease->check().ok());
  bench.lease.reset();
  CHECK_FALSE(bench.exists(1));
  leave(bench, 7, "a");
  CHECK(bench.take("a") == "");
  CHECK(bench.exists(8));
  CHECK_FALSE(bench.exists(7));
  CHECK(bench.notes.empty());
}

TEST_CASE("batch lease: another host is refused while the first one lives") {
  Leases first;
  CHECK(first.take("a") == "");
  Leases second;
  const auto refused = BatchLease::take(second.files, second.clock, second.cancel, first.state(),
                                        "b", [](std::string_view) {});
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().message == first.state() + ": host a is using it");
  CHECK(first.lease->check().ok());
}

TEST_CASE("batch lease: is free a while after its host died, and a host that returns loses it") {
  Leases bench;
  CHECK(bench.take("a") == "");
  const std::unique_ptr<BatchLease> stopped = std::move(bench.lease);
  // Its heartbeat stopped with the machine.
  bench.folder.write("copy", bench.folder.read("state.lease-1"));
  std::filesystem::rename(bench.folder.at("copy"), bench.folder.at("state.lease-1"));
  CHECK(bench.take("b", kShort_ms) == "");
  CHECK(bench.notes ==
        std::vector<std::string>{bench.state() + ": host a has it; waiting up to 0 s for a sign of "
                                                 "life"});
  CHECK(bench.exists(2));
  CHECK_FALSE(bench.exists(1));
  CHECK(bench.lease->check().ok());
  Status lost = stopped->check();
  while (lost.ok()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    lost = stopped->check();
  }
  CHECK(lost.error().message == bench.state() + ": host b is using it");
}

TEST_CASE("batch lease: of many hosts that find an old one, exactly one gets it") {
  for (int round = 0; round < 5; ++round) {
    Leases bench;
    leave(bench, 3, "dead");
    std::atomic<int> owners{0};
    std::vector<std::unique_ptr<BatchLease>> held(6);
    std::vector<std::thread> hosts;
    for (std::size_t i = 0; i < held.size(); ++i) {
      hosts.emplace_back([&, i] {
        auto taken = BatchLease::take(
            bench.files, bench.clock, bench.cancel, bench.state(), "host" + std::to_string(i),
            [](std::string_view) {}, kShort_ms);
        if (!taken) return;
        held[i] = *std::move(taken);
        ++owners;
      });
    }
    for (std::thread& host : hosts) host.join();
    CHECK(owners == 1);
  }
}

TEST_CASE("batch lease: a signal ends the wait") {
  Leases bench;
  leave(bench, 1, "dead");
  bench.cancel.cancel(15);
  CHECK(bench.take("b") == "stopped by signal 15");
  CHECK_FALSE(bench.exists(2));
}

}  // namespace pedro
