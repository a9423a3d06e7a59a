// Tests tests/data/calls: a table per format (case_table.h). A row is a reply and its parts.
#include "call_parser/call_parser.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <random>

#include "call_parser/call_examples.h"
#include "chat_format/callable_tools.h"
#include "chat_format/format_family.h"
#include "messages_api/message_format.h"
#include "support/case_table.h"
#include "support/read_file.h"

namespace pedro {
namespace {

namespace fs = std::filesystem;

ByteRange where(const CallPart& part) {
  return std::visit([](const auto& one) { return one.where; }, part);
}

// Converts parts to JSON with their byte ranges, to compare two parses.
Json exactly(const std::vector<CallPart>& parts) {
  Json list = Json::array();
  for (const CallPart& part : parts) {
    list.push_back({in_json(part), where(part).begin, where(part).end});
  }
  return list;
}

struct Example {
  std::string name;
  CallSyntax syntax;
  std::string reply;
  Json expected;
};

// The call syntax of a format, or the syntax with this name if it is not a format.
std::optional<CallSyntax> syntax_of(const std::string& name) {
  for (const CallSyntax syntax : call_syntaxes()) {
    if (to_string(syntax) == name && !call_syntax_of(name)) return syntax;
  }
  return call_syntax_of(name);
}

std::vector<Example> examples() {
  std::vector<Example> all;
  for (const auto& file : fs::directory_iterator(fs::path(TEST_DATA) / "calls")) {
    const std::string format = file.path().stem().string();
    // Calls in message formats do not appear in text: see model_reply_test.cc.
    if (file.path().extension() != ".cases" || message_format_named(format)) continue;
    const auto syntax = syntax_of(format);
    REQUIRE(syntax);
    for (TableCase& row : read_case_table(file.path())) {
      Json expected = Json::array();
      for (const std::string& line : row.expected) expected.push_back(*parse_json(line));
      all.push_back({format + ": " + row.name, *syntax, std::move(row.input), std::move(expected)});
    }
  }
  return all;
}

CallableTools tools() {
  auto tools = CallableTools::read(read_file(fs::path(TEST_DATA) / "calls" / "tools.json"));
  REQUIRE(tools.ok());
  return *std::move(tools);
}

// Returns true if the parser recognizes the calls late: calls in thinking, calls without a marker,
// a last text without an end, and calls without an end.
bool is_known_later(const Example& example) {
  const bool thinks = example.reply.find("<think>") != std::string::npos ||
                      example.reply.find("[THINK]") != std::string::npos;
  return thinks || example.name.find(" bare ") != std::string::npos ||
         example.name.find("last parameter end missing") != std::string::npos ||
         example.name.find("known later") != std::string::npos;
}

}  // namespace

TEST_CASE("calls: parses calls as models write them") {
  const CallableTools known = tools();
  std::size_t count = 0;
  for (const Example& example : examples()) {
    CAPTURE(example.name);
    ++count;
    CHECK(in_json(parse_calls(example.reply, example.syntax, known.branches())) ==
          example.expected);
  }
  CHECK(count >= 200);
}

TEST_CASE("calls: a reply in pieces gives the same result as the whole reply") {
  const CallableTools known = tools();
  std::mt19937 random(1);  // NOLINT: always the same
  for (const Example& example : examples()) {
    CAPTURE(example.name);
    const Json whole = exactly(parse_calls(example.reply, example.syntax, known.branches()));
    for (int round = 0; round < 8; ++round) {
      CallParser parser(example.syntax, known.branches());
      for (std::size_t at = 0; at < example.reply.size();) {
        const std::size_t size = round == 0 ? 1 : 1 + random() % 24;
        parser.feed(std::string_view(example.reply).substr(at, size));
        at += size;
      }
      parser.finish();
      CHECK(exactly(parser.parts()) == whole);
    }
  }
}

TEST_CASE("calls: a call is found with its last byte") {
  const CallableTools known = tools();
  for (const Example& example : examples()) {
    if (is_known_later(example)) continue;
    CAPTURE(example.name);
    CallParser parser(example.syntax, known.branches());
    std::size_t seen = 0;
    for (std::size_t at = 0; at < example.reply.size(); ++at) {
      parser.feed(std::string_view(example.reply).substr(at, 1));
      for (; seen < parser.parts().size(); ++seen) {
        const CallPart& part = parser.parts()[seen];
        if (std::holds_alternative<ParsedCall>(part)) CHECK(where(part).end == at + 1);
      }
    }
    parser.finish();
    for (; seen < parser.parts().size(); ++seen) {
      const CallPart& part = parser.parts()[seen];
      if (std::holds_alternative<ParsedCall>(part))
        CHECK(example.reply.find_first_not_of('\n', where(part).end) == std::string::npos);
    }
  }
}

TEST_CASE("calls: every format has a syntax") {
  for (const FormatFamily& family : format_families()) {
    CAPTURE(family.name);
    CHECK(call_syntax_of(family.name));
  }
  CHECK_FALSE(call_syntax_of("mistral"));
}

TEST_CASE("calls: every syntax has a name that reads back") {
  std::string names;
  for (const CallSyntax syntax : call_syntaxes()) {
    names += fmt::format(" {}", to_string(syntax));
    CHECK(call_syntax_named(to_string(syntax)) == syntax);
  }
  CHECK(names == " tags glm invoke mistral deepseek kimi harmony gemma4 python llama gemma json");
  CHECK_FALSE(call_syntax_named(""));
  CHECK_FALSE(call_syntax_named("hermes"));  // the name of a format
}

TEST_CASE("calls: an action is held against its own schema") {
  const auto grep = parse_schema(*parse_json(R"({"type":"object","required":["action","pattern"],
      "properties":{"action":{"const":"grep"},"pattern":{"type":"string"}}})"));
  const auto count = parse_schema(*parse_json(R"({"type":"object","required":["action","n"],
      "properties":{"action":{"const":"count"},"n":{"type":"integer"}}})"));
  REQUIRE(grep.ok());
  REQUIRE(count.ok());
  const CallBranch branches[] = {{"find", "grep", &*grep}, {"find", "count", &*count}};
  struct Row {
    const char* name;
    const char* args;
    const char* expected;
  };
  for (const Row& row : {
           Row{"the first", R"({"action":"grep","pattern":"3"})", ""},
           Row{"the second", R"({"action":"count","n":3})", ""},
           Row{"the other's arguments", R"({"action":"count","pattern":"3"})",
               "find: /n: expected an integer (required), got nothing"},
           Row{"no action", R"({"n":3})",
               R"(find: /action: expected "grep" or "count", got nothing)"},
           Row{"an action that there is not", R"({"action":"sort"})",
               R"(find: /action: expected "grep" or "count", got "sort")"},
           Row{"an action that is no text", R"({"action":[1]})",
               R"(find: /action: expected "grep" or "count", got [1])"},
       }) {
    CAPTURE(row.name);
    const auto problem = KnownTools(branches).check("find", *parse_json(row.args));
    CHECK((problem ? to_string(*problem) : "") == row.expected);
  }
  const WrittenArgument written[] = {{"n", "3"}, {"action", "count"}};
  CHECK(to_line(KnownTools(branches).typed("find", written)) == R"({"n":3,"action":"count"})");
}

TEST_CASE("calls: a third party's tool may have a parameter called action") {
  const auto schema = parse_schema(*parse_json(R"({"type":"object","properties":{
      "action":{"enum":["open","close"]},"n":{"type":"integer"}},"required":["n"]})"));
  REQUIRE(schema.ok());
  const CallBranch branch{"door_use", "", &*schema};
  const KnownTools tools(std::span(&branch, 1));
  CHECK_FALSE(tools.check("door_use", *parse_json(R"({"n":1})")));
  CHECK_FALSE(tools.check("door_use", *parse_json(R"({"n":1,"action":"open"})")));
  const auto problem = tools.check("door_use", *parse_json(R"({"n":1,"action":"lock"})"));
  REQUIRE(problem);
  CHECK(to_string(*problem) == R"(door_use: /action: expected "open" or "close", got "lock")");
}

