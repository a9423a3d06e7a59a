#include <doctest/doctest.h>

#include "llm/extra_slots.h"

namespace pedro {
namespace {

// 1,000 evaluated and 100 generated tokens.
ServerPace pace(double prefill_ms, double decode_ms) {
  ServerPace pace;
  Usage usage;
  usage.prompt_tokens = 1000;
  usage.generated_tokens = 100;
  usage.prompt_ms = 1000 * prefill_ms;
  usage.generate_ms = 100 * decode_ms;
  pace.add(usage);
  return pace;
}

// 40 requests of 60 tokens after a common part, for three further slots.
WavePlan plan(double cold_tokens) {
  return {40, 60, 25, {cold_tokens, cold_tokens, cold_tokens}};
}

}  // namespace

TEST_CASE("wave width: an unknown pace asks for one reply after the other") {
  CHECK(wave_width(plan(0), ServerPace()) == 1);
}

TEST_CASE("wave width: a GPU uses all slots, a CPU only for short or cached prompts") {
  CHECK(wave_width(plan(3000), pace(0.5, 20)) == 4);
  CHECK(wave_width(plan(3000), pace(16, 80)) == 1);
  CHECK(wave_width(plan(0), pace(16, 80)) == 4);
}

TEST_CASE("wave width: no more requests than there are") {
  CHECK(wave_width({2, 60, 25, {0, 0, 0}}, pace(0.5, 20)) == 2);
  CHECK(wave_width({1, 60, 25, {0, 0, 0}}, pace(0.5, 20)) == 1);
  CHECK(wave_width({40, 60, 25, {}}, pace(0.5, 20)) == 1);
}

TEST_CASE("wave width: a server that was no faster is asked one after the other again") {
  ServerPace slow = pace(16, 80);
  Usage usage;
  usage.generated_tokens = 25;
  usage.generate_ms = 25 * 4 * 81;
  slow.add_together({usage, usage, usage, usage});
  CHECK(wave_width(plan(0), slow) == 1);
  CHECK(slow.decode_ms(4) == doctest::Approx(4 * 81));
}

TEST_CASE("wave width: short replies and cached prompts do not change the pace") {
  ServerPace known = pace(16, 80);
  Usage usage;
  usage.prompt_tokens = 1000;
  usage.cached_tokens = 990;
  usage.generated_tokens = 2;
  usage.prompt_ms = usage.generate_ms = 10'000;
  known.add(usage);
  CHECK(known.prefill_ms() == 16);
  CHECK(known.decode_ms() == 80);
}

}  // namespace pedro
