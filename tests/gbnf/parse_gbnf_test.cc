#include "gbnf/parse_gbnf.h"

#include <doctest/doctest.h>

#include "gbnf/random_grammar.h"
#include "gbnf/small_grammars.h"
#include "gbnf/source_excerpt.h"

namespace pedro {
namespace {

// Returns the location and the error, without the line and the caret.
std::string first_line(const std::string& message) {
  return message.substr(0, message.find('\n'));
}

std::string printed(std::string_view text) {
  const auto parsed = parse_gbnf(text, "g");
  return parsed.ok() ? print(parsed->grammar) : first_line(parsed.error().message);
}

void check_round_trip(const Gbnf& grammar) {
  const std::string text = print(grammar);
  CAPTURE(text);
  const auto parsed = parse_gbnf(text, "g");
  REQUIRE(parsed.ok());
  CHECK(parsed->grammar == grammar);
}

std::string error_of(std::string_view text) {
  const auto parsed = parse_gbnf(text, "g");
  return parsed.ok() ? "" : parsed.error().message;
}

}  // namespace

TEST_CASE("parse_gbnf: reads all of the syntax") {
  const struct {
    const char* name;
    const char* text;
    const char* printed;
  } rows[] = {
      {"no rule", "", ""},
      {"nothing but a comment", "  # root\n\n", ""},
      {"no blanks", R"(root::="a""b")", "root ::= \"ab\"\n"},
      {"names", "root ::= A-0 9\nA-0 ::= \"a\"\n9 ::= \"b\"",
       "root ::= A-0 9\nA-0 ::= \"a\"\n9 ::= \"b\"\n"},
      {"tabs, CRLF and CR", "\troot\t::=\ta\t\r\na ::= \"b\"\rb ::= \"c\"\r\n",
       "root ::= a\na ::= \"b\"\nb ::= \"c\"\n"},
      {"a comment ends a line", "root ::= \"a\" # b | c\na ::= . # end",
       "root ::= \"a\"\na ::= .\n"},
      {"a rule on the lines after its name", "root ::=\n\n  # why\n  \"a\"\n", "root ::= \"a\"\n"},
      {"a rule goes on after |", "root ::= \"a\" |\n\n # b\n \"b\" |\n \"c\"",
       "root ::= \"a\" | \"b\" | \"c\"\n"},
      {"newlines in a group", "root ::= (\n\"a\"\n|\n\"b\"\n)\n*",
       "g:6:1: expected a rule's name, found '*'"},
      {"a repetition in a group may stand on the next line", "root ::= (\"a\"\n*\n{2}\n)",
       "root ::= (\"a\"*){2}\n"},
      {"blanks before a repetition", "root ::= \"a\" * \"b\" { 2 , 3 }",
       "root ::= \"a\"* \"b\"{2,3}\n"},
      {"counts", R"(root ::= "a"{0} "b"{1} "c"{2} "d"{3,} "e"{0,} "f"{1,} "g"{0,1} "h"{0,5})",
       "root ::= \"b\" \"c\"{2} \"d\"{3,} \"e\"* \"f\"+ \"g\"? \"h\"{0,5}\n"},
      {"a repeated repetition", R"(root ::= "a"?{2}{3})", "root ::= ((\"a\"?){2}){3}\n"},
      {"empty options", "root ::= \"a\" | | (|\"b\")", "root ::= \"a\" | \"\" | \"b\"\n"},
      {"an empty rule", "root ::=\n", "root ::= \"\"\n"},
      {"an empty rule takes the next line for its own", "root ::=\na ::= \"b\"",
       "g:2:3: expected an item, '|' or the end of the line, found ':'"},
      {"escapes", R"(root ::= "\x41\u00e9\U0001F600\t\r\n\\\"\[\]\-")",
       "root ::= \"A\xC3\xA9\xF0\x9F\x98\x80\\t\\r\\n\\\\\\\"[]-\"\n"},
      {"a literal may hold a line end", "root ::= \"a\nb\"", "root ::= \"a\\nb\"\n"},
      {"classes", R"(root ::= [a-c] [^a-c"] [-a] [a-] [a^] [\]\[] . [^\n])",
       R"(root ::= [a-c] [^"a-c] [\x2Da] [\x2Da] [\x5Ea] [\[\]] . [^\n])"
       "\n"},
      {"escapes in a class", R"(root ::= [\x00-\x1F\u20AC\U0010FFFF\-] [a\-z])",
       R"(root ::= [\x00-\x1F\x2D\u20AC\U0010FFFF] [\x2Daz])"
       "\n"},
      {"a range from and to a dash", "root ::= [--0] [+--]", "root ::= [\\x2D-0] [+-\\x2D]\n"},
      {"half a surrogate pair in a class", R"(root ::= [\uD800-\uDFFF])",
       "root ::= [\\uD800-\\uDFFF]\n"},
      {"a reversed range matches nothing", "root ::= [z-a] [^z-a]",
       "root ::= [^\\x00-\\U0010FFFF] .\n"},
      {"an empty class is the empty text", "root ::= \"a\" [] [^] \"b\"", "root ::= \"ab\"\n"},
      {"tokens", "root ::= <tool call><[12]> ! <a>", "g:1:29: expected '<' after '!', found ' '"},
      {"negated tokens", "root ::= <tool call><[12]> !<a>* !<[0]>",
       "root ::= <tool call> <[12]> !<a>* !<[0]>\n"},
      {"of two definitions the last, in the place of the first",
       "root ::= x\nx ::= \"a\"\ny ::= \"b\"\nx ::= \"c\"",
       "root ::= x\nx ::= \"c\"\ny ::= \"b\"\n"},
      {"what a server refuses", "root ::= a_b \xC3\xA9{3,1} x{5000}",
       "root ::= a_b \xC3\xA9{3} x{1999}\n"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.name);
    CHECK(printed(row.text) == row.printed);
  }
}

