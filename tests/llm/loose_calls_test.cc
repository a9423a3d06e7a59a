#include "llm/loose_calls.h"

#include <doctest/doctest.h>

#include <string>

#include "chat_format/callable_tools.h"

namespace pedro {
namespace {

std::string found_in(const std::string& text) {
  const auto tools = CallableTools::read(
      R"([{"name":"file","parameters":{"type":"object","properties":{"path":{"type":"string"}}}}])");
  REQUIRE(tools.ok());
  std::string all;
  for (const CallPart& part : loose_calls(text, tools->branches())) {
    const auto& call = std::get<ParsedCall>(part);
    all += call.tool + to_line(call.args) + "@" + text.substr(call.where.end - 1, 1) + ";";
  }
  return all;
}

}  // namespace

TEST_CASE("loose calls: forms of servers that remove markers, and of models that misspell them") {
  const char* const kArgs = R"({"path": "a"})";
  for (const std::string& text :
       {"file" + std::string(kArgs),
        "file[ARGS]" + std::string(kArgs),
        "file\n" + std::string(kArgs),
        "functions.file:0" + std::string(kArgs),
        std::string("call:file{path: \"a\"}"),
        std::string("<start_function_call>call:file{path:<escape>a<escape>}<end_function_call>"),
        ">>>file\n" + std::string(kArgs),
        "<tool_call>file\n```json\n" + std::string(kArgs) + "\n```</tool_call>",
        "commentary to=functions.file json" + std::string(kArgs),
        "<|tool_call_begin|>function<|tool_sep|>file\n```json\n" + std::string(kArgs) + "\n```",
        "Thought: I look.\nAction: file\nAction Input: " + std::string(kArgs) + "\nObservation:",
        "<function=file>" + std::string(kArgs) + "</function>",
        "<function name=\"file\">" + std::string(kArgs) + "</function>",
        "**Action:** file\n**Action Input:** " + std::string(kArgs),
        "<tool_use>\n<name>file</name>\n<arguments>" + std::string(kArgs) + "</arguments>",
        R"({"name": "functions.file", "arguments": )" + std::string(kArgs) + "}",
        R"({"action": "file", "action_input": )" + std::string(kArgs) + "}",
        R"({"tool": "file", "tool_input": )" + std::string(kArgs) + "}",
        std::string(R"({"name": "file", "arguments": [{"path": "a"}]})"),
        R"({"function_name": "file", "function_args": )" + std::string(kArgs) + "}",
        R"({"tool_name": "file", "tool_arguments": )" + std::string(kArgs) + "}",
        std::string(R"({"name": "file", "path": "a"})"),
        std::string(R"({"name": "file", "arguments": "{\"path\": \"a\"}"})"),
        std::string(R"({"name": "file", "arguments": "\"{\\\"path\\\": \\\"a\\\"}\""})"),
        std::string(R"({"name": "file", "arguments": {"path": "a",},})"),
        std::string(R"({'name': 'file', 'arguments': {'path': 'a'}})"),
        std::string("{\n  \"name\": \"file\", // the tool\n  # or so\n"
                    "  /* { */ \"arguments\": {\"path\": \"a\"}\n}")}) {
    CAPTURE(text);
    CHECK(found_in(text) == R"(file{"path":"a"}@};)");
  }
}

TEST_CASE("loose calls: calls in Python and in tags") {
  for (const char* const text :
       {"file(path='a')", "```python\nfile(path=\"a\")\n```", "print(default_api.file(path='a'))",
        "<|python_start|>[file(path='a')]<|python_end|>",
        "<function_calls>file(path='a')</function_calls>"}) {
    CAPTURE(text);
    CHECK(found_in(text) == R"(file{"path":"a"}@);)");
  }
  for (const char* const text :
       {"<tool_call>\n<function=\"file\">\n<parameter=\"path\">\na\n</parameter>\n</function>",
        "<function name=\"file\">\n<parameter name='path'>a</parameter>\n</function>",
        "<x:invoke name=\"file\"><x:parameter name=\"path\">a</x:parameter></x:invoke>",
        "<seed:tool_call><function=file><parameter=path>\na\n</parameter></function>",
        "I look.\n<file>\n<path>a</path>\n</file>",
        "file\n<arg_key>path</arg_key>\n<arg_value>a</arg_value>",
        "<tool_call>file<arg_key>path<arg_value>a</arg_value></tool_call>",
        "<longcat_tool_call>file\n<longcat_arg_key>path</longcat_arg_key>\n"
        "<longcat_arg_value>a</longcat_arg_value>"}) {
    CAPTURE(text);
    CHECK(found_in(text) == R"(file{"path":"a"}@>;)");
  }
  CHECK(found_in("the file (path='a') and <b name=file>") == "");
  CHECK(found_in("<function name=\"file\"><parameter name=\"path\"><p>a</p>\n</parameter>") ==
        R"(file{"path":"<p>a</p>"}@>;)");
  CHECK(found_in("<function name=\"file\"><parameter name=\"path\"><p>a</p>") == "");  // cut
  CHECK(found_in("file<arg_key>path</arg_key><arg_value>a") == "");                    // cut
  CHECK(found_in("<function=edit><parameter=path>a</parameter>") == "");
  CHECK(found_in("<file><name>a</name></file> and <file>a</file>") == "");
}

