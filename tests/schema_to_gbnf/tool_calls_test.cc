#include "schema_to_gbnf/tool_calls.h"

#include <doctest/doctest.h>

#include <deque>
#include <string>
#include <string_view>

#include "gbnf/match.h"

namespace pedro {
namespace {

CallBranch branch(std::string tool, std::string action, std::string_view schema) {
  const auto json = parse_json(schema);
  REQUIRE(json.ok());
  auto parsed = parse_schema(*json, SchemaDialect::kClosed);
  REQUIRE(parsed.ok());
  static std::deque<Schema> schemas;
  schemas.push_back(std::move(*parsed));
  return CallBranch{std::move(tool), std::move(action), &schemas.back()};
}

std::vector<CallBranch> some_tools() {
  return {
      branch("search", "grep", R"({"type": "object", "properties": {"action": {"const": "grep"},
             "pattern": {"type": "string", "maxLength": 9}}, "required": ["action", "pattern"]})"),
      branch("git", "status", R"({"type": "object", "properties": {"action": {"const": "status"}},
             "required": ["action"]})"),
      branch("search", "find_files",
             R"({"type": "object", "properties": {"action": {"const": "find_files"},
             "glob": {"type": "string", "maxLength": 9}, "tags": {"type": "array", "items": {"const": 1}, "uniqueItems": true}},
             "required": ["action", "glob"]})"),
      branch("phase_complete", "",
             R"({"type": "object", "properties": {"done": {"type": "boolean"}},
             "required": ["done"]})"),
  };
}

constexpr const char* kGolden =
    R"gbnf(root ::= "{\"tool\": \"" ("search\", \"args\": " search | "git\", \"args\": " git | "phase_complete\", \"args\": " phase-complete) "}"
char ::= [^\x00-\x1F"\\\x7F] | "\\" (["/\\bfnrt] | "u" ([0-9A-CEFa-cef] [0-9A-Fa-f]{3} | [Dd] [0-7] [0-9A-Fa-f]{2} | [Dd] [89ABab] [0-9A-Fa-f]{2} "\\u" [Dd] [C-Fc-f] [0-9A-Fa-f]{2}))
string-0-9 ::= "\"" char{0,9} "\""
search-find-files-tags-next ::= ", 1"
search-find-files-tags ::= "[" ("]" | "1" search-find-files-tags-next* "]")
search ::= "{\"action\": \"" ("grep\", \"pattern\": " string-0-9 "}" | "find_files\", \"glob\": " string-0-9 (", \"tags\": " search-find-files-tags)? "}")
git ::= "{\"action\": \"status\"}"
boolean ::= "true" | "false"
phase-complete ::= "{\"done\": " boolean "}"
)gbnf";

}  // namespace

TEST_CASE("tool calls: each tool occurs once, and its actions branch at their names") {
  std::vector<Loosened> loosened;
  CHECK(print(tool_call_grammar(some_tools(), {}, &loosened)) == kGolden);
  REQUIRE(loosened.size() == 1);
  CHECK(loosened[0].pointer == "search.find_files: /properties/tags");
  CHECK(loosened[0].keyword == "uniqueItems");
  CHECK(print(tool_call_grammar(some_tools())) == kGolden);
}

TEST_CASE("tool calls: exactly one call of a branch, to the letter") {
  const Gbnf grammar = tool_call_grammar(some_tools());
  struct Row {
    const char* text;
    bool fits;
  };
  const Row rows[] = {
      {R"({"tool": "search", "args": {"action": "grep", "pattern": "a b"}})", true},
      {R"({"tool": "search", "args": {"action": "find_files", "glob": "*", "tags": [1, 1]}})",
       true},
      {R"({"tool": "search", "args": {"action":"find_files","glob":"*","tags": [1]}})", false},
      {R"({"tool": "git", "args": {"action": "status"}})", true},
      {R"({"tool": "phase_complete", "args": {"done": true}})", true},
      {R"({"tool": "git", "args": {"action": "grep", "pattern": "a"}})", false},
      {R"({"tool": "search", "args": {"action": "grep", "glob": "a"}})", false},
      {R"({"tool": "bash", "args": {"action": "run"}})", false},
      {R"({"tool": "git", "args": {"action": "status"}} )", false},
      {R"( {"tool": "git", "args": {"action": "status"}})", false},
      {R"({"tool":"git", "args": {"action": "status"}})", false},
      {R"({"args": {"action": "status"}, "tool": "git"})", false},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    CHECK(*matches(grammar, row.text) == row.fits);
  }
}