TEST_CASE("parse_gbnf: is the inverse of print") {
  for (const NamedGrammar& row : small_grammars()) check_round_trip(row.grammar);
  RandomGrammar random(1);
  for (int i = 0; i < 500; ++i) check_round_trip(random.small(1 + i % 4));
  for (int i = 0; i < 2000; ++i) check_round_trip(random.wild(1 + i % 4));
}

TEST_CASE("parse_gbnf: records the locations of names") {
  const auto grammar = parse_gbnf("root ::= x (\"a\"\nx ){2,70} [] [b-a\\-]?\nx ::= root+", "g");
  REQUIRE(grammar.ok());
  const auto places = [&](const std::vector<NameSite>& sites) {
    std::string out;
    for (const NameSite& site : sites) {
      const LineColumn place = line_column(grammar->source, site.offset);
      out +=
          site.name + " " + std::to_string(place.line) + ":" + std::to_string(place.column) + " ";
    }
    return out;
  };
  CHECK(places(grammar->definitions) == "root 1:1 x 3:1 ");
  CHECK(places(grammar->references) == "x 1:10 x 2:1 root 3:7 ");
  REQUIRE(grammar->repetitions.size() == 3);
  CHECK(grammar->repetitions[0].offset == 19);
  CHECK(grammar->repetitions[0].min == 2);
  CHECK(grammar->repetitions[0].max == 70);
  CHECK(grammar->repetitions[0].symbols == 1);
  REQUIRE(grammar->oddities.size() == 3);
  CHECK(grammar->oddities[0].kind == Oddity::Kind::kEmptyClass);
  CHECK(grammar->oddities[1].kind == Oddity::Kind::kReversedRange);
  CHECK(grammar->oddities[2].kind == Oddity::Kind::kDashEscape);
  const auto& sequence = std::get<Sequence>(grammar->grammar.rules[0].expr.node);
  CHECK(std::get<Repetition>(sequence.items[1].node).at == 19);
}

TEST_CASE("parse_gbnf: counts symbols as llama.cpp does") {
  const struct {
    const char* text;
    std::uint64_t cost;  // the cost of the last repetition
  } rows[] = {
      {R"(root ::= "abc"{7})", 7},
      {R"(root ::= "abc"*)", 1},
      {R"(root ::= "abc"{7,})", 7},
      {R"(root ::= "abc"{0})", 1},
      {R"(root ::= "abc"{3}{5})", 15},
      {R"(root ::= ("a" "b" "c"){0,2000})", 2000},
      {R"(root ::= ("a"{0,9}){0,10})", 100},
      {R"(root ::= ("a"{5,9}){0,10})", 50},
      {R"(root ::= ("a"{5,}){0,10})", 20},
      {R"(root ::= ("a"{5}){0,10})", 10},
      {R"(root ::= (("a")("b")){0,10})", 30},
      {R"(root ::= (x y x root){0,10})", 30},
      {R"(root ::= x (x){0,10})", 10},
      {R"(root ::= x y{0,10})", 10},
      {R"(root ::= (("x"){0,50}){0,50})", 2600},
      {R"(root ::= (("x"){0,40}){0,40})", 1680},
      {R"(root ::= ("a"{0,100} "b"{0,100}){0,19})", 3819},
      {R"(root ::= "a"{0,5000})", 1},
      {R"(root ::= "a"{5,3}{99999999999999999999}{99999999999999999999})", 18446744073709551615u},
  };
  for (const auto& row : rows) {
    CAPTURE(row.text);
    const auto parsed = parse_gbnf(row.text, "g");
    REQUIRE(parsed.ok());
    CHECK(parsed->repetitions.back().cost() == row.cost);
  }
}

