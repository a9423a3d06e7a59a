#include "format/tool_call_parser.h"

#include <doctest/doctest.h>

#include "base/json.h"

namespace pedro {
namespace {

// "tool{args} tool{args}", or "! problem".
std::string parsed(std::string_view text) {
  const ParsedReply reply = parse_tool_calls(text);
  if (reply.calls.empty()) return "! " + reply.problem;
  std::string out;
  for (const WrittenCall& call : reply.calls) {
    out += (out.empty() ? "" : " ") + call.tool + to_line(call.args);
  }
  return out;
}

}  // namespace

TEST_CASE("parser: every way a model writes a call") {
  struct Row {
    const char* name;
    const char* text;
    const char* expected;
  };
  for (const Row& row : {
           Row{"one object", R"({"tool": "a", "args": {"x": 1}})", R"(a{"x":1})"},
           Row{"an array", R"([{"tool":"a","args":{}},{"name":"b","arguments":{"y":2}}])",
               R"(a{} b{"y":2})"},
           Row{"parameters", R"({"name":"a","parameters":{"x":1}})", R"(a{"x":1})"},
           Row{"arguments as a string", R"({"name":"a","arguments":"{\"x\":1}"})", R"(a{"x":1})"},
           Row{"no arguments", R"({"tool":"a"})", "a{}"},
           Row{"in a code block", "Let me look.\n```json\n{\"tool\":\"a\",\"args\":{}}\n```\n",
               "a{}"},
           Row{"two code blocks", "```\n{\"tool\":\"a\"}\n```\n```json\n{\"tool\":\"b\"}\n```",
               "a{} b{}"},
           Row{"lines among text",
               "First\n{\"tool\":\"a\"}\nthen {\"tool\":\"b\",\"args\":{\"t\":\"}{\"}} ok",
               R"(a{} b{"t":"}{"})"},
           Row{"braces in text before it", "f() { return; } {\"tool\":\"a\"}", "a{}"},
           Row{"a package.json is no call", "```json\n{\"name\":\"pkg\",\"version\":\"1\"}\n```",
               "! the JSON object is not a call: expected \"tool\" and \"args\""},
           Row{"plain text", "I am done.", "! "},
           Row{"cut", R"({"tool":"a","args":{"x":"lo)", "! the JSON object is not closed"},
           Row{"trailing comma", R"({"tool":"a",})",
               "! not valid JSON: 1:13: syntax error while parsing object key - unexpected '}'; "
               "expected string literal"},
       }) {
    CAPTURE(row.name);
    CHECK(parsed(row.text) == row.expected);
  }
}

TEST_CASE("parser: hostile text costs little") {
  CHECK(parse_tool_calls(std::string(500'000, '{')).calls.empty());
  CHECK(parse_tool_calls(std::string(2'000'000, 'x')).problem ==
        "a reply of 2000000 bytes is too long to be a call");
  std::string many = "[";
  for (int i = 0; i < 100; ++i) many += std::string(i > 0 ? "," : "") + R"({"tool":"a"})";
  CHECK(parse_tool_calls(many + "]").calls.empty());
  CHECK(parse_tool_calls(many + "]").problem == "it has more than 32 calls");
}

}  // namespace pedro
