#include "tokenizer/scanner.h"

#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

#include "tokenizer/pattern_scanner.h"

namespace pedro {
namespace {

// The regular expressions of the vocabularies' authors, which each scanner implements by hand.
#define ANY_CASE "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
#define ASCII_CASE "(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])"
#define BLANKS "\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"
#define PREFIX "[^\\r\\n\\p{L}\\p{N}]?"
#define UPPER "[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]"
#define LOWER "[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]"
#define NOT_LOWER "((?=[\\p{L}])([^a-z]))"
#define NOT_UPPER "((?=[\\p{L}])([^A-Z]))"

const char* const kGpt2 =
    "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+";

struct Row {
  std::string name;
  Fidelity fidelity;
  std::vector<std::string> patterns;
};

constexpr Fidelity kReference = Fidelity::kReference;
constexpr Fidelity kLlamaCpp = Fidelity::kLlamaCpp;

const std::vector<Row>& rows() {
  static const std::vector<Row> rows = {
      {"gpt2", kReference, {kGpt2}},
      {"cl100k",
       kReference,
       {ANY_CASE "|" PREFIX "\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s++$|"
                 "\\s*[\\r\\n]|\\s+(?!\\S)|\\s"}},
      {"llama3",
       kReference,
       {ANY_CASE "|" PREFIX "\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|" BLANKS}},
      {"llama3",
       kLlamaCpp,
       {ASCII_CASE "|" PREFIX "\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|" BLANKS}},
      {"qwen2",
       kReference,
       {ANY_CASE "|" PREFIX "\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|" BLANKS}},
      {"qwen2",
       kLlamaCpp,
       {ASCII_CASE "|" PREFIX "\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|" BLANKS}},
      {"qwen35",
       kReference,
       {ANY_CASE "|" PREFIX "[\\p{L}\\p{M}]+|\\p{N}| ?[^\\s\\p{L}\\p{M}\\p{N}]+[\\r\\n]*|" BLANKS}},
      {"qwen35",
       kLlamaCpp,
       {ASCII_CASE "|" PREFIX
                   "[\\p{L}\\p{M}]+|\\p{N}| ?[^\\s\\p{L}\\p{M}\\p{N}]+[\\r\\n]*|" BLANKS}},
      {"o200k",
       kReference,
       {PREFIX UPPER "*" LOWER "+" ANY_CASE "?|" PREFIX UPPER "+" LOWER "*" ANY_CASE
                     "?|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|" BLANKS}},
      {"o200k",
       kLlamaCpp,
       {PREFIX NOT_LOWER "*" NOT_UPPER "+" ASCII_CASE "?|" PREFIX NOT_LOWER "+" NOT_UPPER
                         "*" ASCII_CASE "?|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|" BLANKS}},
      {"tekken",
       kReference,
       {PREFIX UPPER "*" LOWER "+|" PREFIX UPPER "+" LOWER
                     "*|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|" BLANKS}},
      {"tekken",
       kLlamaCpp,
       {PREFIX NOT_LOWER "*" NOT_UPPER "+|" PREFIX NOT_LOWER "+" NOT_UPPER
                         "*|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|" BLANKS}},
      {"deepseek3",
       kReference,
       {"\\p{N}{1,3}", "[\\x{4e00}-\\x{9fa5}\\x{3040}-\\x{309f}\\x{30a0}-\\x{30ff}]+",
        "[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|"
        "[^\\r\\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+| ?[\\p{P}\\p{S}]+[\\r\\n]*|" BLANKS}},
      {"starcoder", kReference, {"\\p{N}", kGpt2}},
      {"newlines", kReference, {"[^\\n]+|[\\n]+"}},
      {"none", kReference, {}},
  };
  return rows;
}

// At least one of each kind of character that a pattern distinguishes.
const std::vector<std::string>& characters() {
  static const std::vector<std::string> all = {
      "a",      "z",      "B",      "s",      "S",          "t",      "'",
      "r",      "e",      "L",      "l",      "7",          " ",      "\n",
      "\r",     "\t",     ".",      "/",      "<",          "\u00E9", "\u00C9",
      "\u02B0", "\u4E2D", "\u0301", "\u0663", "\u00A0",     "\u3000", "\u20AC",
      "\u200B", "\u01C5", "\u017F", "\u30AB", "\U0001F600", "\u0001", "\u0E01\u0E31",
      "\u2028",
  };
  return all;
}

std::vector<std::uint32_t> ends_by(ScanPieces scan, const std::string& text, std::size_t room) {
  std::vector<std::uint32_t> ends;
  std::vector<std::uint32_t> lengths(room);
  std::uint32_t end = 0;
  while (end < text.size()) {
    const std::size_t count =
        scan(text.data() + end, text.data() + text.size(), lengths.data(), room);
    REQUIRE(count > 0);
    for (std::size_t i = 0; i < count; ++i) ends.push_back(end += lengths[i]);
  }
  return ends;
}

std::string shown(const std::string& text, const std::vector<std::uint32_t>& ends) {
  std::string out;
  std::uint32_t begin = 0;
  for (const std::uint32_t end : ends) {
    out += "[" + text.substr(begin, end - begin) + "]";
    begin = end;
  }
  return out;
}

}  // namespace

TEST_CASE("scanner: cuts as the patterns do, all short texts and many longer ones") {
  std::vector<std::string> texts;
  for (const std::string& a : characters()) {
    texts.push_back(a);
    for (const std::string& b : characters()) {
      texts.push_back(a + b);
      for (const std::string& c : characters()) texts.push_back(a + b + c);
    }
  }
  std::mt19937 random(1);
  for (int i = 0; i < 10'000; ++i) {
    std::string text;
    for (auto length = 4 + random() % 20; length > 0; --length) {
      const std::string& character = characters()[random() % characters().size()];
      text += character;
      for (auto more = random() % 6; more > 3; --more) text += character;
    }
    texts.push_back(text);
  }
  for (const Row& row : rows()) {
    CAPTURE(row.name);
    const ScanPieces scan = scanner_named(row.name, row.fidelity);
    REQUIRE((scan != nullptr));
    const auto slow = PatternScanner::compile(row.patterns);
    REQUIRE(slow.ok());
    std::vector<std::uint32_t> expected;
    int wrong = 0;
    for (const std::string& text : texts) {
      REQUIRE(slow->scan(text, expected).ok());
      const std::vector<std::uint32_t> ends = ends_by(scan, text, 7);
      if (ends == expected) continue;
      if (++wrong <= 5) CHECK(shown(text, ends) == shown(text, expected));
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("scanner: any bytes are cut, to the last one, in batches of any size") {
  std::mt19937 random(2);
  for (const Row& row : rows()) {
    CAPTURE(row.name);
    const ScanPieces scan = scanner_named(row.name, row.fidelity);
    for (int i = 0; i < 500; ++i) {
      std::string text;
      for (auto length = 1 + random() % 60; length > 0; --length) {
        text += random() % 3 == 0 ? std::string(1, static_cast<char>(random()))
                                  : characters()[random() % characters().size()];
      }
      const std::vector<std::uint32_t> ends = ends_by(scan, text, 256);
      CHECK(ends.back() == text.size());
      CHECK(ends_by(scan, text, 1) == ends);
    }
  }
}

TEST_CASE("scanner: an unknown name has no scanner") {
  CHECK((scanner_named("gpt-2", kReference) == nullptr));
  CHECK((scanner_named("", kReference) == nullptr));
}

TEST_CASE("pattern scanner: white space follows Unicode, inside and outside of classes") {
  const auto cut = [](const char* pattern, std::string_view text) {
    const auto scanner = PatternScanner::compile({pattern});
    REQUIRE(scanner.ok());
    std::vector<std::uint32_t> ends;
    REQUIRE(scanner->scan(text, ends).ok());
    return ends;
  };
  using Ends = std::vector<std::uint32_t>;
  const std::string_view text = "a \u180E\u3000b\v";  // 1, 2, 5, 8, 9, 10
  CHECK(cut(R"(\s)", text) == Ends{1, 2, 5, 8, 9, 10});
  CHECK(cut(R"(\s+)", "\u180E\u2009\u1680") == Ends{3, 9});
  CHECK(cut(R"([^\s]+)", text) == Ends{1, 2, 5, 8, 9, 10});
  CHECK(cut(R"(\S+)", text) == Ends{1, 2, 5, 8, 9, 10});
  CHECK(cut(R"([]\S]+)", text) == Ends{1, 2, 5, 8, 9, 10});
  CHECK(cut(R"([\s\S]+)", text) == Ends{10});
  CHECK(cut(R"(\\s)", "a\\s ") == Ends{1, 3, 4});
  CHECK(cut(R"([[:alpha:]\]\s]+)", "1a] \u180E") == Ends{1, 4, 7});
}

}  // namespace pedro