TEST_CASE("parse_gbnf: an error names the location, the expectation and the finding") {
  CHECK(error_of("root ::= \"a\"\nx = y\n") ==
        "g:2:3: expected '::=' after the rule's name, found '='\n"
        "  x = y\n"
        "    ^");
  CHECK(error_of("root ::= (\"a\"\n\t\t| \x1B[] {a}") ==
        "g:2:5: expected an item, '|' or the ')' for 1:10, found U+001B\n"
        "    | \xEF\xBF\xBD[] {a}\n"
        "      ^");
  const std::string words(500, 'w');
  CHECK(error_of("root ::= " + words + "; " + words) ==
        "g:1:510: expected an item, '|' or the end of the line, found ';'\n"
        "  ..." +
            std::string(48, 'w') + "; " + std::string(26, 'w') + "...\n" + std::string(53, ' ') +
            "^");
  CHECK(first_line(error_of("root ::= \"a\" " + words + "=" + words)) ==
        "g:1:514: expected an item, '|' or the end of the line, found '='");
}

TEST_CASE("parse_gbnf: hostile input is an error") {
  const std::string open(100'000, '(');
  CHECK(first_line(error_of("root ::= " + open)) ==
        "g:1:110: nests more than 100 deep; move the inner part into its own rule");
  CHECK(first_line(error_of("root ::= \"a\"" + std::string(100'000, '?'))) ==
        "g:1:112: nests more than 100 deep; move the inner part into its own rule");
  std::string deep = "\"a\"";
  for (int i = 0; i < 60; ++i) deep.insert(0, "(\"b\" ").append(")?");
  CHECK(first_line(error_of("root ::= " + deep)).find("nests more than 100 deep") !=
        std::string::npos);
  CHECK(error_of(std::string(kMaxGbnfBytes + 1, '\n')) ==
        "g: 1048577 bytes, more than the limit of 1048576 for a grammar");
  CHECK(first_line(error_of(std::string_view("root ::= \0", 10))) ==
        "g:1:10: expected text, found NUL, where a server stops reading");
  CHECK(first_line(error_of("root ::= \"\xC3\xA9\xFF\"")) ==
        "g:1:12: expected UTF-8, found the byte 0xFF");
}

TEST_CASE("parse_gbnf: reads the deepest nesting allowed") {
  std::string groups = "\"a\"";
  for (int i = 0; i < kMaxExprDepth; ++i) groups.insert(0, "(").append(")");
  CHECK(printed("root ::= " + groups) == "root ::= \"a\"\n");
  Expr deep = literal("a");
  for (int i = 1; i < kMaxExprDepth; ++i) deep = repetition(std::move(deep), 0, 2);
  check_round_trip(only(deep));
  CHECK_FALSE(parse_gbnf(print(only(maybe(deep))), "g").ok());
}

TEST_CASE("parse_gbnf: a megabyte of options is read at once") {
  std::string text = "root ::= \"0\"";
  for (int i = 1; i < 40'000; ++i) text += "|\"" + std::to_string(i) + "\"";
  const auto parsed = parse_gbnf(text, "g");
  REQUIRE(parsed.ok());
  CHECK(std::get<Alternation>(parsed->grammar.rules[0].expr.node).options.size() == 40'000);
}

TEST_CASE("source excerpt: lines end in three ways, columns are code points") {
  const std::string text = "a\r\nb\rc\n\xC3\xA9\xFFz";
  const auto at = [&](std::size_t offset) {
    const LineColumn place = line_column(text, offset);
    return std::to_string(place.line) + ":" + std::to_string(place.column);
  };
  CHECK(at(0) == "1:1");
  CHECK(at(1) == "1:2");
  CHECK(at(2) == "1:2");
  CHECK(at(3) == "2:1");
  CHECK(at(4) == "2:2");
  CHECK(at(5) == "3:1");
  CHECK(at(7) == "4:1");
  CHECK(at(9) == "4:2");
  CHECK(at(10) == "4:3");
  CHECK(at(text.size()) == "4:4");
  CHECK(excerpt(text, 2) == "  a\n   ^");
  CHECK(excerpt(text, 10) == "  \xC3\xA9\xEF\xBF\xBDz\n    ^");
  CHECK(excerpt("", 0) == "  \n  ^");
}

}  // namespace pedro
