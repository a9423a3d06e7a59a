#include "tokenizer/tiktoken_file.h"

#include <doctest/doctest.h>

#include <string>

#include "tokenizer/source_text.h"

namespace pedro {
namespace {

const RankFileRules kGpt2Rules{{"gpt2", {}}, {}};

}  // namespace

TEST_CASE("tiktoken file: ranks in any order, with holes, and special tokens") {
  const RankFileRules rules{{"", {"a+", "b"}}, {{"<|endoftext|>", 5}, {"<|x|>", 3}}};
  CHECK(to_text(read_tiktoken("YQ== 0\r\n/w== 2\nYWI= 1\n\n", rules)) ==
        "bytes reference /a+/ /b/ ignore_merges eos=5\n"
        "0 normal 'a'\n1 normal 'ab'\n2 normal '\\xff'\n3 control '<|x|>'\n4 normal ''\n"
        "5 control '<|endoftext|>'\n");
  CHECK(to_text(read_tiktoken("YQ== 0", kGpt2Rules)) ==
        "bytes reference by gpt2 ignore_merges\n0 normal 'a'\n");
}

TEST_CASE("tiktoken file: files that are wrong") {
  struct Row {
    std::string file;
    std::string error;
  };
  const Row rows[] = {
      {"", "1: there are no tokens"},
      {"\n\n", "1: there are no tokens"},
      {"YQ==", "1: expected base64, a blank and a rank"},
      {"YQ== 0\nYg==1", "2: expected base64, a blank and a rank"},
      {"YQ== x", "1: 'x' is not a rank"},
      {"YQ== ", "1: '' is not a rank"},
      {"YQ== -1", "1: '-1' is not a rank"},
      {"YQ== 1 2", "1: '1 2' is not a rank"},
      {"YQ== 1.5", "1: '1.5' is not a rank"},
      {"YQ== 2000000", "1: rank '2000000' is too high for this file"},
      {"YQ== 4098", "1: rank '4098' is too high for this file"},
      {"YQ== 99999999999999999999999",
       "1: rank '99999999999999999999999' is too high for this file"},
      {"YQ= 0", "1: 'YQ=' is not base64"},
      {"Y\xFF== 0", "1: 'Y\uFFFD==' is not base64"},
      {" 0", "1: a token of 0 bytes"},
      {std::string(200'000, 'A') + " 0",
       "1: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA...' is not base64"},
      {std::string(100'000, 'A') + " 0", "1: a token of 75000 bytes"},
      {"YQ== 0\nYg== 0", "2: rank 0 appears twice"},
      {"YQ== 0\nYQ== 1", "token 1 'a' is token 0 again"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.file.substr(0, 40));
    CHECK(to_text(read_tiktoken(row.file, kGpt2Rules)) == row.error);
  }
}

TEST_CASE("tiktoken file: special tokens that cannot be") {
  const auto error = [](const NamedToken& special) {
    return to_text(read_tiktoken("YQ== 0\n", {{"gpt2", {}}, {special}}));
  };
  CHECK(error({"<s>", 0}) == "special token '<s>' is token 0, as is 'a'");
  CHECK(error({"<s>", -1}) == "special token '<s>' cannot be token -1");
  CHECK(error({"<s>", 2'000'000}) == "special token '<s>' cannot be token 2000000");
  CHECK(error({"", 1}) == "special token '' cannot be token 1");
}

}  // namespace pedro
