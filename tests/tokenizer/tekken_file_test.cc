#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

#include "base/text.h"
#include "tokenizer/source_text.h"
#include "tokenizer/vocabulary_readers.h"

namespace pedro {
namespace {

// A vocabulary of 6 tokens, 3 of them special.
constexpr const char* kConfig =
    R"("config": {"pattern": "a+", "num_vocab_tokens": 4, "default_vocab_size": 6,)"
    R"( "default_num_special_tokens": 3, "version": "v3"})";
constexpr const char* kVocab =
    R"("vocab": [{"rank": 0, "token_bytes": "YQ==", "token_str": "a"},)"
    R"( {"rank": 2, "token_bytes": "YWI=", "token_str": null}, {"token_bytes": "/w==", "rank": 1},)"
    R"( {"rank": 3, "token_bytes": "eA=="}])";

std::string read(const std::string& json) {
  return to_text(read_tekken(json));
}

std::string error_of_vocab(std::string_view entry) {
  return read(fmt::format("{{{},\n\"vocab\": [{}]}}", kConfig, entry));
}

std::string error_of_specials(std::string_view entry) {
  return read(fmt::format("{{{},{},\n\"special_tokens\": [{}]}}", kConfig, kVocab, entry));
}

std::string error_of_ranks(std::string_view lines) {
  return read(fmt::format("{{{}, \"bpe_ranks\": \"{}\"}}", kConfig, lines));
}

}  // namespace

TEST_CASE("tekken file: special tokens come first, tokens beyond the size are left out") {
  const std::string ranks = "3 normal 'a'\n4 normal '\\xff'\n5 normal 'ab'\n";
  const std::string old =
      "bytes reference /a+/ ignore_merges bos=1+ eos=2 unknown=0\n"
      "0 control '<unk>'\n1 control '<s>'\n2 control '</s>'\n" +
      ranks;
  CHECK(read(fmt::format("{{{},{}}}", kConfig, kVocab)) == old);
  CHECK(read(fmt::format("{{{}, \"image\": {{}}, {}, \"special_tokens\": null}}", kVocab,
                         kConfig)) == old);
  CHECK(error_of_specials(R"({"rank": 2, "token_str": "<s>", "is_control": true})") ==
        "bytes reference /a+/ ignore_merges bos=2+\n"
        "0 control '<SPECIAL_0>'\n1 control '<SPECIAL_1>'\n2 control '<s>'\n" +
            ranks);
}

TEST_CASE("tekken file: ranks in one string") {
  const std::string six =
      "bytes reference /a+/ ignore_merges bos=1+ eos=2 unknown=0\n"
      "0 control '<unk>'\n1 control '<s>'\n2 control '</s>'\n"
      "3 normal 'a'\n4 normal '\\xff'\n5 normal 'ab'\n";
  CHECK(error_of_ranks("! 0 YQ== /w== YWI= eA==") == six);
  CHECK(error_of_ranks("! 1 /w== YWI=\\n! 0 YQ==\\n") == six);
}

TEST_CASE("tekken file: its pattern is known") {
  const std::string pattern =
      R"([^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]*[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]+|)"
      R"([^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]+[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]*|)"
      R"(\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+)";
  const std::string json = replace_all(fmt::format("{{{},{}}}", kConfig, kVocab), "a+", pattern);
  CHECK(read(json).starts_with("bytes reference by tekken ignore_merges"));
}

TEST_CASE("tekken file: files that are wrong") {
  struct Row {
    std::string found;
    std::string error;
  };
  const auto with_config = [](std::string_view config) {
    return read(fmt::format("{{\"config\": {{{}}}, {}}}", config, kVocab));
  };
  const Row rows[] = {
      {read(""), "1:1: expected an object, got the end of the text"},
      {read("[]"), "1:1: expected an object, got an array"},
      {read("{}"), "/config: it is missing"},
      {read(fmt::format("{{{}}}", kConfig)), "/vocab: expected either this or /bpe_ranks"},
      {read(fmt::format("{{{},{},\"bpe_ranks\":\"\"}}", kConfig, kVocab)),
       "/vocab: expected either this or /bpe_ranks"},
      {read(fmt::format("{{{},{},\n{}}}", kConfig, kVocab, kVocab)), "2:1: it appears twice"},
      {read(fmt::format("{{{},{}}} x", kConfig, "\"vocab\": []")),
       "1:141: unexpected text after the end"},
      {read("{\"config\": 1, \"vocab\": []}"), "1:12: expected an object, got a number"},
      {with_config(R"("default_vocab_size": 6)"), "/config/pattern: it is missing"},
      {with_config(R"("pattern": "a")"),
       "/config/default_vocab_size: it is missing or out of range"},
      {with_config(R"("pattern": "a", "default_vocab_size": 2000001)"),
       "/config/default_vocab_size: it is missing or out of range"},
      {with_config(R"("pattern": "a", "default_vocab_size": -1)"),
       "/config/default_vocab_size: it is missing or out of range"},
      {with_config(R"("pattern": "a", "default_vocab_size": 6, "default_num_special_tokens": 7)"),
       "/config/default_num_special_tokens: it is missing or out of range"},
      {with_config(
           R"("pattern": "a", "default_vocab_size": 90000, "default_num_special_tokens": 20000)"),
       "/config/default_num_special_tokens: it is missing or out of range"},
      {with_config(R"("pattern": 5)"), "1:24: expected a string, got a number"},
      {error_of_vocab(""), "/vocab: there are no tokens"},
      {error_of_vocab("1"), "2:11: expected an object, got a number"},
      {error_of_vocab(R"({"rank": "0"})"), "2:20: expected a whole number, got a string"},
      {error_of_vocab(R"({"rank": 0})"), "2:20: an entry without rank or token_bytes ends here"},
      {error_of_vocab(R"({"token_bytes": "YQ=="})"),
       "2:27: an entry without rank or token_bytes ends here"},
      {error_of_vocab(R"({"rank": -1, "token_bytes": "YQ=="})"),
       "2:39: rank -1 is too high for this file"},
      {error_of_vocab(R"({"rank": 1999999, "token_bytes": "YQ=="})"),
       "2:44: rank 1999999 is too high for this file"},
      {error_of_vocab(R"({"rank": 0, "token_bytes": "?"})"), "2:38: '?' is not base64"},
      {error_of_vocab(R"({"rank": 0, "token_bytes": ""})"), "2:38: a token of 0 bytes"},
      {error_of_vocab(R"({"rank": 0, "token_bytes": "YQ=="}, {"rank": 0, "token_bytes": "Yg=="})"),
       "2:74: rank 0 appears twice"},
      {error_of_vocab(R"({"rank": 0, "token_bytes": "YQ=="}, {"rank": 1, "token_bytes": "YQ=="})"),
       "/vocab: token 1 'a' is token 0 again"},
      {error_of_ranks(""), "/vocab: there are no tokens"},
      {error_of_ranks("0 YQ=="), "/bpe_ranks: byte 142: expected a line of '!', a rank and tokens"},
      {error_of_ranks("! x YQ=="),
       "/bpe_ranks: byte 142: expected a line of '!', a rank and tokens"},
      {error_of_ranks("! 0 YQ== Y"), "/bpe_ranks: byte 151: 'Y' is not base64"},
      {error_of_ranks("! -1 YQ=="), "/bpe_ranks: byte 147: rank -1 is too high for this file"},
      {read(fmt::format("{{{}, \"bpe_ranks\": 5}}", kConfig)),
       "1:142: expected a string, got a number"},
      {error_of_specials("{}"), "2:20: an entry without rank or token_str ends here"},
      {error_of_specials(R"({"rank": 3, "token_str": "x"})"),
       "2:45: special token 'x' cannot have rank 3 of 3"},
      {error_of_specials(R"({"rank": -1, "token_str": "x"})"),
       "2:46: special token 'x' cannot have rank -1 of 3"},
      {error_of_specials(R"({"rank": 0, "token_str": ""})"),
       "2:45: special token '' cannot have rank 0 of 3"},
      {error_of_specials(R"({"rank": 0, "token_str": "x"}, {"rank": 0, "token_str": "y"})"),
       "2:76: special token 0 appears twice"},
  };
  for (const Row& row : rows) CHECK(row.found == row.error);
}

}  // namespace pedro
