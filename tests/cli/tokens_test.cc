// Tests the exact output and every exit code of `pedrocli tokens`. The vocabulary is a cl100k file:
// all bytes and a few more tokens.
#include <algorithm>

#include "base/json.h"
#include "base/text.h"
#include "cli/program.h"
#include "cli/rank_file.h"

namespace pedro {
namespace {

// All bytes, "ab" and "abc", after two special tokens of the real vocabulary.
std::string claude_json() {
  std::string words;
  const std::string ranks = rank_file({"ab", "abc"});
  for (const std::string_view line : split_lines(ranks)) {
    words += " " + std::string(line.substr(0, line.find(' ')));
  }
  return R"({"pat_str": "\\S+|\\s+", "special_tokens": {"<META_START>": 0, "<META_END>": 1}, )"
         R"("bpe_ranks": "! 2)" +
         words + "\"}";
}

void write_token_files(const Program& program) {
  program.folder.write("project/cl100k_base.tiktoken", rank_file({"ab", "abc", " abc"}));
  program.folder.write("project/r50k_base.tiktoken", rank_file({"ab", "ac"}));
  program.folder.write("cache/pedrocli/vocab-files/o200k_base.tiktoken", rank_file({"ab", "abc"}));
  program.folder.write("cache/pedrocli/vocab-files/claude.json", claude_json());
  program.folder.write("project/text", "abc abc\n");
  program.folder.write("project/broken.tiktoken", "YQ== 0\nnonsense\n");
}

struct TokensRow {
  std::string name;
  std::vector<std::string> args;  // after `tokens`
  std::string input;
  int exit_code;
  std::string out;
  std::string err;
};

const std::string kVocab = "-vocab=cl100k_base.tiktoken";

}  // namespace

TEST_CASE("tokens: count, encode, decode, show, compare") {
  Program program;
  write_token_files(program);
  const TokensRow rows[] = {
      {"counts a file", {"count", kVocab, "text"}, "", 0, "      3 text\n", ""},
      {"counts standard input", {"count", kVocab, "-"}, "abcab", 0, "      2\n", ""},
      {"sums several up",
       {"count", kVocab, "text", "-"},
       "x",
       0,
       "      3 text\n      1\n      4 total\n",
       ""},
      {"counts what is no UTF-8", {"count", kVocab, "-"}, "\xFF\xFE", 0, "      2\n", ""},
      {"goes on after a file that is not there",
       {"count", kVocab, "nothing", "text"},
       "",
       2,
       "      3 text\n      3 total\n",
       "pedrocli: nothing: No such file or directory\n"},
      {"prints JSON",
       {"count", "-json", kVocab, "text"},
       "",
       0,
       R"({"tokens":3,"exact":true,"name":"text","by":"cl100k_base"})"
       "\n",
       ""},
      {"encodes", {"encode", kVocab, "text"}, "", 0, "257 258 10\n", ""},
      {"encodes nothing", {"encode", kVocab, "-"}, "", 0, "\n", ""},
      {"decodes", {"decode", kVocab, "-"}, "257 258, [10]\n", 0, "abc abc\n", ""},
      {"refuses what is no id",
       {"decode", kVocab, "-"},
       "257 x",
       2,
       "",
       "pedrocli: standard input: byte 4: expected a token id\n"},
      {"refuses ids that there are not",
       {"decode", kVocab, "-"},
       "300",
       2,
       "",
       "pedrocli: cl100k_base: there is no token 300; the last one is 258\n"},
      {"shows a token in a line",
       {"show", kVocab, "-"},
       "abc\xE2",
       0,
       "257\t\"abc\"\n226\t\"\\xE2\"\n",
       "2 tokens by cl100k_base\n"},
      {"compares",
       {"compare", "-a=cl100k_base.tiktoken", "-b=r50k_base.tiktoken", "-"},
       "ab abc",
       1,
       "standard input: 2 tokens by cl100k_base, 4 by r50k_base; different from token 1 on, at "
       "byte "
       "2\n"
       "a: 256:\"ab\" 258:\" abc\" (end)\n"
       "b: 256:\"ab\" 32:\" \" 256:\"ab\" 99:\"c\" (end)\n",
       ""},
      {"finds the same",
       {"compare", "-a=cl100k_base.tiktoken", "-b=r50k_base.tiktoken", "-"},
       "ab",
       0,
       "the same token\n",
       ""},
      {"wants one vocabulary",
       {"count", kVocab, "-model=gpt-4o", "text"},
       "",
       2,
       "",
       "pedrocli: only one of -vocab, -model and -server can be given\n"},
      {"knows close models",
       {"count", "-model=gtp-4o", "text"},
       "",
       2,
       "",
       "pedrocli: unknown model 'gtp-4o' (did you mean 'gpt-4o'?); name its vocabulary or a "
       "vocabulary file with -vocab, or use an estimate with -estimate\n"},
      {"estimates a model that is not known only when asked to",
       {"count", "-model=xyz", "-estimate", "text"},
       "",
       0,
       "     \u22485 text\n",
       ""},
      {"estimates one whose own vocabulary is not known by name",
       {"count", "-json", "-model=llama-3-8b", "-estimate", "text"},
       "",
       0,
       "{\"tokens\":5,\"exact\":false,\"name\":\"text\",\"by\":\"o200k_base \u00D7 1.2\"}\n",
       ""},
      {"says how to go on without an estimate",
       {"count", "-model=llama-3-8b", "text"},
       "",
       2,
       "",
       "pedrocli: the vocabulary of 'llama-3-8b' is unknown: name the model's GGUF or "
       "tokenizer.json with -vocab, or its server with -server, or use an estimate with "
       "-estimate\n"},
      {"estimates Claude by the vocabulary that is published",
       {"show", "-model=claude-3-opus", "-"},
       "abcabc",
       0,
       "259\t\"abc\"\n259\t\"abc\"\n",
       "\u22482 tokens by claude \u00D7 1.1\n"},
      {"takes a newer Claude for one of more tokens",
       {"count", "-model=claude-opus-4-7", "-"},
       "abcabcabcabc",
       0,
       "     \u22486\n",
       ""},
      {"counts the Claude it is of exactly",
       {"count", "-model=claude-2.1", "-"},
       "abcabc",
       0,
       "      2\n",
       ""},
      {"brings text for Claude into normal form KC",
       {"encode", "-vocab=claude", "-"},
       "\uFF41\uFF42\uFF43",
       0,
       "259\n",
       ""},
      {"says whose ids those of an estimate are",
       {"encode", "-model=claude-3-opus", "-"},
       "abc",
       0,
       "259\n",
       "\u2248 the tokens of claude, which is not the model's own vocabulary\n"},
      {"does so for decoding",
       {"decode", "-model=claude-3-opus", "-"},
       "259",
       0,
       "abc",
       "\u2248 the tokens of claude, which is not the model's own vocabulary\n"},
      {"wants a model for an estimate",
       {"count", kVocab, "-estimate", "text"},
       "",
       2,
       "",
       "pedrocli: -estimate needs -model\n"},
      {"names what is wrong with a file",
       {"count", "-vocab=broken.tiktoken", "text"},
       "",
       3,
       "",
       ""},
  };
  for (const TokensRow& row : rows) {
    CAPTURE(row.name);
    std::vector<std::string> args = {"tokens"};
    args.insert(args.end(), row.args.begin(), row.args.end());
    const ProcessResult result = program.run(args, row.input);
    CHECK(result.exit_code == row.exit_code);
    CHECK(result.out == row.out);
    if (row.name == "names what is wrong with a file") {
      CHECK(result.err.starts_with("pedrocli: broken.tiktoken: "));
    } else {
      CHECK(result.err == row.err);
    }
  }
}

