// Checks that llama.cpp agrees: runs its test-gbnf-validator on our printed grammars.
// PEDROCLI_GBNF_VALIDATOR is the path of the program; gbnf/with-validator sets it.
#include "gbnf/llama_validator.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <random>
#include <set>
#include <string>

#include "gbnf/check_gbnf.h"
#include "gbnf/match.h"
#include "gbnf/small_grammars.h"
#include "schema_to_gbnf/instance_maker.h"
#include "schema_to_gbnf/schema_cases.h"
#include "schema_to_gbnf/tool_calls.h"
#include "support/read_file.h"

namespace pedro {
namespace {

void check_agreement(LlamaValidator& llama, const Gbnf& grammar,
                     const std::vector<std::string>& texts) {
  llama.use(print(grammar));
  const auto compiled = Matcher::compile(grammar);
  REQUIRE(compiled.ok());
  for (const std::string& text : texts) {
    CAPTURE(text);
    Matcher matcher = *compiled;
    const auto taken = matcher.accept(text);
    REQUIRE(taken.ok());
    const bool fits = *taken == text.size() && matcher.is_complete();
    CHECK(llama.judge(text) == (fits ? "valid" : "invalid"));
  }
}

// Generates groups with every kind of symbol, with repetition counts whose costs are near the
// limit.
class RandomCounts {
 public:
  explicit RandomCounts(unsigned seed) : random_(seed) {}

  std::string grammar() {
    return "root ::= x1 | \"r\" " + items(3) + "\nx1 ::= \"1\"\nx2 ::= \"2\" " + items(2) +
           "\nx3 ::= \"3\"\nx4 ::= \"4\"\n";
  }

 private:
  int pick(int count) { return static_cast<int>(random_() % static_cast<unsigned>(count)); }

  std::string items(int depth) {
    std::string out;
    for (int i = pick(3); i >= 0; --i) out += item(depth) + count() + " ";
    return out;
  }

  std::string item(int depth) {
    if (depth > 0 && pick(3) > 0) {
      return "(\"g\" " + items(depth - 1) + (pick(3) == 0 ? "| [a-c]" : "") + ")";
    }
    const char* const kAtoms[] = {"\"abc\"", "[ab]", ".", "x1", "x3", "x4"};
    return kAtoms[pick(6)];
  }

  std::string count() {
    const auto number = [](int n) { return std::to_string(n); };
    const int min = 1 + pick(40);
    switch (pick(9)) {
      case 0:
        return "+";
      case 1:
        return "?";
      case 2:
        return "{" + number(min) + "}";
      case 3:
        return "{" + number(min) + ",}";
      case 4:
        return "{0," + number(min) + "}";
      case 5:
        return "{" + number(min) + "," + number(min + pick(200)) + "}";
      case 6:
        return "{" + number(min) + "}{1,3}";
      default:
        return "";
    }
  }

