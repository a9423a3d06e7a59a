#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tokenizer/gguf_builder.h"
#include "tokenizer/source_text.h"
#include "tokenizer/vocabulary_readers.h"

namespace pedro {
namespace {

using Texts = std::vector<std::string>;
using Kinds = std::vector<std::int32_t>;

std::string read(const GgufBuilder& builder) {
  const std::string bytes = builder.bytes();
  const auto file = GgufFile::open(bytes);
  REQUIRE(file.ok());
  return to_text(read_gguf_vocabulary(*file));
}

// A byte-level vocabulary with these tokens.
GgufBuilder of_bytes(const Texts& tokens, const Kinds& kinds, const Texts& merges = {"a b"}) {
  GgufBuilder builder;
  builder.text("tokenizer.ggml.model", "gpt2").text("tokenizer.ggml.pre", "gpt-2");
  builder.texts("tokenizer.ggml.tokens", tokens).texts("tokenizer.ggml.merges", merges);
  if (!kinds.empty()) builder.integers("tokenizer.ggml.token_type", kinds);
  return builder;
}

GgufBuilder of_characters(const Texts& tokens, const Kinds& kinds) {
  GgufBuilder builder;
  builder.text("tokenizer.ggml.model", "llama").texts("tokenizer.ggml.tokens", tokens);
  if (!kinds.empty()) builder.integers("tokenizer.ggml.token_type", kinds);
  return builder;
}

// The kinds of tokens with these texts, all of them user-defined (4) in the file.
std::string kinds_of(Texts texts, GgufBuilder builder = GgufBuilder()) {
  texts.insert(texts.begin(), {"a", "b", "ab"});
  Kinds kinds(texts.size(), 4);
  builder.text("tokenizer.ggml.model", "gpt2").text("tokenizer.ggml.pre", "gpt-2");
  builder.texts("tokenizer.ggml.tokens", texts).texts("tokenizer.ggml.merges", {"a b"});
  builder.integers("tokenizer.ggml.token_type", kinds);
  const std::string bytes = builder.bytes();
  const auto file = GgufFile::open(bytes);
  REQUIRE(file.ok());
  const auto source = read_gguf_vocabulary(*file);
  if (!source) return source.error().message;
  std::string out;
  for (std::size_t id = 3; id < texts.size(); ++id) {
    out += std::to_string(static_cast<int>(source->tokens[id].kind));
  }
  return out;
}

}  // namespace

TEST_CASE("gguf vocabulary: bytes by merges") {
  const GgufBuilder file = of_bytes({"a", "b", "Ġ", "ab", "Ġab", "<s>", "x y", "z", ""},
                                    {1, 1, 1, 1, 1, 3, 4, 5, 1}, {"a b", "Ġ ab", "a b"})
                               .number("tokenizer.ggml.bos_token_id", 5)
                               .number("tokenizer.ggml.eos_token_id", 2)
                               .truth("tokenizer.ggml.add_bos_token", true);
  CHECK(read(file) ==
        "bytes llama.cpp by gpt2 bos=5+ eos=2\n"
        "0 normal 'a'\n1 normal 'b'\n2 normal ' '\n3 normal 'ab'\n4 normal ' ab'\n"
        "5 control '<s>'\n6 user 'x y'\n7 unused 'z'\n8 normal '[EMPTY_8]'\n"
        "0 + 1 = 3\n2 + 3 = 4\n");
}

TEST_CASE("gguf vocabulary: letters outside of GPT-2's are spelled as llama.cpp does") {
  CHECK(read(of_bytes({"a", "b", "ab", "c d", "\u200D", "e f"}, {1, 1, 1, 1, 1, 4})) ==
        "bytes llama.cpp by gpt2\n"
        "0 normal 'a'\n1 normal 'b'\n2 normal 'ab'\n3 normal 'c[UNK_BYTE_0x20c d]d'\n"
        "4 normal '[UNK_BYTE_0xe2808d\u200D]'\n5 user 'e f'\n0 + 1 = 2\n");
}

TEST_CASE("gguf vocabulary: a merge is split at the first blank after its first letter") {
  GgufBuilder file;
  file.text("tokenizer.ggml.model", "gemma4")
      .texts("tokenizer.ggml.tokens", {" ", "a", " a", " a a"})
      .texts("tokenizer.ggml.merges", {"  a", " a  a"});
  CHECK(read(file) ==
        "characters llama.cpp by newlines escape_spaces\n"
        "0 normal ' '\n1 normal 'a'\n2 normal ' a'\n3 normal ' a a'\n0 + 1 = 2\n2 + 2 = 3\n");
}

TEST_CASE("gguf vocabulary: Gemma 4 is of characters, has bytes and always begins with BOS") {
  GgufBuilder file;
  file.text("tokenizer.ggml.model", "gemma4")
      .texts("tokenizer.ggml.tokens", {"<bos>", "\u2581", "a", "\u2581a", "<0x0A>"})
      .integers("tokenizer.ggml.token_type", {3, 1, 1, 1, 6})
      .texts("tokenizer.ggml.merges", {"\u2581 a"})
      .number("tokenizer.ggml.bos_token_id", 0)
      .truth("tokenizer.ggml.add_bos_token", false);
  CHECK(read(file) ==
        "characters llama.cpp by newlines escape_spaces bos=0+\n"
        "0 control '<bos>'\n1 normal '\u2581'\n2 normal 'a'\n3 normal '\u2581a'\n4 byte '\\x0a'\n"
        "1 + 2 = 3\n");
}

TEST_CASE("gguf vocabulary: characters by score") {
  const GgufBuilder file =
      of_characters({"<unk>", "<s>", "</s>", "<0xfF>", "a", "\u2581a"}, {2, 3, 3, 6, 1, 1})
          .reals("tokenizer.ggml.scores", {0, 0, 0, 0, -1, -0.5F});
  CHECK(read(file) ==
        "characters llama.cpp by none space_prefix escape_spaces bos=1+ eos=2 unknown=0\n"
        "0 unknown '<unk>'\n1 control '<s>'\n2 control '</s>'\n3 byte '\\xff'\n"
        "4 normal 'a' -1\n5 normal '\u2581a' -0.5\n");
  CHECK(read(of_characters({"a", "b"}, {})
                 .truth("tokenizer.ggml.add_space_prefix", false)
                 .truth("tokenizer.ggml.add_bos_token", false)
                 .truth("tokenizer.ggml.add_eos_token", true)
                 .integers("tokenizer.ggml.scores", {5, -5})) ==
        "characters llama.cpp by none escape_spaces bos=1 unknown=0\n"
        "0 normal 'a' 5\n1 normal 'b' -5\n");
}

TEST_CASE("gguf vocabulary: ids of special tokens that are out of range are the defaults") {
  Texts tokens = {"a", "b", "ab"};
  CHECK(read(of_bytes(tokens, {}).number("tokenizer.ggml.bos_token_id", 0xFFFFFFFF)) ==
        "bytes llama.cpp by gpt2\n0 normal 'a'\n1 normal 'b'\n2 normal 'ab'\n0 + 1 = 2\n");
  for (char c = 'c'; c <= 'k'; ++c) tokens.emplace_back(1, c);
  const auto first_line = [](const GgufBuilder& file) {
    const std::string text = read(file);
    return text.substr(0, text.find('\n'));
  };
  CHECK(first_line(of_bytes(tokens, {}).number("tokenizer.ggml.bos_token_id", 0xFFFFFFFF)) ==
        "bytes llama.cpp by gpt2 bos=11 eos=11");
  GgufBuilder glm;
  glm.text("tokenizer.ggml.model", "gpt2").text("tokenizer.ggml.pre", "glm4");
  glm.texts("tokenizer.ggml.tokens", tokens).texts("tokenizer.ggml.merges", {"a b"});
  CHECK(first_line(glm) == "bytes llama.cpp by llama3 eos=11");
  GgufBuilder llama3;
  llama3.text("tokenizer.ggml.model", "gpt2").text("tokenizer.ggml.pre", "llama-bpe");
  llama3.texts("tokenizer.ggml.tokens", tokens).texts("tokenizer.ggml.merges", {"a b"});
  CHECK(first_line(llama3) == "bytes llama.cpp by llama3 ignore_merges bos=11+ eos=11");
}

TEST_CASE("gguf vocabulary: kinds that llama.cpp changes") {
  CHECK(kinds_of({"<x>"}) == "4");
  CHECK(kinds_of({"<|im_end|>", "</s>", "<｜end▁of▁sentence｜>", "[e~["}) == "3333");
  CHECK(kinds_of({"<|channel|>", "<|message|>", "<|start|>", "<|constrain|>"}) == "4444");
  CHECK(kinds_of({"<|end|>"}) == "3");
  CHECK(kinds_of({"<|end|>", "<|return|>"}) == "33");
  CHECK(kinds_of({"<|end|>", "<|return|>", "<|call|>"}) == "433");
  CHECK(kinds_of({"<|end|>", "<|flush|>", "<|calls|>"}) == "433");
  CHECK(kinds_of({"</s>", "<|tool_response>"}) == "13");
  CHECK(kinds_of({"<|fim_prefix|>", "<PRE>", "<|fim_suffix|>", "<|file_sep|>"}) == "3433");
  CHECK(kinds_of({"<PRE>", "<|fim_prefix|>"}) == "34");
  CHECK(kinds_of({"<PRE>", "<MID>"}, GgufBuilder().number("tokenizer.ggml.prefix_token_id", 1)) ==
        "43");
  CHECK(kinds_of({"<PRE>"}, GgufBuilder().number("tokenizer.ggml.fim_pre_token_id", 99)) == "3");
  CHECK(kinds_of({"<PRE>"}, GgufBuilder().text("tokenizer.ggml.fim_pre_token_id", "x")) ==
        "tokenizer.ggml.fim_pre_token_id: it is of type string, not an integer");
}

TEST_CASE("gguf vocabulary: files that are wrong") {
  const auto model = [](std::string_view name) {
    return GgufBuilder().text("tokenizer.ggml.model", name);
  };
  const Texts ab = {"a", "b", "ab"};
  struct Row {
    GgufBuilder file;
    std::string error;
  };
  const Row rows[] = {
      {GgufBuilder(), "tokenizer.ggml.model: there is no such key: the file has no vocabulary"},
      {GgufBuilder().number("tokenizer.ggml.model", 1),
       "tokenizer.ggml.model: it is of type uint32, not string"},
      {model("bert"), "tokenizer.ggml.model: vocabularies of kind 'bert' cannot be read"},
      {model("t5"), "tokenizer.ggml.model: vocabularies of kind 't5' cannot be read"},
      {model("gpt3"), "tokenizer.ggml.model: unknown kind of vocabulary 'gpt3'"},
      {model("gpt2"), "tokenizer.ggml.tokens: there is no such key"},
      {model("gpt2").integers("tokenizer.ggml.tokens", {1}),
       "tokenizer.ggml.tokens: it is of type array of int32, not array of string"},
      {model("llama").texts("tokenizer.ggml.tokens", {}),
       "tokenizer.ggml.tokens: 0 tokens, expected 1 to 2000000"},
      {of_bytes(ab, {1, 1}), "tokenizer.ggml.token_type: 2 values for 3 tokens"},
      {of_bytes(ab, {}).reals("tokenizer.ggml.token_type", {1, 1, 1}),
       "tokenizer.ggml.token_type: it is of type array of float32, not array of int32"},
      {of_characters(ab, {}).reals("tokenizer.ggml.scores", {1}),
       "tokenizer.ggml.scores: 1 values for 3 tokens"},
      {of_bytes({"a", "b", "ab", "a"}, {}), "tokenizer.ggml.tokens: token 3 'a' is token 0 again"},
      {of_characters({"", "[EMPTY_0]"}, {}),
       "tokenizer.ggml.tokens: token 1 '[EMPTY_0]' is token 0 again"},
      {of_bytes(ab, {}, {"ab"}),
       "tokenizer.ggml.merges: merge 0 'ab': there is no blank between two tokens"},
      {of_bytes(ab, {}, {"a b", "b a"}),
       "tokenizer.ggml.merges: merge 1 'b a': 'ba' is not in the vocabulary"},
      {of_bytes(ab, {}, {"c b"}),
       "tokenizer.ggml.merges: merge 0 'c b': 'c' is not in the vocabulary"},
      {of_bytes(ab, {}, {"a "}),
       "tokenizer.ggml.merges: merge 0 'a ': '' is not in the vocabulary"},
      {of_bytes(ab, {}, {}), "tokenizer.ggml.merges: there are none"},
      {model("gpt2").texts("tokenizer.ggml.tokens", ab), "tokenizer.ggml.merges: there are none"},
      {of_characters({"a", "<0x0>"}, {1, 6}),
       "tokenizer.ggml.tokens: token 1 '<0x0>' is a byte, but not written as <0x0A>"},
      {of_characters({std::string(65'537, 'a')}, {}),
       "tokenizer.ggml.tokens: token 0 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...' has 65537 "
       "bytes"},
      {of_bytes({"a", "b", "ab", std::string(2000, ' ')}, {}),
       "tokenizer.ggml.tokens: token 3 '                                        ...' becomes too "
       "long when spelled out"},
      {model("gpt2").text("tokenizer.ggml.pre", "qwen").texts("tokenizer.ggml.tokens", ab),
       "tokenizer.ggml.pre: unknown pre-tokenizer 'qwen' (close names: 'qwen2', 'qwen35')"},
      {of_bytes(ab, {}).text("tokenizer.ggml.bos_token_id", "1"),
       "tokenizer.ggml.bos_token_id: it is of type string, not an integer"},
      {of_bytes(ab, {}).number("tokenizer.ggml.add_bos_token", 1),
       "tokenizer.ggml.add_bos_token: it is of type uint32, not bool"},
  };
  for (const Row& row : rows) CHECK(read(row.file) == row.error);
}

TEST_CASE("gguf vocabulary: texts that are spelled out cannot fill the memory") {
  Texts tokens = {"a", "b", "ab"};
  for (int i = 0; i < 200; ++i) tokens.push_back(std::string(100, ' ') + std::to_string(i));
  CHECK(read(of_bytes(tokens, {})).ends_with("becomes too long when spelled out"));
}

TEST_CASE("gguf vocabulary: Phi-3's special tokens take the white space after them") {
  const Texts tokens = {"<unk>", "<s>", "</s>", "<|endoftext|>", "<|end|>", "a", "<|user|>"};
  const Kinds kinds = {2, 3, 1, 3, 3, 1, 4};
  const auto stripping = [&](const char* name) {
    const std::string bytes = of_characters(tokens, kinds).text("general.name", name).bytes();
    const auto source = read_gguf_vocabulary(*GgufFile::open(bytes));
    REQUIRE(source.ok());
    return source->strip_behind;
  };
  const std::vector<TokenId> all = {2, 4, 6};
  CHECK(stripping("Phi-3 mini") == all);
  CHECK(stripping("my PHI3") == all);
  CHECK(stripping("phi 3").empty());
}

}  // namespace pedro