TEST_CASE("calls: without known tools every call will do") {
  const auto parts = parse_calls(R"({"tool":"any","args":{"x":[1]}})", CallSyntax::kJson);
  CHECK(to_line(in_json(parts)) == R"([{"tool":"any","args":{"x":[1]}}])");
}

TEST_CASE("calls: limits") {
  const std::string call = R"({"tool":"a"})";
  CallLimits limits;
  limits.max_bytes = 2 * call.size();
  CallParser parser(CallSyntax::kJson, {}, limits);
  parser.feed(call + call);
  CHECK(parser.parts().size() == 2);
  parser.feed(call);
  parser.feed(call);
  parser.finish();
  CHECK(to_line(in_json(parser.parts())) ==
        R"([{"tool":"a","args":{}},{"tool":"a","args":{}},)"
        R"({"rejected":"too-long","place":"1:25","expected":"at most 24 bytes","found":"more"}])");

  std::string many;
  for (int i = 0; i < 1000; ++i) many += "<tool_call>x";
  CHECK(parse_calls(many, CallSyntax::kTags).size() == CallLimits().max_rejected);
  std::string members = R"({"tool":"a","args":{)";
  for (int i = 0; i < 300; ++i) members += fmt::format(R"({}"k{}":1)", i > 0 ? "," : "", i);
  const auto parts = parse_calls(members + "}}", CallSyntax::kJson);
  REQUIRE(parts.size() == 1);
  CHECK(in_json(parts[0])["expected"] == "an object with fewer members");
}

