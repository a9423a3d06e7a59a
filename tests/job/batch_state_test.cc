#include "job/batch_state.h"

#include <doctest/doctest.h>

#include "job/exit_code.h"
#include "support/temp_folder.h"

namespace pedro {

TEST_CASE("batch state: a task's last entry is found again, past a torn line") {
  const TempFolder folder;
  const std::string path = folder.at("state");
  FakeClock clock;
  {
    auto state = BatchState::open(clock, path);
    REQUIRE(state.ok());
    CHECK(state->find("a") == nullptr);
    TaskRecord record{.key = "a", .line = 3, .agent = "build", .process = {7, 9}};
    REQUIRE(state->note(record).ok());
    record.job = "the-job";
    REQUIRE(state->note(record).ok());
    TaskRecord other{
        .key = "b", .line = 4, .ended = true, .exit_code = 5, .outcome = "not_verified"};
    REQUIRE(state->note(other).ok());
    CHECK(BatchState::open(clock, path).error().message == path + ": another pedrocli is using it");
  }
  folder.write("state", folder.read("state") + R"({"type":"task.ended","key":"a","exi)");
  auto state = BatchState::open(clock, path);
  REQUIRE(state.ok());
  REQUIRE(state->find("a") != nullptr);
  CHECK(state->find("a")->job == "the-job");
  CHECK(state->find("a")->process.pid == 7);
  CHECK_FALSE(is_settled(*state->find("a")));
  CHECK(is_settled(*state->find("b")));
}

TEST_CASE("batch state: a first line that was torn anywhere is passed over, also later") {
  const FakeClock clock;
  const std::string whole = R"({"ts":"2026-03-01T12:00:00.000Z","type":"task.started","key":"a"})";
  for (std::size_t bytes = 0; bytes < whole.size(); ++bytes) {
    CAPTURE(bytes);
    const TempFolder folder;
    const std::string path = folder.write("state", whole.substr(0, bytes));
    for (const char* key : {"b", "c"}) {
      auto state = BatchState::open(clock, path);
      REQUIRE(state.ok());
      CHECK(state->note({.key = key, .line = 1, .ended = true}).ok());
    }
    auto state = BatchState::open(clock, path);
    REQUIRE(state.ok());
    CHECK(state->find("a") == nullptr);
    CHECK(state->find("b") != nullptr);
    CHECK(state->find("c") != nullptr);
  }
}

TEST_CASE("batch state: ends that running the task again would only repeat are settled") {
  for (int code = 0; code < 145; ++code) {
    const TaskRecord record{.key = "a", .ended = true, .exit_code = code};
    const bool could_work = code == kExitDone || code >= kExitNotVerified;
    const bool expected = could_work && code <= kExitBlocked;
    CHECK(is_settled(record) == expected);
  }
}

TEST_CASE("batch state: an unrelated file is refused and stays") {
  const TempFolder folder;
  const FakeClock clock;
  for (const char* text : {"my notes\n", "my notes", "{\"ts\":\"2026\"}\n", "{\"t\": 1}"}) {
    const std::string path = folder.write("state", text);
    CHECK(BatchState::open(clock, path).error().message ==
          path + ": is not a batch state; give another -state FILE, or remove it");
    CHECK(folder.read("state") == text);
  }
}

}  // namespace pedro
