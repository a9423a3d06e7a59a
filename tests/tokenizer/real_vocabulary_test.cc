// Compares the real vocabularies from `scripts/fetch-vocab '*'` with the ids of other tokenizers:
// see tests/data/tokenizer/README.md. Reports and skips missing vocabularies; without any of them
// the program is skipped (77).
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <set>

#include "base/hash.h"
#include "base/json.h"
#include "base/text.h"
#include "support/read_file.h"
#include "tokenizer/fetched_vocabularies.h"
#include "tokenizer/traced_tokenizer.h"

namespace pedro {
namespace {

namespace fs = std::filesystem;
using Ids = std::vector<TokenId>;

fs::path data(const std::string& name) {
  return fs::path(TEST_DATA) / "tokenizer" / name;
}

std::unique_ptr<VocabularyTokenizer> read_vocabulary_named(const std::string& name) {
  if (!is_fetched(name)) {
    fmt::print("left out, for it is not there: {}\n", name);
    return nullptr;
  }
  auto tokenizer = open_fetched(name);
  REQUIRE_MESSAGE(tokenizer.ok(), (tokenizer.ok() ? "" : tokenizer.error().message));
  return *std::move(tokenizer);
}

// Returns null if the vocabulary is not available. Reads each vocabulary once.
VocabularyTokenizer* open(const std::string& name) {
  static std::map<std::string, std::unique_ptr<VocabularyTokenizer>> known;
  const auto [at, fresh] = known.try_emplace(name);
  if (fresh) at->second = read_vocabulary_named(name);
  return at->second.get();
}

Ids ids_in(std::string_view line) {
  Ids ids;
  for (const std::string_view number : split(line, ' ')) {
    TokenId id = -1;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), id);
    if (error == std::errc() && end != number.data()) ids.push_back(id);
  }
  return ids;
}

/// Returns the SHA-256 of ids as 32-bit little-endian integers.
std::string hash_of(const Ids& ids) {
  std::string bytes;
  for (const TokenId id : ids) {
    for (int shift = 0; shift < 32; shift += 8) {
      bytes += static_cast<char>(static_cast<std::uint32_t>(id) >> shift);
    }
  }
  return sha256(bytes);
}

constexpr std::size_t kSumDigits = 8;  // of a text of tricky.jsonl

std::string sum_of(const Ids& ids) {
  return fmt::format("{} {}", ids.size(), hash_of(ids).substr(0, 16));
}

// "ENCODER" in the names of the files, and the vocabulary to open.
struct Encoder {
  std::string name;
  std::string opened;
};

const Encoder kEncoders[] = {
    {"cl100k_base", "cl100k_base"}, {"o200k_base", "o200k_base"},   {"p50k_base", "p50k_base"},
    {"r50k_base", "r50k_base"},     {"tekken", "tekken"},           {"tekken", "tekken.json"},
    {"tekken", "nemo.json"},        {"qwen2.5", "qwen2.5"},         {"qwen2.5", "qwen3"},
    {"llama3", "llama3.json"},      {"deepseek-v3", "deepseek-v3"}, {"gemma3", "gemma3.json"},
    {"mistral-v1", "mistral-v1"},   {"mistral-v3", "mistral-v2"},   {"mistral-v3", "mistral-v3"},
    {"mistral-v3", "mistral-v7"},   {"claude", "claude"},
};

const char* const kGgufs[] = {"command-r", "deepseek-coder", "deepseek-llm", "falcon",   "gemma-4",
                              "gpt-2",     "llama-bpe",      "llama-spm",    "mpt",      "phi-3",
                              "qwen2",     "qwen35",         "refact",       "starcoder"};

// All possible vocabularies, by name or file name.
std::set<std::string> every_vocabulary() {
  std::set<std::string> all;
  for (const KnownVocabulary& known : ModelRegistry::builtin().vocabularies()) {
    all.insert(known.name);
  }
  for (const Encoder& encoder : kEncoders) all.insert(encoder.opened);
  for (const std::string name : kGgufs) all.insert("ggml-vocab-" + name + ".gguf");
  return all;
}

}  // namespace

TEST_CASE("real vocabularies: tricky texts") {
  const std::string file = read_file(data("tricky.jsonl"));
  const std::vector<std::string_view> lines = split_lines(file);
  const std::string sums = read_file(data("tricky.sums"));
  const std::vector<std::string_view> rows = split_lines(sums);
  REQUIRE(rows.size() == lines.size() + 1);
  const std::vector<std::string_view> names = split(rows[0], ' ');
  for (const Encoder& encoder : kEncoders) {
    auto* const tokenizer = open(encoder.opened);
    if (tokenizer == nullptr) continue;
    CAPTURE(encoder.opened);
    const auto column = static_cast<std::size_t>(
        std::find(names.begin(), names.end(), encoder.name) - names.begin());
    REQUIRE(column < names.size());
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const std::string text = parse_json(lines[i])->get<std::string>();
      const Ids ids = *tokenizer->encode(text, Specials::kNone);
      const std::string sum = hash_of(ids).substr(0, kSumDigits);
      const std::string expected(split(rows[i + 1], ' ').at(column));
      if (sum == expected || ++wrong > 5) continue;
      CHECK_MESSAGE(
          sum == expected,
          fmt::format("line {}: {}\nids {}\nthe expected ids: {} {} tricky.jsonl", i + 1, lines[i],
                      fmt::join(ids, " "), "tests/tokenizer/reference/run", encoder.name));
    }
    CHECK(wrong == 0);
    CHECK(lines.size() > 1000);
    fmt::print("{}: {} tricky texts, {} different\n", encoder.opened, lines.size(), wrong);
  }
}

