#include "job/token_log.h"

#include <doctest/doctest.h>

namespace pedro {

TEST_CASE("token log: what came before the job, then line by line") {
  FakeFileSystem files;
  FakeClock clock;
  REQUIRE(files.make_folders("/job", 0700).ok());
  TokenLog log(files, clock);
  log.add({{"type", "tokenizer"}, {"by", "tiny"}});
  log.open("/job");
  clock.ms += 1500;
  log.add({{"type", "tokens"}, {"count", 3}});
  CHECK(log.status().ok());
  CHECK(*files.read("/job/tokens.jsonl", 10000) ==
        R"({"ts":"2023-11-14T22:13:20.000Z","type":"tokenizer","by":"tiny"})"
        "\n"
        R"({"ts":"2023-11-14T22:13:21.500Z","type":"tokens","count":3})"
        "\n");
}

TEST_CASE("token log: a job without traces has no file, and too many before it are counted") {
  FakeFileSystem files;
  FakeClock clock;
  REQUIRE(files.make_folders("/job", 0700).ok());
  TokenLog empty(files, clock);
  empty.open("/job");
  CHECK(files.info("/job/tokens.jsonl").kind == FileKind::kMissing);
  TokenLog log(files, clock);
  log.add({{"type", "small"}});
  log.add({{"text", std::string(TokenLog::kMaxKeptBytes, 'x')}});
  log.open("/job");
  const auto text = files.read("/job/tokens.jsonl", 10000);
  REQUIRE(text.ok());
  CHECK(text->find(R"("type":"small")") != std::string::npos);
  CHECK(text->ends_with(R"("type":"missing","events":1})"
                        "\n"));
}

TEST_CASE("token log: the first write that fails is told, and nothing is written after it") {
  FakeFileSystem files;
  FakeClock clock;
  TokenLog log(files, clock);
  log.open("/nowhere");
  log.add({{"type", "tokens"}});
  CHECK_FALSE(log.status().ok());
}

}  // namespace pedro
