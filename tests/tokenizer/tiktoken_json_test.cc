#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

#include "tokenizer/source_text.h"
#include "tokenizer/vocabulary_readers.h"

namespace pedro {
namespace {

constexpr const char* kGpt2Pattern =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+)";

std::string read_json_file(const std::string& json) {
  return to_text(read_tiktoken_json(json));
}

std::string with_specials(std::string_view specials) {
  return read_json_file(fmt::format(
      R"({{"pat_str": "a", "special_tokens": {{{}}}, "bpe_ranks": "! 1 YQ=="}})", specials));
}

std::string with_ranks(std::string_view ranks) {
  return read_json_file(fmt::format(R"({{"pat_str": "a", "bpe_ranks": "{}"}})", ranks));
}

}  // namespace

TEST_CASE("tiktoken json: patterns, ranks, special tokens, in any order") {
  CHECK(read_json_file(
            fmt::format(R"({{"bpe_ranks": "! 0 YQ== Yg==\n! 3 YWI=", "special_tokens":)"
                        R"( {{"<|endoftext|>": 2, "<x>": 5}}, "more": [1], "pat_str": "{}"}})",
                        kGpt2Pattern)) ==
        "bytes reference by gpt2 ignore_merges eos=2\n"
        "0 normal 'a'\n1 normal 'b'\n2 control '<|endoftext|>'\n3 normal 'ab'\n4 normal ''\n"
        "5 control '<x>'\n");
  CHECK(with_ranks("! 0 YQ==") == "bytes reference /a/ ignore_merges\n0 normal 'a'\n");
}

TEST_CASE("tiktoken json: Claude's is known by its special tokens") {
  CHECK(with_specials(R"("<EOT>": 0, "<META_START>": 2, "<META_END>": 3)") ==
        "bytes reference /a/ ignore_merges nfkc eos=0\n"
        "0 control '<EOT>'\n1 normal 'a'\n2 control '<META_START>'\n3 control '<META_END>'\n");
  CHECK(with_specials(R"("<META_START>": 2)") ==
        "bytes reference /a/ ignore_merges\n"
        "0 normal ''\n1 normal 'a'\n2 control '<META_START>'\n");
}

TEST_CASE("tiktoken json: files that are wrong") {
  struct Row {
    std::string found;
    std::string error;
  };
  std::string many;
  for (int i = 0; i <= 10'000; ++i) many += fmt::format("{}\"x{}\": {}", i == 0 ? "" : ", ", i, i);
  const Row rows[] = {
      {read_json_file(""), "1:1: expected an object, got the end of the text"},
      {read_json_file("[]"), "1:1: expected an object, got an array"},
      {read_json_file(R"({"bpe_ranks": ""})"), "/pat_str: it is missing"},
      {read_json_file(R"({"pat_str": ""})"), "/bpe_ranks: it is missing"},
      {read_json_file(R"({"pat_str": "a", "pat_str": "a"})"), "1:18: it appears twice"},
      {read_json_file(R"({"pat_str": 5, "bpe_ranks": ""})"),
       "1:13: expected a string, got a number"},
      {read_json_file(R"({"pat_str": "a", "bpe_ranks": 5})"),
       "1:31: expected a string, got a number"},
      {read_json_file(R"({"pat_str": "a", "bpe_ranks": "! 0 YQ==)"),
       "1:31: an unterminated string"},
      {read_json_file(R"({"pat_str": "a", "bpe_ranks": ""} x)"),
       "1:35: unexpected text after the end"},
      {with_ranks(""), "/bpe_ranks: there are no tokens"},
      {with_ranks("YQ=="), "/bpe_ranks: byte 31: expected a line of '!', a rank and tokens"},
      {with_ranks("! 0 YQ==\\n! x"),
       "/bpe_ranks: byte 41: expected a line of '!', a rank and tokens"},
      {with_ranks("! 0 YQ== Y"), "/bpe_ranks: byte 40: 'Y' is not base64"},
      {with_ranks("! 0 YQ==  YQ=="), "/bpe_ranks: byte 40: a token of 0 bytes"},
      {with_ranks("! 0 YQ==\\n! 0 Yg=="), "/bpe_ranks: byte 45: rank 0 appears twice"},
      {with_ranks("! 0 YQ== YQ=="), "/bpe_ranks: token 1 'a' is token 0 again"},
      {with_ranks("! 4098 YQ=="), "/bpe_ranks: byte 38: rank 4098 is too high for this file"},
      {with_ranks("! 9223372036854775807 YQ== YQ=="),
       "/bpe_ranks: byte 53: rank 9223372036854775807 is too high for this file"},
      {with_ranks("! 9223372036854775808 YQ=="),
       "/bpe_ranks: byte 31: expected a line of '!', a rank and tokens"},
      {with_specials("\"x\": \"y\""), "1:42: expected a whole number, got a string"},
      {with_specials("\"\": 0"), "1:41: special token '' cannot be token 0: it has no name"},
      {with_specials("\"x\": -1"), "1:42: special token 'x' cannot be token -1: ids end at 4097"},
      {with_specials("\"x\": 4098"),
       "1:42: special token 'x' cannot be token 4098: ids end at 4097"},
      {with_specials("\"x\": 1"), "1:42: special token 'x' cannot be token 1: that is 'a'"},
      {with_specials("\"x\": 0, \"y\": 0"),
       "1:50: special token 'y' cannot be token 0: that is 'x'"},
      {with_specials(many), "/special_tokens: 10001 of them, more than the limit of 10000"},
  };
  for (const Row& row : rows) CHECK(row.found == row.error);
}

}  // namespace pedro
