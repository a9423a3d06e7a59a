#include "tokenizer/pre_tokenizer_table.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "base/text.h"

namespace pedro {
namespace {

std::string cut_of(const PreTokenizer& pre) {
  return pre.scanner.empty() ? std::to_string(pre.patterns.size()) + " patterns" : pre.scanner;
}

}  // namespace

TEST_CASE("pre-tokenizers: all names of GGUF files") {
  struct Row {
    const char* names;
    const char* cut;
  };
  const Row rows[] = {
      {"llama3 llama-v3 llama-bpe falcon3 falcon-h1 pixtral midm-2.0 lfm2 jina-v5-nano", "llama3"},
      {"dbrx smaug-bpe glm4 chatglm-bpe", "llama3"},
      {"deepseek-v3 hunyuan-dense joyai-llm hy_v4", "deepseek3"},
      {"starcoder refact command-r smollm codeshell exaone minerva-7b mellum2", "starcoder"},
      {"gpt-2 phi-2 jina-es jina-de gigachat jina-v2-es jina-v2-de a.x-4.0 mellum modern-bert",
       "gpt2"},
      {"jina-v1-en jina-v2-code roberta-bpe exaone4 mpt olmo jais trillion granite-docling",
       "gpt2"},
      {"stablelm2 qwen2 deepseek-r1-qwen kormo f2llmv2 megrez hunyuan solar-open grok-2", "qwen2"},
      {"qwen35", "qwen35"},
      {"tekken", "tekken"},
      {"gpt-4o llama4 kanana2 talkie minimax-m2", "o200k"},
      {"gemma4 granite-embed-multi-311m sarvam-moe", "newlines"},
      {"jais-2 poro-chat bloom gpt3-finnish granite-embed-multi-97m kimi-k2 bailingmoe",
       "1 patterns"},
      {"bailingmoe2 llada-moe seed-coder ufakzeka exaone-moe whitespace", "1 patterns"},
      {"youtu viking superbpe laguna minicpm5", "2 patterns"},
      {"falcon tiny_aya cohere2moe", "3 patterns"},
      {"spark2_5 afmoe default", "4 patterns"},
      {"deepseek-coder", "5 patterns"},
      {"deepseek-llm chameleon", "6 patterns"},
  };
  std::size_t count = 0;
  for (const Row& row : rows) {
    for (const std::string_view name : split(row.names, ' ')) {
      const auto pre = gguf_pre_tokenizer(name);
      CAPTURE(name);
      REQUIRE(pre.ok());
      CHECK(cut_of(pre->pre_tokenizer) == row.cut);
      ++count;
    }
  }
  CHECK(count == 90);
}

TEST_CASE("pre-tokenizers: other properties of a name") {
  const auto names_with = [](bool GgufPreTokenizer::*member, const char* names) {
    std::string with;
    for (const std::string_view name : split(names, ' ')) {
      if (gguf_pre_tokenizer(name).value().*member) with += std::string(name) + " ";
    }
    return with;
  };
  const char* const names =
      "llama3 dbrx youtu tekken chameleon minicpm5 granite-embed-multi-97m glm4 gemma4 sarvam-moe "
      "whitespace qwen2 default";
  CHECK(names_with(&GgufPreTokenizer::ignore_merges, names) ==
        "llama3 youtu tekken minicpm5 granite-embed-multi-97m ");
  CHECK(names_with(&GgufPreTokenizer::add_bos, names) == "llama3 tekken chameleon ");
  CHECK(names_with(&GgufPreTokenizer::always_bos, names) == "gemma4 ");
  CHECK(names_with(&GgufPreTokenizer::escape_spaces, names) == "gemma4 sarvam-moe ");
  CHECK(gguf_pre_tokenizer("whitespace")->symbols == Symbols::kCharacters);
  CHECK(gguf_pre_tokenizer("gemma4")->symbols == Symbols::kCharacters);
  CHECK(gguf_pre_tokenizer("default")->symbols == Symbols::kBytes);
  CHECK_FALSE(gguf_pre_tokenizer("glm4")->has_default_bos);
  CHECK(gguf_pre_tokenizer("")->pre_tokenizer == gguf_pre_tokenizer("default")->pre_tokenizer);
}

TEST_CASE("pre-tokenizers: patterns as they are, and as llama.cpp reads them") {
  const auto patterns = [](const char* name) {
    return gguf_pre_tokenizer(name)->pre_tokenizer.patterns;
  };
  using Patterns = std::vector<std::string>;
  CHECK(patterns("falcon") ==
        Patterns{R"([\p{P}\$\+<=>\^~\|`]+)",
                 R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S))",
                 "[0-9][0-9][0-9]"});
  CHECK(patterns("deepseek-coder") == Patterns{R"([\r\n])", R"(\s?\p{L}+)", R"(\s?\p{P}+)",
                                               R"((?:(?!\s)[一-龥ࠀ-一가-퟿])+)",
                                               R"(\p{N})"});
  CHECK(patterns("whitespace") == Patterns{R"(\S+)"});
  CHECK(patterns("superbpe") == Patterns{R"(\p{N}+)", "(?=([0-9]{3})+(?![0-9]))"});
  const Patterns by_threes = {R"(\p{N}+)", R"(^\p{N}{1,2}(?=(?:\p{N}{3})+$)|\p{N}{3})"};
  for (const char* name : {"afmoe", "tiny_aya"}) {
    const Patterns all = patterns(name);
    CHECK(Patterns(all.begin(), all.begin() + 2) == by_threes);
    CHECK(all.back().find("p{Lu}") == std::string::npos);
  }
  CHECK(patterns("tiny_aya")[2].starts_with(
      R"([^\r\n\p{L}\p{N}]?[\p{L}\p{L}\p{L}\p{L}\p{M}]*[\p{L}\p{L}\p{L}\p{M}]+)"));
  CHECK(patterns("kimi-k2")[0].find(R"((?:(?![\x{3400}-)") != std::string::npos);
}