TEST_CASE("tool calls: the wrapping is a parameter") {
  const CallWrapping xml{{"<function="}, NameForm::kPlain, {">"}, {"</function>"}};
  const Gbnf grammar = tool_call_grammar(some_tools(), xml);
  CHECK(*matches(grammar, R"(<function=git>{"action": "status"}</function>)"));
  CHECK_FALSE(*matches(grammar, R"(<function="git">{"action": "status"}</function>)"));
}

TEST_CASE("tool calls: a wrapping that begins in the name's quotes and has tokens and ids in it") {
  const CallWrapping wrapping{
      {}, NameForm::kQuoteOpened, {OneToken{7}, MadeUpId{3}, ": "}, {OneToken{8}}};
  const std::vector<CallBranch> one = {some_tools()[1]};
  CHECK(print(tool_call_grammar(one, wrapping)) ==
        "root ::= \"git\\\"\" <[7]> [0-9A-Za-z]{3} \": \" git <[8]>\n"
        "git ::= \"{\\\"action\\\": \\\"status\\\"}\"\n");
}

TEST_CASE("tool calls: a grammar is made once for the same tools") {
  CallGrammars grammars;
  const std::vector<CallBranch> tools = some_tools();
  const std::string* first = &grammars.get(tools).text;
  CHECK(*first == kGolden);
  CHECK(&grammars.get(tools).text == first);
  const std::vector<CallBranch> fewer(tools.begin(), tools.end() - 1);
  CHECK(grammars.get(fewer).text != *first);
  CallWrapping other;
  other.close = {"}\n"};
  CHECK(grammars.get(tools, other).text != *first);
  other.close = {"}", "\n"};
  other.name = NameForm::kPlain;
  CHECK(grammars.get(tools, other).text.find("\"git, ") != std::string::npos);
  std::vector<CallBranch> changed = tools;
  changed[1] = branch("git", "status", R"({"type": "object", "properties": {"action":
      {"const": "status"}, "x": {"type": "null"}}, "required": ["action"]})");
  CHECK(grammars.get(changed).text != *first);
  for (const char* text : {"<end>", "<stop>"}) {  // of the same token in two vocabularies
    other.close = {OneToken{7, text}};
    CHECK(*grammars.get(tools, other).grammar == tool_call_grammar(tools, other));
  }
  for (std::size_t i = 0; i < CallGrammars::kMaxKept; ++i) {
    other.close.emplace_back("}");
    (void)grammars.get(tools, other).text;
  }
  CHECK(grammars.get(tools).text == kGolden);
}

// All branches share their sets of texts. Similar parts of different schemas must not be confused.
TEST_CASE("tool calls: branches with names of properties of their own") {
  const auto map_of = [](const char* names) {
    return std::string(R"({"type": "object", "propertyNames": {"pattern": ")") + names +
           R"("}, "additionalProperties": {"type": "null"}})";
  };
  const std::vector<CallBranch> branches = {branch("low", "", map_of("^[a-c]+$")),
                                            branch("high", "", map_of("^[x-z]+$"))};
  const Gbnf grammar = tool_call_grammar(branches);
  CHECK(*matches(grammar, R"({"tool": "low", "args": {"abc": null}})"));
  CHECK_FALSE(*matches(grammar, R"({"tool": "low", "args": {"xyz": null}})"));
  CHECK(*matches(grammar, R"({"tool": "high", "args": {"xyz": null}})"));
  CHECK_FALSE(*matches(grammar, R"({"tool": "high", "args": {"abc": null}})"));
}

TEST_CASE("tool calls: one branch, and no branch") {
  const std::vector<CallBranch> one = {some_tools()[1]};
  CHECK(print(tool_call_grammar(one)) ==
        "root ::= \"{\\\"tool\\\": \\\"git\\\", \\\"args\\\": \" git \"}\"\n"
        "git ::= \"{\\\"action\\\": \\\"status\\\"}\"\n");
  CHECK_FALSE(*matches(tool_call_grammar({}), ""));
}

}  // namespace pedro
