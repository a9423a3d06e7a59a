#include "gbnf/grammar_place.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "gbnf/check_gbnf.h"
#include "gbnf/left_recursion.h"
#include "gbnf/parse_gbnf.h"
#include "gbnf/random_grammar.h"
#include "gbnf/slow_matcher.h"
#include "gbnf/small_grammars.h"

namespace pedro {
namespace {

GrammarPlace place_in(Gbnf grammar) {
  auto place = GrammarPlace::begin(std::make_shared<const Gbnf>(std::move(grammar)));
  REQUIRE_MESSAGE(place.ok(), place.error().message);
  return *std::move(place);
}

GrammarPlace place_behind(std::string_view gbnf, std::string_view text) {
  const auto parsed = parse_gbnf(gbnf, "test");
  REQUIRE_MESSAGE(parsed.ok(), parsed.error().message);
  GrammarPlace place = place_in(parsed->grammar);
  REQUIRE(*place.accept(text) == text.size());
  return place;
}

// The texts that may follow `text`.
std::vector<std::string> endings(const Gbnf& grammar, const std::string& text, std::size_t length) {
  std::vector<std::string> found;
  for (const std::string& ending : all_strings("abc", length)) {
    if (SlowMatcher(grammar, text + ending).matches()) found.push_back(ending);
  }
  return found;
}

void check_choices(const GrammarPlace& place, const std::vector<std::string>& after) {
  const std::vector<std::string> choices = place.choices();
  if (choices.empty()) return;
  for (const std::string& ending : after) {
    CAPTURE(ending);
    const auto fits = [&](const std::string& choice) {
      return ending.starts_with(choice) || choice.starts_with(ending);
    };
    CHECK(std::count_if(choices.begin(), choices.end(), fits) >= 1);
    CHECK(std::count_if(choices.begin(), choices.end(),
                        [&](const auto& choice) { return ending.starts_with(choice); }) <= 1);
  }
}

void check_everywhere(const Gbnf& grammar, std::size_t length) {
  for (const std::string& text : all_strings("abc", length)) {
    CAPTURE(text);
    GrammarPlace place = place_in(grammar);
    const std::vector<std::string> after = endings(grammar, text, 3);
    const auto taken = place.accept(text);
    REQUIRE(taken.ok());
    if (*taken < text.size()) {
      CHECK(after.empty());
      continue;
    }
    CHECK(place.is_complete() == SlowMatcher(grammar, text).matches());
    const Gbnf rest = place.rest();
    for (const std::string& ending : all_strings("abc", 3)) {
      CAPTURE(ending);
      CHECK(SlowMatcher(rest, ending).matches() == SlowMatcher(grammar, text + ending).matches());
    }
    for (const std::string& ending : after) {
      const std::string forced = place.forced_text().substr(0, ending.size());
      CHECK(ending.starts_with(forced));
    }
    check_choices(place, after);
  }
}

}  // namespace

TEST_CASE("grammar place: allows the same continuations as the grammar, in all small grammars") {
  for (const auto& [name, grammar] : small_grammars()) {
    CAPTURE(name);
    check_everywhere(grammar, 3);
  }
}

TEST_CASE("grammar place: allows the same continuations as the grammar, in random grammars") {
  int tried = 0;
  for (unsigned seed = 0; seed < 120; ++seed) {
    const Gbnf grammar = RandomGrammar(seed).small(3);
    if (!check_left_recursion(grammar)) continue;
    CAPTURE(print(grammar));
    check_everywhere(grammar, 2);
    ++tried;
  }
  CHECK(tried > 40);
}

TEST_CASE("grammar place: in the middle of a text of a bounded length the rest counts down") {
  const GrammarPlace place = place_behind(R"(root ::= "\"" [a-z]{0,9} "\"")", "\"abc");
  CHECK(print(place.rest()) == "root ::= [a-z]{0,6} \"\\\"\"\n");
  CHECK(place.forced_text().empty());
  CHECK(place.choices().empty());
}

TEST_CASE("grammar place: rules that nothing leads to any more are gone") {
  const GrammarPlace place =
      place_behind("root ::= a | b\na ::= \"a\" c\nb ::= \"b\"\nc ::= [0-9]", "a");
  CHECK(print(place.rest()) == "root ::= c\nc ::= [0-9]\n");
}

TEST_CASE("grammar place: a root that is referred to keeps a name") {
  const GrammarPlace place = place_behind("root ::= \"(\" root? \")\" | [0-9]", "((");
  const Gbnf rest = place.rest();
  CHECK(print(rest) == "root ::= whole? \"))\"\nwhole ::= \"(\" whole? \")\" | [0-9]\n");
}