TEST_CASE("tokens: compare prints a warning of the configuration once") {
  Program program;
  write_token_files(program);
  program.folder.write("project/.pedrocli.json", R"({"debug": {"keep_temp_files": true}})");
  const ProcessResult result = program.run(
      {"tokens", "compare", "-a=cl100k_base.tiktoken", "-b=r50k_base.tiktoken", "-"}, "ab");
  CHECK(result.out == "the same token\n");
  CHECK(result.err.ends_with("'debug.keep_temp_files' has no effect and is ignored\n"));
  CHECK(std::count(result.err.begin(), result.err.end(), '\n') == 1);
}

TEST_CASE("tokens: -debug shows each token, of files of any size the first and the last") {
  Program program;
  write_token_files(program);
  const auto lines = [&](std::vector<std::string> args, std::string input) {
    args.insert(args.begin(), "tokens");
    args.insert(args.end(), {kVocab, "-debug=tokens"});
    const ProcessResult result = program.run(args, std::move(input));
    CHECK(result.exit_code == 0);
    std::vector<std::string> out;
    for (const std::string_view line : split_lines(result.err)) out.emplace_back(line);
    return out;
  };
  const auto encoded = lines({"encode", "text"}, "");
  REQUIRE(encoded.size() == 2);
  CHECK(encoded[0] == "debug tokens: by cl100k_base: the requested vocabulary");
  CHECK(encoded[1].starts_with("debug tokens: text: 8 bytes by cl100k_base in "));
  CHECK(encoded[1].ends_with(R"( us, specials none: 3 tokens 257:"abc" 258:" abc" 10:"\n")"));

  const auto counted = lines({"count", "-"}, std::string(600'000, 'x'));
  REQUIRE(counted.size() == 2);
  CHECK(counted[1].starts_with("debug tokens: standard input: 600000 bytes by cl100k_base in "));
  CHECK(counted[1].find("600000 tokens 120:\"x\" ") != std::string::npos);
  CHECK(counted[1].find(" [599744 tokens are not shown] ") != std::string::npos);
  const auto in_parts =
      lines({"count", "-"}, replace_all(std::string(100'000, 'x'), "x", "ab cd\n"));
  CHECK(in_parts.size() == 4);
}

}  // namespace pedro
