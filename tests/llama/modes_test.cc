// Tests each generation mode on a real llama-server whose model writes noise, which contains no
// calls by itself.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdlib>
#include <string>

#include "llama/opened_model.h"
#include "llama/short_calls.h"

namespace pedro {
namespace {

// Returns true if the reply is one valid call. Noise may write long texts: a seed per reply makes
// each run of the test the same.
bool calls_rightly(OpenedModel& served, const ShortCalls& calls, GenerationMode mode,
                   long long thinking_tokens = 0, std::string* thinking = nullptr) {
  static std::uint32_t seed = 0;
  const Reply reply = served.reply_to({.chat = served.chat,
                                       .calls = calls.branches,
                                       .mode = mode,
                                       .temperature = 1,
                                       .max_tokens = 600,
                                       .seed = ++seed,
                                       .thinking_tokens = thinking_tokens});
  CHECK(reply.usage.generated_tokens > 0);
  if (thinking != nullptr) *thinking += reply.thinking;
  if (reply.stop != StopReason::kEnd || reply.parts.size() != 1) return false;
  const auto* call = std::get_if<ParsedCall>(&reply.parts[0]);
  return call != nullptr && calls.check(*call).empty();
}

}  // namespace

TEST_CASE("modes: a model of noise never calls, except under a grammar or a schema") {
  const auto build = BuildPhases::load();
  REQUIRE(build.ok());
  const char* wanted = std::getenv("PEDROCLI_CALLS");
  const int count = wanted == nullptr ? 1 : std::atoi(wanted);
  for (const GenerationMode mode : {GenerationMode::kUnconstrained, GenerationMode::kSchema,
                                    GenerationMode::kGrammar, GenerationMode::kHybrid}) {
    CAPTURE(to_string(mode));
    OpenedModel served;
    CHECK(served.info.can.supports_constraints());
    int valid = 0;
    int all = 0;
    for (std::size_t phase = 0; phase < build->phases().size(); ++phase) {
      const ShortCalls calls(*build, phase, Bodies::kJson);
      for (int i = 0; i < count; ++i, ++all) valid += calls_rightly(served, calls, mode) ? 1 : 0;
    }
    MESSAGE(fmt::format("{}: {} of {} calls are valid; {} notices", to_string(mode), valid, all,
                        served.notices.size()));
    CHECK(served.evaluated_twice == 0);
    if (mode == GenerationMode::kUnconstrained) {
      CHECK(valid == 0);
    } else if (mode == GenerationMode::kSchema) {
      CHECK(valid > all / 2);  // as good as the server's own grammar
    } else {
      CHECK(valid == all);
    }
  }
}

// Noise ends tokens inside characters. A stream omits their ids, and a few guesses are wrong.
constexpr long long kGuessed = 24;

TEST_CASE("modes: noise that thinks is stopped, and calls then") {
  const auto build = BuildPhases::load();
  REQUIRE(build.ok());
  const ShortCalls calls(*build, 0, Bodies::kJson);
  OpenedModel served;
  std::string thinking;
  for (int i = 0; i < 5; ++i) {
    CHECK(calls_rightly(served, calls, GenerationMode::kGrammar, 40, &thinking));
  }
  CHECK_FALSE(thinking.empty());
  CHECK(served.evaluated_twice <= kGuessed);
  // A reply without thinking continues the conversation.
  thinking.clear();
  CHECK(calls_rightly(served, calls, GenerationMode::kGrammar, 0, &thinking));
  CHECK(thinking.empty());
  CHECK(served.evaluated_twice <= kGuessed);
}

TEST_CASE("modes: tokens that end inside a character are in the next prompt as they were") {
  OpenedModel served;
  long long before = 0;
  for (std::uint32_t round = 0; round < 4; ++round) {
    CAPTURE(round);
    const Reply reply = served.reply_to(
        {.chat = served.chat,
         .temperature = 1,
         .max_tokens = 200,
         .seed = round,
         .text_grammar = R"(root ::= "a \U0001F991é鿕" [一-龥😀-😿]{6} ".")"});
    CHECK(reply.text.starts_with("a 🦑é鿕"));
    CHECK(reply.text.ends_with("."));
    CHECK(reply.stop == StopReason::kEnd);
    CHECK(reply.usage.cached_tokens >= before);
    before = reply.usage.prompt_tokens + reply.usage.generated_tokens - 2;  // without its end
  }
  CHECK(served.evaluated_twice == 0);
}

}  // namespace pedro
