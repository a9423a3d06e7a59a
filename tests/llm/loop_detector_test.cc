#include "llm/loop_detector.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <random>
#include <string>
#include <vector>

namespace pedro {
namespace {

struct Seen {
  std::uint64_t token;
  bool has_letter;
};

// A simple reference implementation of the rule.
bool ends_with_loop(const std::vector<Seen>& seen) {
  for (std::size_t period = 1; period <= LoopDetector::kMaxPeriod && period < seen.size();
       ++period) {
    std::size_t covered = period;
    while (covered < seen.size() && seen[seen.size() - 1 - covered].token ==
                                        seen[seen.size() - 1 - covered + period].token) {
      ++covered;
    }
    if (covered < LoopDetector::kRepetitions * period) continue;
    std::size_t words = 0;
    for (std::size_t i = 0; i < period; ++i) words += seen[seen.size() - 1 - i].has_letter ? 1 : 0;
    if (covered >= LoopDetector::kLoopTokens) return true;
    if (words * covered >= LoopDetector::kLoopWords * period) return true;
  }
  return false;
}

// Random tokens and repetitions of a unit, some of them incomplete.
std::vector<Seen> random_tokens(std::mt19937& random) {
  const auto below = [&random](std::size_t limit) { return random() % limit; };
  const std::size_t alphabet = 1 + below(4);
  const auto token = [&] {
    const std::uint64_t value = below(alphabet);
    return Seen{value, value % 2 == 0};
  };
  std::vector<Seen> out;
  for (int part = 0; part < 3; ++part) {
    for (std::size_t n = below(60); n > 0; --n) out.push_back(token());
    std::vector<Seen> unit;
    for (std::size_t n = 1 + below(part == 0 ? 300 : 9); n > 0; --n) unit.push_back(token());
    for (std::size_t n = below(500); n > 0; --n) out.push_back(unit[out.size() % unit.size()]);
  }
  return out;
}

std::string repeated(std::string_view unit, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += unit;
  return out;
}

std::string numbered(int lines, std::string_view line) {
  std::string out;
  for (int i = 0; i < lines; ++i) out += fmt::format(fmt::runtime(line), i);
  return out;
}

// Returns the position at which a text is cut, or its length if it is not cut.
std::size_t cut_of(std::string_view text, std::size_t piece) {
  TextLoopDetector loop;
  for (std::size_t at = 0; at < text.size(); at += piece) {
    if (loop.add(text.substr(at, piece))) return at + piece;
  }
  return text.size();
}

}  // namespace

TEST_CASE("loop detector: finds the loops that the rule defines, token by token") {
  std::mt19937 random(1);
  int loops = 0;
  for (int round = 0; round < 60; ++round) {
    CAPTURE(round);
    LoopDetector detector;
    std::vector<Seen> seen;
    for (const Seen& next : random_tokens(random)) {
      seen.push_back(next);
      const bool expected = ends_with_loop(seen);
      REQUIRE(detector.add(next.token, next.has_letter) == expected);
      if (!expected) continue;
      ++loops;
      break;
    }
  }
  CHECK(loops > 10);
  CHECK(loops < 60);
}

TEST_CASE("loop detector: text written by people is no loop") {
  struct Row {
    const char* name;
    std::string text;
  };
  for (const Row& row : {
           Row{"an array of zeros", "int a[100] = {" + repeated("0, ", 100) + "};"},
           Row{"a grid of zeros", repeated("  [" + repeated("0, ", 9) + "0],\n", 10)},
           Row{"a grid of words", repeated("  [" + repeated("false, ", 9) + "false],\n", 10)},
           Row{"a drawing", repeated("+----+----+----+----+\n|    |    |    |    |\n", 8)},
           Row{"an indentation", repeated(" ", 2000) + "x"},
           Row{"a ruler", repeated("=", 2000)},
           Row{"empty lines", repeated("\n", 300)},
           Row{"near-identical lines", numbered(300, "  CHECK(square({}) == 0);\n")},
           Row{"a count", numbered(1000, "{}, ")},
           Row{"a table of numbers", numbered(200, "| {0} | 0 | 0 | 0 | 0 |\n")},
           Row{"rows of a test", numbered(100, "{{\"name\": \"a\", \"id\": {}, \"on\": true}},\n")},
           Row{"the same line a few times", repeated("    self.assertTrue(cache.get('key'))\n", 8)},
       }) {
    CAPTURE(row.name);
    for (const std::size_t piece : {1, 3, 100}) CHECK(cut_of(row.text, piece) == row.text.size());
  }
}

TEST_CASE("loop detector: a loop is cut soon, however its text comes") {
  struct Row {
    const char* name;
    std::string unit;
    std::size_t most;  // the maximum number of bytes before the cut
  };
  for (const Row& row : {
           Row{"a word", "no ", 800},
           Row{"a sentence", "I am sorry, but I cannot do that.\n", 1500},
           Row{"a line of code", "    case OP_NOP: return 0;\n", 1500},
           Row{"zeros", "0, ", 1200},
           Row{"a blank", " ", 6500},
           Row{"a block", numbered(12, "  if (x == {}) return y;\n"), 4 * 12 * 25},
       }) {
    CAPTURE(row.name);
    const std::string text =
        "Well.\n" + repeated(row.unit, 9000 / static_cast<int>(row.unit.size()));
    for (const std::size_t piece : {1, 3, 100}) CHECK(cut_of(text, piece) <= row.most + 100);
  }
}

}  // namespace pedro
