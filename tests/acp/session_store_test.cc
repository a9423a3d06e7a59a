#include "acp/session_store.h"

#include <doctest/doctest.h>

namespace pedro::acp {

TEST_CASE("sessions: added entries are read back; damaged lines are skipped") {
  FakeFileSystem files;
  FakeClock clock;
  SessionStore store(files, "/state");
  CHECK(store.ids()->empty());
  int random = 0;
  const auto next = [&] { return static_cast<std::uint32_t>(random++ / 2); };  // one id twice
  const std::string first = *store.create(clock, "/p", next);
  const std::string second = *store.create(clock, "/q", next);
  CHECK(first != second);
  CHECK(store.ids()->size() == 2);
  REQUIRE(store.set_mode(first, "build").ok());
  REQUIRE(store.add_message(first, "before any turn").ok());
  REQUIRE(store.add_turn(first, "Fix it\nnow").ok());
  REQUIRE(store.add_job(first, "20261127-031500-042-build-7f3a").ok());
  REQUIRE(store.add_job(first, "../../etc").ok());
  REQUIRE(store.add_cancelled(first).ok());
  REQUIRE(files.append(store.folder(first) + "/session.jsonl", "{\"type\":\"turn\",\"pro").ok());
  REQUIRE(store.add_turn(first, "Thanks").ok());
  REQUIRE(store.add_message(first, "no server").ok());
  const auto session = store.load(first);
  REQUIRE(session.ok());
  CHECK(session->cwd == "/p");
  CHECK(session->mode == "build");
  CHECK(session->title == "Fix it");
  REQUIRE(session->turns.size() == 2);
  CHECK(session->turns[0].prompt == "Fix it\nnow");
  CHECK(session->turns[0].job == "20261127-031500-042-build-7f3a");
  CHECK(session->turns[0].cancelled);
  CHECK(session->turns[1].message == "no server");
  CHECK_FALSE(session->turns[1].cancelled);
}

TEST_CASE("sessions: an invalid or unknown session id is an error") {
  FakeFileSystem files;
  const SessionStore store(files, "/state");
  for (const char* id : {"", "../jobs", "20261127-031500-042-session-7f3a"}) {
    const auto session = store.load(id);
    REQUIRE_FALSE(session.ok());
    CHECK(session.error().kind == ErrorKind::kUsage);
  }
}

}  // namespace pedro::acp
