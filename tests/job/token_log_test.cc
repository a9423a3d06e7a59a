#include <doctest/doctest.h>

#include "job/journal.h"

namespace pedro {

TEST_CASE("token log: one line per event, and no file without events") {
  FakeFileSystem files;
  FakeClock clock;
  REQUIRE(files.make_folders("/job", 0700).ok());
  TokenLog log(files, clock);
  log.open("/job");
  CHECK(files.info("/job/tokens.jsonl").kind == FileKind::kMissing);
  log.add({{"type", "tokenizer"}, {"by", "tiny"}});
  clock.ms += 1500;
  log.add({{"type", "tokens"}, {"count", 3}});
  CHECK(log.status().ok());
  CHECK(*files.read("/job/tokens.jsonl", 10000) ==
        R"({"ts":"2023-11-14T22:13:20.000Z","type":"tokenizer","by":"tiny"})"
        "\n"
        R"({"ts":"2023-11-14T22:13:21.500Z","type":"tokens","count":3})"
        "\n");
}

TEST_CASE("token log: the first failed write is reported, and nothing is written after it") {
  FakeFileSystem files;
  FakeClock clock;
  TokenLog log(files, clock);
  log.open("/nowhere");
  log.add({{"type", "tokens"}});
  CHECK_FALSE(log.status().ok());
  REQUIRE(files.make_folders("/nowhere", 0700).ok());
  log.add({{"type", "tokens"}});
  CHECK(files.info("/nowhere/tokens.jsonl").kind == FileKind::kMissing);
}

}  // namespace pedro
