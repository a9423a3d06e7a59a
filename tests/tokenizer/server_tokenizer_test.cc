#include "tokenizer/server_tokenizer.h"

#include <doctest/doctest.h>

#include <type_traits>

#include "support/fake_tokenize.h"
#include "tokenizer/small_vocabulary.h"
#include "tokenizer/vocabulary_readers.h"

namespace pedro {
namespace {

using Ids = std::vector<TokenId>;

VocabularySource small() {
  const std::string file = small_gguf({"ab", "abc"});
  auto source = read_gguf_vocabulary(*GgufFile::open(file));
  REQUIRE(source.ok());
  return *source;
}

struct ServerTokenizerBench {
  ServerTokenizerBench()
      : fake(small()), tokenizer([this](auto& path, auto& body) { return fake(path, body); }) {}

  std::size_t requests() const { return fake.requests.size(); }

  FakeTokenize fake;
  ServerTokenizer tokenizer;
};

// Returns the error for a server that always gives this answer.
std::string error_of(const std::string& answer, std::span<const Passage> passages) {
  ServerTokenizer tokenizer(
      [&answer](const std::string&, const Json&) { return parse_json(answer); });
  const auto ids = tokenizer.encode_each(passages);
  return ids ? "" : ids.error().message;
}

// A Passage borrows its text.
static_assert(std::is_constructible_v<Passage, const std::string&>);
static_assert(!std::is_constructible_v<Passage, std::string>);
static_assert(!std::is_constructible_v<Passage, std::string, Specials>);

}  // namespace

TEST_CASE("server tokenizer: several texts in one request for each policy, counted exactly") {
  ServerTokenizerBench bench;
  const std::string_view only[] = {"<|im_end|>"};
  const Passage passages[] = {{"abc", Specials::kNone},
                              {"<s>abc", Specials::kAll},
                              {"", Specials::kNone},
                              {"ab", Specials::kNone},
                              {"abc<|im_end|>ab<s>", Specials::only(only)},
                              {"<|im_end|>", Specials::kAll}};
  const auto ids = bench.tokenizer.encode_each(passages);
  REQUIRE(ids.ok());
  CHECK(*ids ==
        std::vector<Ids>{{257}, {259, 257}, {}, {256}, {257, 260, 256, '<', 's', '>'}, {260}});
  CHECK(
      bench.fake.requests ==
      std::vector<std::string>{
          R"(/tokenize {"content":["abc",-1,"ab",-1,"abc",-1,"ab<s>"],"parse_special":false})",
          R"(/tokenize {"content":["<s>abc",-1,"<|im_end|>",-1,"<|im_end|>"],"parse_special":true})"});
}

TEST_CASE("server tokenizer: a text is requested once") {
  ServerTokenizerBench bench;
  CHECK(*bench.tokenizer.encode("abc", Specials::kNone) == Ids{257});
  CHECK(*bench.tokenizer.count("abc", Specials::kNone) == 1);
  CHECK(*bench.tokenizer.encode("abc", Specials::kNone) == Ids{257});
  CHECK(bench.requests() == 1);
  CHECK(*bench.tokenizer.encode("<s>", Specials::kNone) == Ids{'<', 's', '>'});
  CHECK(*bench.tokenizer.encode("<s>", Specials::kAll) == Ids{259});  // a different cache entry
  CHECK(bench.requests() == 3);
  CHECK(*bench.tokenizer.prompt_start() == Ids{259});
  CHECK(*bench.tokenizer.prompt_start() == Ids{259});
  CHECK(bench.requests() == 4);
}

TEST_CASE("server tokenizer: texts of more than a request are sent in several") {
  ServerTokenizerBench bench;
  const std::string text(ServerTokenizer::kRequestBytes / 2, 'x');
  const std::string long_text(ServerTokenizer::kRequestBytes + 1, 'y');
  const std::string other_text = text + "a";
  const std::string third_text = text + "b";
  const Passage passages[] = {{text}, {long_text}, {other_text}, {third_text}};
  const auto ids = bench.tokenizer.encode_each(passages);
  REQUIRE(ids.ok());
  for (std::size_t i = 0; i < 4; ++i) CHECK((*ids)[i].size() == passages[i].text.size());
  CHECK(bench.requests() == 4);
}

TEST_CASE("server tokenizer: texts of tokens, all in one request") {
  ServerTokenizerBench bench;
  const Ids ids = {257, 0xE2, 260};
  CHECK(*bench.tokenizer.pieces(ids) == std::vector<std::string>{"abc", "\xE2", "<|im_end|>"});
  CHECK(bench.fake.requests ==
        std::vector<std::string>{
            R"(/tokenize {"content":[257,226,260],"parse_special":false,"with_pieces":true})"});
  CHECK(*bench.tokenizer.piece(257) == "abc");
  CHECK(bench.requests() == 1);
  CHECK_FALSE(bench.tokenizer.piece(9999).ok());
  CHECK(*bench.tokenizer.is_control(260));
  CHECK_FALSE(*bench.tokenizer.is_control(257));
  CHECK(*bench.tokenizer.id_of("abc") == 257);
  CHECK(*bench.tokenizer.id_of("<s>") == 259);
  CHECK(*bench.tokenizer.id_of("nothing") == std::nullopt);
  CHECK(*bench.tokenizer.decode(ids) == "abc\xE2<|im_end|>");
}

TEST_CASE("server tokenizer: answers that cannot be are errors") {
  const Passage one[] = {{"a"}};
  const Passage two[] = {{"a"}, {"b"}};
  CHECK(error_of(R"({"tokens":[1]})", one) == "");
  CHECK(error_of(R"({"tokens":[1,-1,2]})", two) == "");
  CHECK(error_of(R"({})", one) == "/tokenize: the answer has no 'tokens'");
  CHECK(error_of(R"({"tokens":[1,2]})", two) ==
        "/tokenize: the answer has a different number of texts than were sent");
  CHECK(error_of(R"({"tokens":[1,-1,2,-1,3]})", two) ==
        "/tokenize: the answer has a different number of texts than were sent");
  for (const char* wrong : {"-2", "4294967296", "1.5", "\"a\"", "null"}) {
    CHECK(error_of(std::string(R"({"tokens":[)") + wrong + "]}", one) ==
          "/tokenize: the answer has an invalid token id");
  }
}

}  // namespace pedro