TEST_CASE("real vocabularies: many languages, line by line") {
  const std::string text = read_file(data("multilingual.txt"));
  for (const Encoder& encoder : kEncoders) {
    auto* const tokenizer = open(encoder.opened);
    if (tokenizer == nullptr) continue;
    CAPTURE(encoder.opened);
    const std::string golden = read_file(data(encoder.name + ".multilingual.sums"));
    std::size_t wrong = 0;
    std::size_t begin = 0;
    for (const std::string_view expected : split_lines(golden)) {
      const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
      const std::string_view line = std::string_view(text).substr(begin, end - begin);
      begin = end;
      if (sum_of(*tokenizer->encode(line, Specials::kNone)) == expected) continue;
      if (++wrong > 3) continue;
      CAPTURE(line);
      CHECK(sum_of(*tokenizer->encode(line, Specials::kNone)) == expected);
    }
    CHECK(wrong == 0);
    CHECK(begin == text.size());
  }
}

TEST_CASE("real vocabularies: both texts as one") {
  const std::string tricky = read_file(data("tricky.jsonl"));
  const std::string multilingual = read_file(data("multilingual.txt"));
  const std::string totals = read_file(data("totals.txt"));
  for (const std::string_view line : split_lines(totals)) {
    const auto fields = split(line, ' ');
    REQUIRE(fields.size() == 5);
    const auto* encoder = std::find_if(std::begin(kEncoders), std::end(kEncoders),
                                       [&](const Encoder& one) { return one.name == fields[0]; });
    if (encoder == std::end(kEncoders)) continue;
    auto* const tokenizer = open(encoder->opened);
    if (tokenizer == nullptr) continue;
    CAPTURE(encoder->opened);
    const std::string wanted = fmt::format("{} {}", fields[3], fields[4].substr(0, 16));
    CHECK(sum_of(*tokenizer->encode(multilingual, Specials::kNone)) == wanted);
    CHECK(*tokenizer->count(multilingual, Specials::kNone) ==
          tokenizer->encode(multilingual, Specials::kNone)->size());
  }
}

TEST_CASE("real vocabularies: llama.cpp's own texts for its GGUF vocabularies") {
  for (const std::string name : kGgufs) {
    CAPTURE(name);
    const std::string file = "ggml-vocab-" + name + ".gguf";
    auto* const tokenizer = open(file);
    if (tokenizer == nullptr) continue;
    const std::string texts = read_file(fs::path(fetched_folder()) / (file + ".inp"));
    const std::string golden = read_file(fs::path(fetched_folder()) / (file + ".out"));
    const auto expected = split(golden, '\n');
    constexpr std::string_view kSeparator = "\n__ggml_vocab_test__\n";
    std::size_t begin = 0;
    std::size_t i = 0;
    std::size_t wrong = 0;
    for (; i + 1 < expected.size(); ++i) {
      const std::size_t end = texts.find(kSeparator, begin);
      const std::string text = texts.substr(begin, end - begin);
      begin = end + kSeparator.size();
      const Ids ids = *tokenizer->encode(text, Specials::kNone);
      if (ids == ids_in(expected[i])) continue;
      if (++wrong > 5) continue;
      CAPTURE(text);
      CHECK(fmt::format("{}", fmt::join(ids, " ")) == std::string(trim(expected[i])));
    }
    CHECK(wrong == 0);
    CHECK(i > 40);
    fmt::print("{}: {} texts, {} different\n", file, i, wrong);
  }
}

TEST_CASE("real vocabularies: each takes at most 12 MB of memory") {
  constexpr std::size_t kMaxBytes = 12'000'000;
  for (const std::string& name : every_vocabulary()) {
    auto* const tokenizer = open(name);
    if (tokenizer == nullptr) continue;
    CAPTURE(name);
    const std::size_t bytes = tokenizer->vocabulary().bytes().size();
    CHECK(bytes <= kMaxBytes);
    fmt::print("{:<32} {:>7} tokens {:>6.2f} MB\n", name, tokenizer->vocabulary().size(),
               static_cast<double>(bytes) / 1e6);
  }
}

