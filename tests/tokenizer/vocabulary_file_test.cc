#include "tokenizer/vocabulary_file.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "support/heap_peak.h"
#include "tokenizer/gguf_builder.h"
#include "tokenizer/protobuf_builder.h"
#include "tokenizer/source_text.h"

namespace pedro {
namespace {

std::string read_bytes(const std::string& bytes, const std::string& name = "dir.x/name.end") {
  const auto source = read_vocabulary(bytes, name);
  if (!source) return source.error().message;
  return source->name + ": " + to_text(*source);
}

// The peak memory of reading `bytes`, relative to their size.
double share_of_memory(const std::string& bytes) {
  start_heap_peak();
  {
    const auto source = read_vocabulary(bytes, "cl100k_base.tiktoken");
    CAPTURE(to_text(source).substr(0, 200));
    CHECK(source.ok());
  }
  return static_cast<double>(heap_peak()) / static_cast<double>(bytes.size());
}

// The shortest different tokens for this count: three bytes, or three letters.
std::string three_bytes(std::uint32_t number) {
  std::string bytes(3, '\0');
  for (char& byte : bytes) {
    byte = static_cast<char>(number);
    number >>= 8U;
  }
  return bytes;
}

std::string letters(std::uint32_t number, std::size_t count) {
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (; text.size() < count; number /= 64) text += kAlphabet[number % 64];
  return text;
}

std::string base64(const std::string& three) {
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::uint32_t bits = 0;
  for (const char c : three) bits = bits << 8U | static_cast<unsigned char>(c);
  std::string text;
  for (int shift = 18; shift >= 0; shift -= 6) text += kAlphabet[bits >> shift & 63U];
  return text;
}

}  // namespace

TEST_CASE("vocabulary file: recognises the formats") {
  const std::string piece = ProtobufBuilder()
                                .message(1, make_piece("a", 1, 1))
                                .message(2, make_trainer_spec())
                                .message(3, make_normalizer_spec())
                                .bytes();
  CHECK(read_bytes(piece) ==
        "name: characters reference by none space_prefix escape_spaces\n0 normal 'a' 1\n");
  CHECK(read_bytes(GgufBuilder()
                       .text("tokenizer.ggml.model", "llama")
                       .texts("tokenizer.ggml.tokens", {"a"})
                       .bytes(),
                   "a.gguf") ==
        "a: characters llama.cpp by none space_prefix escape_spaces unknown=0\n0 normal 'a'\n");
  CHECK(read_bytes(" \n{\"version\": {\"model\": 1}, \"added_tokens\": [], \"model\": {\"vocab\": "
                   "{\"a\": 0, "
                   "\"aa\": 1}, \"merges\": [\"a a\"], \"byte_fallback\": true}}") ==
        "name: characters reference by none\n0 normal 'a'\n1 normal 'aa'\n0 + 0 = 1\n");
  CHECK(read_bytes("{\"config\": {\"pattern\": \"a\", \"default_vocab_size\": 2, "
                   "\"default_num_special_tokens\": 1}, \"bpe_ranks\": \"! 0 YQ==\"}",
                   "tekken") ==
        "tekken: bytes reference /a/ ignore_merges unknown=0\n0 control '<unk>'\n1 normal 'a'\n");
  CHECK(read_bytes("{\"bpe_ranks\": \"! 0 YQ==\", \"special_tokens\": {}, \"pat_str\": \"a\"}",
                   "claude.json") == "claude: bytes reference /a/ ignore_merges\n0 normal 'a'\n");
  CHECK(read_bytes("YQ== 0\nYg== 1\n", "x/cl100k_base.tiktoken") ==
        "cl100k_base: bytes reference by cl100k ignore_merges\n0 normal 'a'\n1 normal 'b'\n");
}

TEST_CASE("vocabulary file: a file of ranks with the rules of the caller") {
  const auto source = read_vocabulary("YQ== 0\n", "my.tiktoken", {{"", {"x"}}, {{"<s>", 1}}});
  CHECK(to_text(source) == "bytes reference /x/ ignore_merges\n0 normal 'a'\n1 control '<s>'\n");
}

TEST_CASE("vocabulary file: errors begin with the file") {
  struct Row {
    std::string bytes;
    std::string error;
  };
  const char* const unknown =
      "x.bin: not a vocabulary: neither GGUF, tokenizer.json, tekken.json, lines of base64 and "
      "rank, nor a SentencePiece model";
  const Row rows[] = {
      {"", "x.bin: the file is empty"},
      {"x", unknown},
      {"hello 5", unknown},
      {"YQ== x", unknown},
      {" 5", unknown},
      {"[1]", unknown},
      {std::string(1'000'000, 'A'), unknown},
      {"YQ== 0",
       "x.bin: a file of ranks does not define how text is split, and 'x' is not the name of a "
       "known one, such as 'cl100k_base'"},
      {"GGUF", "x.bin: byte 4: the version of 4 bytes, but only 0 are left"},
      {"\x0A", "x.bin: byte 1: the file ends inside a number"},
      {"{", "x.bin: 1:2: expected a name in quotes, got the end of the text"},
      {"{}",
       "x.bin: JSON, but neither a tokenizer.json (it has no 'model'), a tekken.json (it has no "
       "'config') nor tiktoken's (it has no 'pat_str'): there are no members"},
      {R"({"a": 0, "b": 1, "c": 2, "d": 3, "e": 4})",
       "x.bin: JSON, but neither a tokenizer.json (it has no 'model'), a tekken.json (it has no "
       "'config') nor tiktoken's (it has no 'pat_str'): there are 'a', 'b', 'c', 'd', ..."},
      {"{\"model\": 5}", "x.bin: 1:11: expected an object, got a number"},
      {"{\"vocab\": 5}", "x.bin: /config: it is missing"},
      {"{\"x\": " + std::string(100'000, '[') + "}",
       "x.bin: 1:134: JSON nested more than 128 deep"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.bytes.substr(0, 40));
    CHECK(read_bytes(row.bytes, "x.bin") == row.error);
  }
}

// Uses files that need as much memory as possible, in each format.
TEST_CASE("vocabulary file: no file takes more than twice its size in memory") {
  constexpr std::uint32_t kTokens = 200'000;
  constexpr double kMost = 2;

  std::string ranks;
  for (std::uint32_t i = 0; i < kTokens; ++i) {
    ranks += fmt::format("{} {}\n", base64(three_bytes(i)), i);
  }
  CHECK(share_of_memory(ranks) < kMost);

  const std::string config =
      "{\"config\":{\"pattern\":\"a\",\"default_vocab_size\":300000,"
      "\"default_num_special_tokens\":3},\"bpe_ranks\":\"! 0";
  std::string tekken = config;
  for (std::uint32_t i = 0; i < kTokens; ++i) tekken += " " + base64(three_bytes(i));
  CHECK(read_bytes(tekken + "\"}", "x") ==
        "x: /bpe_ranks: byte 98: 200001 tokens in 1000003 bytes");
  tekken = config;
  for (std::uint32_t i = 0; i < kTokens; ++i) {
    tekken += " " + base64(three_bytes(i)) + (i % 4 == 0 ? "AAAA" : "AAAAAAAA");
  }
  CHECK(share_of_memory(tekken + "\"}") < kMost);
  const std::string tiktoken =
      "{\"pat_str\":\"a\",\"bpe_ranks\":\"" + tekken.substr(tekken.find("! 0"));
  CHECK(share_of_memory(tiktoken + "\"}") < kMost);
  CHECK(share_of_memory(tiktoken + "\\n! 204000 YQ==\"}") < kMost);

  ProtobufBuilder model;
  for (std::uint32_t i = 0; i < kTokens; ++i) {
    model.message(1, ProtobufBuilder().text(1, letters(i, 3)).real(2, 1));
  }
  model.message(2, make_trainer_spec()).message(3, make_normalizer_spec());
  CHECK(share_of_memory(model.bytes()) < kMost);

  // All texts of one to three letters, and all merges that make one.
  std::string vocab;
  std::string merges;
  std::uint32_t id = 0;
  for (std::size_t length = 1, count = 64; length <= 3; ++length, count *= 64) {
    for (std::uint32_t i = 0; i < std::min<std::size_t>(count, kTokens); ++i) {
      const std::string text = letters(i, length);
      vocab += fmt::format(",\"{}\":{}", text, id++);
      for (std::size_t cut = 1; cut < length; ++cut) {
        merges += fmt::format(",\"{} {}\"", text.substr(0, cut), text.substr(cut));
      }
    }
  }
  CHECK(share_of_memory(fmt::format("{{\"model\":{{\"byte_fallback\":true,\"vocab\":{{{}}},"
                                    "\"merges\":[{}]}}}}",
                                    vocab.substr(1), merges.substr(1))) < kMost);

  std::vector<std::string> tokens;
  for (std::uint32_t i = 0; i < kTokens; ++i) tokens.push_back(letters(i, 3));
  CHECK(share_of_memory(GgufBuilder()
                            .text("tokenizer.ggml.model", "llama")
                            .texts("tokenizer.ggml.tokens", tokens)
                            .bytes()) < kMost);
}

}  // namespace pedro