// Repeats each text many times. The parser must not recurse, and must not take quadratic time.
TEST_CASE("calls: hostile replies cost little") {
  const CallableTools known = tools();
  for (const std::string_view text :
       {"{",
        "[",
        "{\"a\":",
        "{\"a\":{},",
        "{\"",
        "{\"a {",
        "{\"\\\"{\"",
        "{}",
        "\\",
        "\"",
        "<think>",
        "</think>",
        "<think>{\"tool\":\"x\"}</think>",
        "<tool_call>",
        "<tool_call>{",
        "<",
        "<tool_call",
        "\n",
        "<tool_call>f<arg_key>",
        "<tool_call>write<arg_key>content</arg_key><arg_value>\n</tool_call>\n",
        "<tool_call>write<arg_key>content</arg_key><arg_value>\n<arg_key>path</arg_key>",
        "<tool_call><function=write><parameter=content>\n</function>\n",
        "<tool_call><function=write><parameter=content>\n<parameter=path>\n",
        "<tool_call><function=write><parameter=content></parameter>",
        "<tool_call><function=write><parameter=content></parameter></function>",
        "</parameter> \n",
        "</parameter>\n<parameter=",
        "<tool_call>write<arg_key>content</arg_key><arg_value></arg_value>x",
        "[TOOL_CALLS]",
        "[TOOL_CALLS][{",
        "[TOOL_CALLS]x",
        "<｜tool▁call▁begin｜>",
        "<|channel|>",
        "<|channel|>to=x",
        "<|start|>",
        "<minimax:tool_call><invoke name=\"write\"><parameter name=\"content\">",
        "<invoke name=\"write\"><parameter name=\"content\"></parameter></invoke>x",
        "<｜DSML｜invoke name=\"write\"><｜DSML｜parameter name=\"content\">",
        "<|tool_call_begin|>functions.search:0<|tool_call_argument_begin|>",
        "<|tool_call>call:f{a:[",
        "<|tool_call>call:f{a:<|\"|>",
        "<|tool_call>call:f{a:'",
        "<|tool_call_start|>[f(a='",
        "\n[f(",
        "\n[f(a='",
        "```tool_code\n",
        "```tool_code\nf(",
        "<|python_tag|>",
        "<|python_tag|>f(a='"}) {
    CAPTURE(text);
    std::string reply;
    while (reply.size() < 65'536) reply += text;
    for (const CallSyntax syntax : call_syntaxes()) {
      const auto parts = parse_calls(reply, syntax, known.branches());
      CHECK(parts.size() <= CallLimits().max_calls + CallLimits().max_rejected);
    }
  }
}

TEST_CASE("calls: of several branches of an action one has to take the call") {
  const auto tools = CallableTools::read(R"([
    {"name": "a", "parameters": {"type": "object", "required": ["line"],
      "properties": {"path": {"const": "a.py"}, "line": {"type": "integer", "maximum": 3}}}},
    {"name": "b", "parameters": {"type": "object", "required": ["line"],
      "properties": {"path": {"const": "b.py"}, "line": {"type": "integer", "maximum": 9}}}}])");
  REQUIRE(tools.ok());
  std::vector<CallBranch> branches(tools->branches().begin(), tools->branches().end());
  for (CallBranch& branch : branches) branch.tool = "delete";
  struct Row {
    const char* args;
    const char* place;  // of the problem; "": no problem
  };
  for (const Row& row :
       {Row{R"({"path": "a.py", "line": 3})", ""}, Row{R"({"path": "b.py", "line": 9})", ""},
        Row{R"({"path": "a.py", "line": 9})", "delete: /line"},
        Row{R"({"path": "b.py", "line": 10})", "delete: /line"},
        Row{R"({"path": "c.py", "line": 1})", "delete: /path"}}) {
    CAPTURE(row.args);
    const std::string reply = fmt::format(R"({{"tool": "delete", "args": {}}})", row.args);
    const auto parts = parse_calls(reply, CallSyntax::kJson, branches);
    REQUIRE(parts.size() == 1);
    const auto* rejected = std::get_if<RejectedText>(&parts[0]);
    CHECK((rejected == nullptr ? "" : rejected->problem.place) == row.place);
  }
}

}  // namespace pedro