TEST_CASE("real vocabularies: the vectors of gpt-tokenizer") {
  const std::string file = "gpt-tokenizer.vectors";
  if (!is_fetched(file)) {
    fmt::print("left out, for it is not there: {}\n", file);
    return;
  }
  const std::string vectors = read_file(fs::path(fetched_folder()) / file);
  std::size_t compared = 0;
  for (std::size_t at = vectors.find("EncodingName: "); at != std::string::npos;) {
    const std::size_t next = vectors.find("\nEncodingName: ", at);
    const std::string block = vectors.substr(at, next == std::string::npos ? next : next + 1 - at);
    at = next == std::string::npos ? next : next + 1;
    const std::size_t sample = block.find("\nSample: ");
    const std::size_t encoded = block.rfind("\nEncoded: [");
    REQUIRE(sample != std::string::npos);
    REQUIRE(encoded != std::string::npos);
    const std::string name = block.substr(14, sample - 14);
    VocabularyTokenizer* tokenizer = open(name);
    if (tokenizer == nullptr) continue;
    const std::string text = block.substr(sample + 9, encoded - sample - 9);
    const std::string list = block.substr(encoded + 11, block.find(']', encoded) - encoded - 11);
    CAPTURE(name);
    CAPTURE(text);
    const Ids ids = *tokenizer->encode(text, Specials::kNone);
    CHECK(fmt::format("{}", fmt::join(ids, ", ")) == list);
    ++compared;
  }
  fmt::print("{} vectors of gpt-tokenizer\n", compared);
  CHECK(compared == 313);
}

TEST_CASE("real vocabularies: the word of the logit bias") {
  struct Row {
    const char* name;
    TokenId action;
  };
  for (const Row& row : {Row{"qwen2.5", 1311}, Row{"llama3.json", 1335}, Row{"o200k_base", 1976},
                         Row{"deepseek-v3", 3198}, Row{"tekken", 3419}}) {
    auto* const tokenizer = open(row.name);
    if (tokenizer == nullptr) continue;
    CAPTURE(row.name);
    CHECK(*tokenizer->encode("action", Specials::kNone) == Ids{row.action});
    const Ids call = *tokenizer->encode("{\"action\": \"", Specials::kNone);
    CHECK(std::count(call.begin(), call.end(), row.action) == 1);
    CHECK(*tokenizer->id_of("action") == row.action);
  }
}

TEST_CASE("real vocabularies: docs/formats.md shows the ids of `action` in Qwen's vocabulary") {
  auto* const tokenizer = open("qwen2.5");
  if (tokenizer == nullptr) return;
  const std::string page = read_file(TEST_DATA "/../../docs/formats.md");
  std::string line = "debug tokens: bias action 5:";
  const char* before = " ";
  for (const char* text : {"action", " action"}) {
    const auto ids = tokenizer->encode(text, Specials::kNone);
    REQUIRE(ids.ok());
    REQUIRE(ids->size() == 1);
    line += fmt::format("{}\"{}\" {}", before, text, ids->front());
    before = "; ";
  }
  CHECK(page.find(line + "\n") != std::string::npos);
}

TEST_CASE("real vocabularies: the trace shows the tokens of `action`") {
  struct Row {
    const char* vocabulary;
    const char* alone;
    const char* in_a_call;  // after {"action": "
  };
  for (const Row& row : {
           Row{"ggml-vocab-qwen2.gguf", R"(1311:"action")",
               R"(4913:"{\"" 1311:"action" 788:"\":" 330:" \"")"},
           Row{"qwen2.5", R"(1311:"action")", R"(4913:"{\"" 1311:"action" 788:"\":" 330:" \"")"},
           Row{"ggml-vocab-llama-bpe.gguf", R"(1335:"action")",
               R"(5018:"{\"" 1335:"action" 794:"\":" 330:" \"")"},
           Row{"llama3.json", R"(1335:"action")",
               R"(5018:"{\"" 1335:"action" 794:"\":" 330:" \"")"},
       }) {
    auto* const tokenizer = open(row.vocabulary);
    if (tokenizer == nullptr) continue;
    CAPTURE(row.vocabulary);
    Trace trace;
    std::vector<std::string> lines;
    trace.tokens = true;
    trace.sink = [&lines](TraceTopic, const std::string& text) { lines.push_back(text); };
    const FakeClock clock;
    TracedTokenizer traced(*tokenizer, "", trace, clock);
    CHECK(traced.encode("action", Specials::kNone)->size() == 1);
    CHECK(traced.encode("{\"action\": \"", Specials::kNone)->size() == 4);
    REQUIRE(lines.size() == 3);
    CHECK_MESSAGE(lines[1].ends_with(std::string(" 1 tokens ") + row.alone), lines[1]);
    CHECK_MESSAGE(lines[2].ends_with(std::string(" 4 tokens ") + row.in_a_call), lines[2]);
  }
}

}  // namespace pedro

int main(int argc, char** argv) {
  if (!std::filesystem::is_directory(pedro::fetched_folder())) {
    fmt::print("SKIPPED: no vocabularies in {}; scripts/fetch-vocab '*' brings them\n",
               pedro::fetched_folder());
    return 77;
  }
  return doctest::Context(argc, argv).run();
}