TEST_CASE("grammar place: forced text and choices, as calls have them") {
  constexpr const char* kCall =
      R"(root ::= "file\", \"args\": {\"action\": \"" ("read\"" | "list\"") ", \"path\": \"" [a-z]* "\"" (", \"deep\": " ("true" | "false"))? "}" | "find\"}")";
  CHECK(place_behind(kCall, "").forced_text() == "fi");
  CHECK(place_behind(kCall, "").choices() ==
        std::vector<std::string>{"file\", \"args\": {\"action\": \"read\", \"path\": \"",
                                 "file\", \"args\": {\"action\": \"list\", \"path\": \"",
                                 "find\"}"});
  CHECK(place_behind(kCall, "").choices(5) == std::vector<std::string>{"file\", \"", "find\"}"});
  const GrammarPlace action = place_behind(kCall, "fil");
  CHECK(action.forced_text() == R"(e", "args": {"action": ")");
  const GrammarPlace value = place_behind(kCall, R"(file", "args": {"action": "read", "path": "x)");
  CHECK(value.choices().empty());
  const GrammarPlace more = place_behind(kCall, R"(file", "args": {"action": "read", "path": "x")");
  CHECK(more.choices() ==
        std::vector<std::string>{R"(, "deep": true})", R"(, "deep": false})", "}"});
  GrammarPlace end = more;
  CHECK(*end.accept("} ") == 1);
  CHECK(end.is_complete());
  CHECK_FALSE(end.can_continue());
  CHECK(end.forced_text().empty());
  CHECK(end.choices().empty());
}

TEST_CASE("grammar place: tokens by their ids are no text, but are matched by theirs") {
  Gbnf grammar;
  grammar.rules.push_back(
      {"root", sequence({literal("f"), known_token(7, "[ARGS]"), literal("{}"),
                         maybe(sequence({known_token(8, "<end>"), literal("x")}))})});
  GrammarPlace place = place_in(grammar);
  CHECK(place.forced_text() == "f");
  CHECK(place.forced_token() == nullptr);
  REQUIRE(*place.accept("f") == 1);
  CHECK(place.forced_text().empty());
  CHECK(place.choices().empty());
  const Token* token = place.forced_token();
  REQUIRE(token != nullptr);
  CHECK(token->id == 7);
  CHECK(print(place.rest()) == "root ::= <[7]> \"{}\" (<[8]> \"x\")?\n");
  REQUIRE(*place.accept("[ARGS]{}") == 8);
  CHECK(place.is_complete());
  CHECK(place.forced_token() == nullptr);
  CHECK(*place.accept("<end>x") == 6);
  CHECK(place.is_complete());
}

TEST_CASE("grammar place: a long text under a large count stays small") {
  GrammarPlace place = place_in(only(repetition(one_of({{'a', 'z'}}), 0, 1999)));
  CHECK(*place.accept(std::string(1999, 'a')) == 1999);
  CHECK_FALSE(place.can_continue());
  GrammarPlace endless = place_behind("root ::= (\"a\" | [b-z] | \"\\\\\" [nt])* \"\\\"\"", "");
  CHECK(*endless.accept(std::string(300'000, 'a')) == 300'000);
  CHECK(endless.rest() ==
        place_behind("root ::= (\"a\" | [b-z] | \"\\\\\" [nt])* \"\\\"\"", "").rest());
}

TEST_CASE("grammar place: an invalid grammar is an error") {
  const auto error = [](Gbnf grammar) {
    const auto place = GrammarPlace::begin(std::make_shared<const Gbnf>(std::move(grammar)));
    REQUIRE_FALSE(place.ok());
    return place.error().message;
  };
  CHECK(error({}) == "there is no rule 'root'");
  CHECK(error(only(rule_ref("gone"))) == "rule 'root' refers to 'gone', which is not defined");
  CHECK(error(only(sequence({rule_ref("root"), literal("a")}))).find("recursi") !=
        std::string::npos);
}

TEST_CASE("grammar place: characters of any length, and invalid bytes") {
  GrammarPlace place = place_behind("root ::= \"é\" [^a] \"z\"", "é");
  CHECK(*place.accept("\xF0\x9F\x98\x80") == 4);
  CHECK(place.forced_text() == "z");
  CHECK(*place.accept("\xFF") == 0);
}

}  // namespace pedro
