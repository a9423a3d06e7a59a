#include "tokenizer/traced_tokenizer.h"

#include <doctest/doctest.h>

#include "support/fake_tokenize.h"
#include "tokenizer/server_tokenizer.h"
#include "tokenizer/small_vocabulary.h"
#include "tokenizer/vocabulary_readers.h"

namespace pedro {
namespace {

struct TracedTokenizerBench {
  TracedTokenizerBench() {
    const std::string file = small_gguf({"ab", "abc"}, "tiny");
    auto source = read_gguf_vocabulary(*GgufFile::open(file));
    REQUIRE(source.ok());
    source->name = "tiny";
    fake.emplace(*source);
    trace.tokens = true;
    trace.sink = [this](TraceTopic, const std::string& text) { lines.push_back(text); };
    trace.record = [this](TraceTopic, const Json& event) { events.push_back(to_line(event)); };
  }

  std::optional<FakeTokenize> fake;
  FakeClock clock;
  Trace trace;
  std::vector<std::string> lines;
  std::vector<std::string> events;
};

}  // namespace

TEST_CASE("traced tokenizer: the text, the caller and the reason, each token with its text") {
  TracedTokenizerBench bench;
  TracedTokenizer traced(*bench.fake->tokenizer, "because", bench.trace, bench.clock);
  const Passage passages[] = {{"abc\n<s>", Specials::kNone, "user turn"},
                              {"<s>ab\xC3", Specials::kAll, "template"}};
  REQUIRE(traced.encode_each(passages).ok());
  CHECK(*traced.count("x", Specials::kNone) == 1);
  CHECK(bench.lines ==
        std::vector<std::string>{
            "by tiny: because",
            "user turn: 7 bytes by tiny in 0 us (2 texts together), specials none: 5 tokens "
            "257:\"abc\" 10:\"\\n\" 60:\"<\" 115:\"s\" 62:\">\"",
            "template: 6 bytes by tiny in 0 us (2 texts together), specials all: 3 tokens "
            "259!:\"<s>\" 256:\"ab\" 195:\"\\xC3\"",
            "text: 1 bytes by tiny in 0 us, specials none: 1 tokens 120:\"x\""});
  CHECK(
      bench.events ==
      std::vector<std::string>{
          R"({"type":"tokenizer","by":"tiny","why":"because"})",
          R"({"type":"tokens","what":"user turn","by":"tiny","specials":"none","bytes":7,"count":5,)"
          R"("us":0,"texts":2,"tokens":[{"id":257,"text":"abc"},{"id":10,"text":"\n"},)"
          R"({"id":60,"text":"<"},{"id":115,"text":"s"},{"id":62,"text":">"}]})",
          R"({"type":"tokens","what":"template","by":"tiny","specials":"all","bytes":6,"count":3,)"
          R"("us":0,"texts":2,"tokens":[{"id":259,"text":"<s>","control":true},)"
          R"({"id":256,"text":"ab"},{"id":195,"bytes":[195]}]})",
          R"({"type":"tokens","what":"text","by":"tiny","specials":"none","bytes":1,"count":1,)"
          R"("us":0,"tokens":[{"id":120,"text":"x"}]})"});
}

TEST_CASE("traced tokenizer: of many tokens the first and the last, and how many are missing") {
  TracedTokenizerBench bench;
  TracedTokenizer traced(*bench.fake->tokenizer, "because", bench.trace, bench.clock);
  constexpr std::size_t kShown = TracedTokenizer::kFirstTokens + TracedTokenizer::kLastTokens;
  REQUIRE(traced.encode(std::string(kShown, 'x'), Specials::kNone).ok());
  REQUIRE(traced.encode(std::string(kShown + 1000, 'x') + "ab", Specials::kNone).ok());
  const auto whole = parse_json(bench.events[1]);
  CHECK(member(*whole, "tokens").size() == kShown);
  CHECK(member(*whole, "missing").is_null());
  const auto cut = parse_json(bench.events[2]);
  CHECK(member(*cut, "tokens").size() == TracedTokenizer::kFirstTokens);
  CHECK(member(*cut, "last_tokens").size() == TracedTokenizer::kLastTokens);
  CHECK(number_of(*cut, "missing") == 1001);
  CHECK(number_of(*cut, "count") == static_cast<long long>(kShown) + 1001);
  CHECK(bench.lines[2].find(" 120:\"x\" [1001 tokens are not shown] 120:\"x\"") !=
        std::string::npos);
  CHECK(bench.lines[2].ends_with(" 256:\"ab\""));
}

TEST_CASE("traced tokenizer: a server is asked for the tokens' texts in one request") {
  TracedTokenizerBench bench;
  ServerTokenizer server([&bench](auto& path, auto& body) { return (*bench.fake)(path, body); });
  TracedTokenizer traced(server, "because", bench.trace, bench.clock);
  REQUIRE(traced.encode("abc ab x y z", Specials::kNone).ok());
  CHECK(bench.fake->requests.size() == 2);
  CHECK(
      bench.lines.back().ends_with("257:\"abc\" 32:\" \" 256:\"ab\" 32:\" \" 120:\"x\" 32:\" \" "
                                   "121:\"y\" 32:\" \" 122:\"z\""));
}

}  // namespace pedro
