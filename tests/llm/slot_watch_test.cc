#include "llm/slot_watch.h"

#include <doctest/doctest.h>

#include "support/loopback_server.h"

namespace pedro {
namespace {

LoopbackReply slot(int decoded, int processed) {
  const Json json = Json::array({{{"id", 1}, {"next_token", {{"n_decoded", 9}}}},
                                 {{"id", 0},
                                  {"n_prompt_tokens", 100},
                                  {"n_prompt_tokens_cache", 40},
                                  {"n_prompt_tokens_processed", processed},
                                  {"next_token", {{"n_decoded", decoded}}}}});
  return {.body = to_line(json)};
}

struct SlotWatchBench {
  explicit SlotWatchBench(std::initializer_list<LoopbackReply> replies) : server(replies) {
    events.on_prefill = [this](long long done, long long total) {
      heard += std::to_string(done) + "/" + std::to_string(total) + " ";
    };
    events.on_generated = [this](long long tokens) { heard += std::to_string(tokens) + " "; };
    ServerOptions options;
    options.url = server.url("");
    options.retry.max_attempts = 1;
    client.emplace(http, options, cancel);
    watch.emplace(*client, 0, events, clock, 10);
  }
  /// The next look, `seconds` after the last.
  bool look(long long seconds) {
    clock.ms += seconds * 1000;
    return watch->look();
  }

  LoopbackServer server;
  CurlHttp http;
  CancelToken cancel;
  FakeClock clock;
  GenerateEvents events;
  std::string heard;
  std::optional<LlamaClient> client;
  std::optional<SlotWatch> watch;
};

}  // namespace

TEST_CASE("slot_watch: tells how far the prompt is, then how many tokens there are") {
  SlotWatchBench bench({slot(0, 10), slot(0, 60), slot(3, 60)});
  CHECK(bench.look(1));
  CHECK(bench.look(1));
  CHECK(bench.look(1));
  CHECK(bench.heard == "50/100 100/100 3 ");
}

TEST_CASE("slot_watch: gives up where nothing moves for the idle timeout") {
  SlotWatchBench bench({slot(2, 60), slot(3, 60), slot(3, 60), slot(3, 60)});
  CHECK(bench.look(9));
  CHECK(bench.look(9));
  CHECK(bench.look(9));
  CHECK_FALSE(bench.look(2));
}

TEST_CASE("slot_watch: an answer that fails is one in which nothing has moved") {
  SlotWatchBench bench({slot(1, 60), {.status = 500}, {.body = "[]"}, {.body = "{"}, slot(2, 60)});
  for (int i = 0; i < 4; ++i) CHECK(bench.look(3));
  CHECK(bench.look(3));
  CHECK(bench.heard.starts_with("1 2 "));
}

}  // namespace pedro