TEST_CASE("pre-tokenizers: an unknown name, with close ones") {
  const auto error = [](const char* name) { return gguf_pre_tokenizer(name).error().message; };
  CHECK(error("qwen3") == "unknown pre-tokenizer 'qwen3' (close names: 'qwen2', 'qwen35')");
  CHECK(error("llama") ==
        "unknown pre-tokenizer 'llama' (close names: 'llama3', 'llama4', 'llama-v3')");
  CHECK(error("gpt2") == "unknown pre-tokenizer 'gpt2' (close names: 'gpt-2')");
  CHECK(error("something-else") == "unknown pre-tokenizer 'something-else'");
  CHECK(error("GPT-2\n") == "unknown pre-tokenizer 'GPT-2 '");
}

TEST_CASE("pre-tokenizers: known patterns are scanners") {
  struct Row {
    std::vector<std::string> patterns;
    std::string scanner;
  };
  const std::string gpt2 =
      R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";
  const std::string deepseek_words =
      "[!\"#$%&'()*+,\\-./"
      ":;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\r\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]"
      "+| ?[\\p{P}\\p{S}]+[\r\n]*|\\s*[\r\n]+|\\s+(?!\\S)|\\s+";
  const Row rows[] = {
      {{gpt2}, "gpt2"},
      {{R"(\p{N})", gpt2}, "starcoder"},
      {{gpt2, R"(\p{N})"}, ""},
      {{R"(\p{N}{1,3})", "[一-龥぀-ゟ゠-ヿ]+", deepseek_words}, "deepseek3"},
      {{R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|)"
        R"(\s*[\r\n]+|\s+(?!\S)|\s+)"},
       "qwen2"},
      {{R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}|)"
        R"( ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)"},
       "llama3"},
      {{R"('(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+|)"
        R"( ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s)"},
       "cl100k"},
      {{"[^\\n]+|[\n]+"}, "newlines"},
      {{"\\p{N}\n" + gpt2}, ""},
      {{}, ""},
      {{""}, ""},
      {{"a"}, ""},
  };
  for (const Row& row : rows) CHECK(scanner_of(row.patterns) == row.scanner);
  CHECK(scanner_of_ranks("p50k_base") == "gpt2");
  CHECK(scanner_of_ranks("o200k_harmony") == "o200k");
  CHECK(scanner_of_ranks("cl100k") == "");
}

}  // namespace pedro