  std::minstd_rand random_;
};

bool costs_too_much(const ParsedGbnf& grammar) {
  return std::any_of(grammar.repetitions.begin(), grammar.repetitions.end(),
                     [](const RepetitionSite& site) { return site.cost() > 2000; });
}

Schema schema_of(const std::string& text) {
  const auto schema = parse_schema(*parse_json(text), SchemaDialect::kClosed);
  REQUIRE(schema.ok());
  return *schema;
}

}  // namespace

TEST_CASE("llama.cpp agrees with the matcher on the cases of schemas") {
  LlamaValidator llama;
  if (!llama.there()) return;
  InstanceMaker maker(3);
  for (const SchemaCase& one : schema_cases()) {
    CAPTURE(one.name);
    std::vector<Loosened> loosened;
    const Gbnf grammar = grammar_of(one.schema, loosened);
    std::vector<std::string> texts;
    for (const auto& some : {one.accept, one.reject, one.valid, one.loose}) {
      texts.insert(texts.end(), some.begin(), some.end());
    }
    for (int i = 0; i < 3 && !one.accept.empty(); ++i) {
      const auto value = parse_json(maker.derived(grammar));
      REQUIRE(value.ok());
      texts.push_back(maker.written(i % 2 == 0 ? *value : maker.changed(*value)));
      texts.push_back(maker.derived(grammar));
    }
    check_agreement(llama, grammar, texts);
  }
}

TEST_CASE("llama.cpp agrees with the matcher on small grammars of every kind") {
  LlamaValidator llama;
  if (!llama.there()) return;
  for (const NamedGrammar& row : small_grammars()) {
    CAPTURE(row.name);
    check_agreement(llama, row.grammar, all_strings("abc", 2));
  }
}

TEST_CASE("llama.cpp reads every escape as it was meant") {
  LlamaValidator llama;
  if (!llama.there()) return;
  const std::string text = "\"\\/-[]^\n\r\t\x01\x7F' \xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80";
  check_agreement(llama, only(literal(text)), {text, text + "x", text.substr(1)});
  std::vector<CharRange> ranges;
  for (const char32_t at : {'"', '\\', '-', '[', ']', '^', '\n', '\t', '/'}) {
    ranges.push_back(CharRange{at, at});
  }
  ranges.push_back(CharRange{0xE9, 0xEB});
  ranges.push_back(CharRange{0x1F600, 0x1F64F});
  const std::vector<std::string> letters = {"\"",
                                            "\\",
                                            "-",
                                            "[",
                                            "]",
                                            "^",
                                            "\n",
                                            "\t",
                                            "/",
                                            "_",
                                            ".",
                                            "a",
                                            " ",
                                            "\xC3\xA9",
                                            "\xC3\xAC",
                                            "\xF0\x9F\x98\x80",
                                            "\xF0\x9F\x99\x90"};
  check_agreement(llama, only(one_of(ranges)), letters);
  check_agreement(llama, only(none_of(ranges)), letters);
  check_agreement(llama, only(none_of({})), letters);
}

TEST_CASE("llama.cpp takes a call of forty actions") {
  LlamaValidator llama;
  if (!llama.there()) return;
  std::vector<CallBranch> branches;
  std::deque<Schema> schemas;
  for (int i = 0; i < 40; ++i) {
    const std::string action = "do_" + std::to_string(i);
    schemas.push_back(
        schema_of(R"({"type": "object", "properties": {"action": {"const": ")" + action +
                  R"("}, "text": {"type": "string", "maxLength": 1999}, "lines": {"type": "array",
                  "items": {"type": "integer", "minimum": 1}, "maxItems": 1500}},
                  "required": ["action"]})"));
    branches.push_back(CallBranch{"tool_" + std::to_string(i % 8), action, &schemas.back()});
  }
  const std::string args = R"("args": {"action": "do_13", "text": "x)" + std::string(1900, 'y');
  check_agreement(llama, tool_call_grammar(branches),
                  {"{\"tool\": \"tool_5\", " + args + "\", \"lines\": [1, 2,3]}}",
                   "{\"tool\": \"tool_4\", " + args + "\"}}",
                   "{\"tool\": \"tool_5\", \"args\": {\"action\":\"do_13\"}}"});
}

TEST_CASE("llama.cpp takes the grammars in which we find no error, and no others") {
  LlamaValidator llama;
  if (!llama.there()) return;
  // llama.cpp accepts more: NUL ends its text, surrogates and code points beyond Unicode match
  // nothing, and 5000 repetitions count as unlimited. The depth limit is ours alone.
  const std::set<std::string> taken_all_the_same = {"beyond_unicode", "nul", "surrogate",
                                                    "too_deep", "too_many_repetitions"};
  for (const auto& entry : std::filesystem::directory_iterator(TEST_DATA "/gbnf/errors")) {
    if (entry.path().extension() != ".gbnf") continue;
    const std::string name = entry.path().stem().string();
    if (name == "fine") continue;  // tokens given by text need a vocabulary
    CAPTURE(name);
    const std::string text = read_file(entry.path());
    const auto parsed = parse_gbnf(text, name);
    const bool good = parsed.ok() && !check_gbnf(*parsed).has_errors();
    llama.use(text);
    const std::string said = llama.judge("a");
    CAPTURE(said);
    CHECK((said == "valid" || said == "invalid") == (good || taken_all_the_same.contains(name)));
  }
}

TEST_CASE("llama.cpp counts repetitions like the parser") {
  LlamaValidator llama;
  if (!llama.there()) return;
  RandomCounts random(5);
  int refused = 0;
  constexpr int kTried = 200;
  for (int i = 0; i < kTried; ++i) {
    const std::string text = random.grammar();
    CAPTURE(text);
    const auto parsed = parse_gbnf(text, "g");
    REQUIRE(parsed.ok());
    llama.use(text);
    const bool too_much = llama.judge("").find("exceeds sane defaults") != std::string::npos;
    CHECK(too_much == costs_too_much(*parsed));
    refused += too_much ? 1 : 0;
  }
  CHECK(refused > kTried / 10);
  CHECK(refused < kTried * 9 / 10);
}

}  // namespace pedro