TEST_CASE("loose calls: missing brackets are closed at a closing tag and at the end") {
  const std::string call = R"({"name": "file", "arguments": {"path": "a"})";
  CHECK(found_in(call + "\n</tool_call>") == "file{\"path\":\"a\"}@\n;");
  CHECK(found_in(call) == R"(file{"path":"a"}@};)");
  CHECK(found_in(call.substr(0, call.size() - 3)) == "");  // in a string: it was cut
}

TEST_CASE("loose calls: words of Python, quotes and escapes keep their meaning") {
  CHECK(found_in(R"(file{'path': 'it\'s "b"', 'x': [True, False, None, 1.5, -2]})") ==
        R"(file{"path":"it's \"b\"","x":[true,false,null,1.5,-2]}@};)");
  CHECK(found_in(R"(file{"path": "True // {#} ,}"})") == R"(file{"path":"True // {#} ,}"}@};)");
  CHECK(found_in("file{\"path\": \"a\n\tb\"}") == R"(file{"path":"a\n\tb"}@};)");
  CHECK(found_in(R"(file{"path": "a\nb\u0041"})") == R"(file{"path":"a\nbA"}@};)");
}

TEST_CASE("loose calls: arguments of calls are repaired, unless a string does not end") {
  struct Row {
    const char* arguments;
    const char* repaired;
  };
  for (const Row& row : {
           Row{"{'path': 'a', 'x': True}", R"({"path":"a","x":true})"},
           Row{R"({"path": "a",})", R"({"path":"a"})"},
           Row{R"({"path": {"b": "a")", R"({"path":{"b":"a"}})"},
           Row{R"({"path": "a"} )", R"({"path": "a"} )"},
           Row{R"({"path": "a"}</tool_call>)", R"({"path": "a"}</tool_call>)"},
           Row{R"({"path": "a)", R"({"path": "a)"},
           Row{R"({"path": "a",} and more)", R"({"path": "a",} and more)"},
           Row{"path: a", "path: a"},
           Row{"", ""},
       }) {
    std::vector<RequestedCall> calls = {{"1", "file", row.arguments}};
    repair_arguments(calls);
    CHECK(calls[0].arguments == row.repaired);
  }
}

TEST_CASE("loose calls: several calls, and text between them") {
  CHECK(found_in(R"(file{"path": "a"} and then file {"path": "b"})") ==
        R"(file{"path":"a"}@};file{"path":"b"}@};)");
  CHECK(found_in(R"([{"name": "file", "path": "a"}, {"name": "file", "path": "b"}])") ==
        R"(file{"path":"a"}@};file{"path":"b"}@};)");
}

TEST_CASE("loose calls: other texts are no calls") {
  for (const std::string& text :
       {std::string(), std::string("I read the file."), std::string("a file with {braces}"),
        std::string(R"(profile{"path": "a"})"), std::string(R"(edit{"path": "a"})"),
        std::string(R"(the file is this: see {"path": "a"})"), std::string(R"({"path": "a"})"),
        std::string(R"({"name": "edit", "arguments": {}})"), std::string("file{"),
        std::string("file{]"), std::string(R"({"name": "file", "arguments": [1]})")}) {
    CAPTURE(text);
    CHECK(found_in(text) == "");
  }
}

TEST_CASE("loose calls: deep and long inputs end early") {
  CHECK(found_in("file" + std::string(100'000, '{')) == "");
  CHECK(found_in("file{\"a\":" + std::string(100'000, '[')) == "");
  for (const char* const unit :
       {"file<arg_key>", "<function=file><parameter=path>", "<file><path>"}) {
    CAPTURE(unit);
    std::string open_tags;
    for (int i = 0; i < 100'000; ++i) open_tags += unit;
    CHECK(found_in(open_tags) == "");
  }
  std::string open_strings;
  for (int i = 0; i < 20'000; ++i) open_strings += "file('''";
  CHECK(found_in(open_strings) == "");
  std::string many;
  for (int i = 0; i < 10'000; ++i) many += R"(file{"path": "a"} )";
  const std::string found = found_in(many);
  CHECK(std::count(found.begin(), found.end(), ';') == 32);
}

}  // namespace pedro
