#include "gbnf/check_gbnf.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "gbnf/left_recursion.h"
#include "gbnf/random_grammar.h"
#include "gbnf/small_grammars.h"
#include "support/read_file.h"

namespace pedro {
namespace {

namespace fs = std::filesystem;

// Returns the messages of the parser or of the checks for a grammar.
std::string said_of(std::string_view text, std::string_view name) {
  const auto parsed = parse_gbnf(text, name);
  return parsed.ok() ? to_text(check_gbnf(*parsed), *parsed) : parsed.error().message + "\n";
}

std::vector<fs::path> cases() {
  std::vector<fs::path> out;
  for (const auto& entry : fs::directory_iterator(TEST_DATA "/gbnf/errors")) {
    if (entry.path().extension() == ".gbnf") out.push_back(entry.path());
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

// The expected messages for NAME.gbnf are in NAME.txt. With PEDROCLI_UPDATE_GOLDEN set, the test
// writes these files, for a review of the changes.
TEST_CASE("check_gbnf: reports the expected errors for each grammar in data/gbnf/errors") {
  const bool update = std::getenv("PEDROCLI_UPDATE_GOLDEN") != nullptr;
  for (const fs::path& path : cases()) {
    CAPTURE(path.string());
    const std::string said = said_of(read_file(path), path.filename().string());
    const fs::path beside = fs::path(path).replace_extension(".txt");
    if (update) std::ofstream(beside, std::ios::binary) << said;
    CHECK(said == read_file(beside));
  }
  CHECK(cases().size() >= 25);
}

TEST_CASE("check_gbnf: has no error exactly if the grammar can be compiled") {
  RandomGrammar random(2);
  int good = 0;
  for (int i = 0; i < 1000; ++i) {
    const Gbnf grammar = random.small(1 + i % 4);
    const auto parsed = parse_gbnf(print(grammar), "g");
    REQUIRE(parsed.ok());
    const GbnfReport report = check_gbnf(*parsed);
    CAPTURE(print(grammar));
    CAPTURE(to_text(report, *parsed));
    CHECK(report.has_errors() == !check_left_recursion(grammar).ok());
    good += report.has_errors() ? 0 : 1;
  }
  CHECK(good > 200);
  CHECK(good < 900);
}

TEST_CASE("check_gbnf: small grammars have no error") {
  for (const NamedGrammar& row : small_grammars()) {
    CAPTURE(row.name);
    const auto parsed = parse_gbnf(print(row.grammar), "g");
    REQUIRE(parsed.ok());
    CHECK_FALSE(check_gbnf(*parsed).has_errors());
  }
}

TEST_CASE("check_gbnf: long chains of rules are checked at once") {
  std::string forward = "root ::= r0\n";
  std::string backward = "r0 ::= \"a\"?\n";
  std::string wide = "root ::= \"x\"";
  constexpr int kRules = 20'000;
  for (int i = 0; i < kRules; ++i) {
    const std::string name = "r" + std::to_string(i);
    const std::string next = "r" + std::to_string(i + 1);
    forward.append(name).append(" ::= ").append(i + 1 == kRules ? "\"a\"" : next) += '\n';
    if (i + 1 < kRules) backward.append(next).append(" ::= ").append(name) += '\n';
    wide.append(" ").append(name);
  }
  const std::string last = "r" + std::to_string(kRules - 1);
  CHECK(said_of(forward, "g").empty());
  CHECK(said_of("root ::= \"b\" " + last + "\n" + backward, "g").empty());
  CHECK(said_of(wide + "\n" + backward, "g").find("16 optional items") != std::string::npos);
}

TEST_CASE("left recursion: each cycle is found once, whatever hides it") {
  const auto parsed = parse_gbnf(
      "root ::= a | c \"x\" | self\na ::= \"\" b\nb ::= \"y\"* a\nc ::= d\nd ::= [] c | root\n"
      "self ::= self\n",
      "g");
  REQUIRE(parsed.ok());
  const RuleGraph graph(parsed->grammar);
  const Nullable nullable(graph);
  std::string all;
  for (const LeftCycle& cycle : left_recursions(graph, nullable, 10)) all += to_text(cycle) + "\n";
  CHECK(all == "root -> c -> d -> root\na -> b -> a\nself -> self\n");
  CHECK(left_recursions(graph, nullable, 1).size() == 1);
}

}  // namespace pedro
