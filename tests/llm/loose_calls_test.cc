#include "llm/loose_calls.h"

#include <doctest/doctest.h>

#include <string>

#include "chat_format/callable_tools.h"
#include "json_schema/schema.h"

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

// Finds calls of tools with actions.
std::string edits_in(const std::string& text) {
  const auto schema = [](const char* action, const char* parameters) {
    const std::string json = R"({"type":"object","properties":{"action":{"const":")" +
                             std::string(action) + "\"}" + parameters + "}";
    return *parse_schema(*parse_json(json), SchemaDialect::kClosed);
  };
  const Schema lines = schema(
      "edit_lines",
      R"(,"path":{"type":"string"},"line":{"type":"integer"},"text":{"type":"string"}},"required":["action","path","line","text"])");
  const Schema read = schema("read", R"(,"path":{"type":"string"}})");
  const Schema status = schema("status", "}");
  const CallBranch branches[] = {{"code_edit", "edit_lines", &lines},
                                 {"code_edit", "read", &read},
                                 {"file", "read", &read},
                                 {"git", "status", &status}};
  std::string all;
  for (const CallPart& part : loose_calls(text, branches)) {
    const auto& call = std::get<ParsedCall>(part);
    all += call.tool + to_line(call.args) + ";";
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
        "I use the file tool with these arguments:\n\n" + std::string(kArgs),
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

TEST_CASE("loose calls: spellings, keys and places of names") {
  const std::string args = R"({"action": "edit_lines", "path": "a.c", "line": 1, "text": "b"})";
  const std::string rest = R"({"path": "a.c", "line": 1, "text": "b"})";
  const std::string members = args.substr(1);
  for (const std::string& text : {
           R"({"tool": "codeEdit", "args": )" + args + "}",
           R"({"tool": "code-edit", "args": )" + args + "}",
           R"({"tool": "Code Edit", "args": )" + args + "}",
           R"({"tool": "edit_lines", "args": )" + rest + "}",
           R"({"tool": "code_edit", "action": "edit_lines", "args": )" + rest + "}",
           R"({"toolName": "code_edit", "input": )" + args + "}",
           R"({"call": "code_edit", "args": )" + args + "}",
           R"({"method": "code_edit", "params": )" + args + "}",
           R"({"name": "code_edit", "kwargs": )" + args + "}",
           R"({"tool": "code_edit", "payload": )" + args + "}",
           R"({"type": "code_edit", )" + members,
           R"({"code_edit": {"edit_lines": )" + rest + "}}",
           R"({"code_edit.edit_lines": )" + rest + "}",
           R"({"args": )" + args + "}",
           args,
           "Edit:\n```json\n" + args + "\n```",
           "Using the code_edit tool with these arguments:\n\n" + args,
           "I call `code_edit` like this:\n```json\n" + args + "\n```",
           "code_edit -> " + args,
           "code_edit edit_lines " + rest,
           "<tool>code_edit</tool>\n<parameters>" + args + "</parameters>",
           "<use_tool>\n<tool>code_edit</tool>\n<arguments>\n" + args +
               "\n</arguments>\n</use_tool>",
           std::string(
               R"({"name": "code_edit", "arguments": [{"name": "action", "value": "edit_lines"},
               {"name": "path", "value": "a.c"}, {"name": "line", "value": 1},
               {"name": "text", "value": "b"}]})"),
           std::string("code_edit.edit_lines(path='a.c', line=1, text='b')"),
           std::string("```python\nedit_lines(path='a.c', line=1, text='b')\n```"),
           std::string("code_edit({action: \"edit_lines\", path: \"a.c\", line: 1, text: `b`})"),
           std::string("code_edit edit_lines path=\"a.c\" line=1 text=\"b\""),
           std::string("[code_edit action=\"edit_lines\" path=\"a.c\" line=1 text=\"b\"]"),
           std::string(
               "```bash\ncode_edit --action edit_lines --path a.c --line 1 --text \"b\"\n```"),
       }) {
    CAPTURE(text);
    CHECK(edits_in(text) ==
          R"(code_edit{"action":"edit_lines","path":"a.c","line":1,"text":"b"};)");
  }
}

TEST_CASE("loose calls: tags with attributes, names and arguments of their own") {
  const std::string tags =
      "<action>edit_lines</action>\n<path>a.c</path>\n<line>1</line>\n"
      "<text>b\n</text>\n";
  for (const std::string& text : {
           std::string(
               "<code_edit action=\"edit_lines\" path=\"a.c\" line=\"1\">\nb\n</code_edit>"),
           std::string("<code_edit action=\"edit_lines\" path=\"a.c\" line=\"1\" text=\"b\"/>"),
           std::string("<code_edit action=\"edit_lines\" path=\"a.c\"><line>1</line>"
                       "<text>b\n</text></code_edit>"),
           "<tool_call>\n<name>code_edit</name>\n<arguments>\n" + tags + "</arguments>",
           "<code_edit>\n<args>\n" + tags + "</args>\n</code_edit>",
           "<tool_call name=\"code_edit\">\n<parameters>\n" + tags + "</parameters>",
           "<code_edit>\n<edit_lines>\n" + tags.substr(28) + "</edit_lines>\n</code_edit>",
       }) {
    CAPTURE(text);
    CHECK(edits_in(text) ==
          R"(code_edit{"action":"edit_lines","path":"a.c","line":1,"text":"b"};)");
  }
}

TEST_CASE("loose calls: a name, an action or a description alone is no call") {
  for (const char* const text :
       {R"({"action": "read", "path": "a"})",              // an action of two tools
        R"({"action": "status", "enabled": true})",        // data
        R"({"name": "status", "version": "1"})",           // data
        R"({"name": "status"})",                           // data
        R"({"type": "file", "path": "a"})",                // data
        R"({"main": "file", "type": "git", "args": {}})",  // two names
        R"({"path": "a.c", "line": 1, "text": "b"})",
        "I call status() and then read(path='a').",
        "text.edit_lines(path='a', line=1, text='b')",  // a function of another object
        "def edit_lines(path='a', line=1, text='b'): pass",
        "edit_lines(path=name, line=1, text='b')",  // a variable
        "edit_lines(path='a' + name, line=1, text='b')",
        "edit_lines(path=f'{a}', line=1, text='b')",
        "edit_lines('a', 1, 'b')",
        "Use the `file` tool {\"path\": \"a\"}, or call file with {\"path\": \"a\"}.",
        "Use code_edit edit_lines path=\"a\" line=1 text=\"b\" for it.",
        "code_edit edit_lines path=a line=1",
        "The `code_edit` tool takes a path. See {\"path\": \"a\"}",
        R"({"thought": "I could write {\"tool\": \"git\", \"args\": {\"action\": \"status\"}}."})",
        R"x({"tool": "file", "args": {"text": "f("{"tool": "git", "args": {}}")"}})x",
        "<b>file</b> and <a href=\"file\">git</a>"}) {
    CAPTURE(text);
    CHECK(edits_in(text) == "");
  }
}

TEST_CASE("loose calls: deviations from JSON") {
  struct Row {
    const char* text;
    const char* args;
  };
  for (const Row& row : {
           Row{R"(file{"path": "a" "x": 1})", R"({"path":"a","x":1})"},
           Row{R"(file{"path": "a",, "x": 1})", R"({"path":"a","x":1})"},
           Row{R"(file{path": "a"})", R"({"path":"a"})"},
           Row{R"(file{"path": "a\.b\_c"})", R"({"path":"a.b_c"})"},
           Row{R"(file{"path": "\d+\. [x]"})", R"({"path":"\\d+\\. [x]"})"},
           Row{R"(file{"x": +1, "y": 01, "z": -0.5, "w": 0})", R"({"x":1,"y":1,"z":-0.5,"w":0})"},
           Row{"file{path: src/a.c, x: true}", R"({"path":"src/a.c","x":true})"},
           Row{R"(file{"path"= "a", x => 1})", R"({"path":"a","x":1})"},
           Row{"file{\"path\": \"\"\"a\n\"b\"\"\"\"}", R"()"},
           Row{"file{\"path\": \"\"\"a\n'b'\"\"\"}", R"({"path":"a\n'b'"})"},
           Row{"file{\"path\": `a\n\"b\"`}", R"({"path":"a\n\"b\""})"},
           Row{"file{\"path\": `a${b}`}", ""},
           Row{R"(file{"path": "a" + " b" "c"})", R"({"path":"a bc"})"},
           Row{R"(file{"path": "a" + b})", ""},
           Row{R"(file{"path": ["a" "b"]})", R"({"path":["a","b"]})"},
           Row{R"(file{"path": name})", ""},
           Row{R"(file{"path"})", ""},
           Row{R"(file{"path": })", ""},
           Row{R"(file{"a", "b"})", ""},
           Row{R"("{\"tool\": \"file\", \"args\": {\"path\": \"a\\n\\\"b\\\"\"}}")",
               R"({"path":"a\n\"b\""})"},
           Row{"{\"tool\"\uff1a\"file\"\uff0c\"args\"\uff1a{\"path\"\uff1a\"a\"}}",
               R"({"path":"a"})"},
           Row{"\ufeff{\u200b\"tool\":\u00a0\"file\", \u201cpath\u201d: \u201ca\u201d}",
               R"({"path":"a"})"},
           Row{R"({"name": "file", "arguments": '{"path": "a\n"}'})", R"({"path":"a\n"})"},
           Row{R"({"name": "file", "arguments": "{"path": "a\n"}"})", R"({"path":"a\n"})"},
           Row{"file(\n  path='a' 'b',  # a part\n  x=r'\\d', y=\"c\"\n)",
               R"({"path":"ab","x":"\\d","y":"c"})"},
           Row{"file(path: \"a\", x = None)", R"({"path":"a","x":null})"},
       }) {
    CAPTURE(row.text);
    const std::string found = found_in(row.text);
    const std::string args = row.args;
    CHECK((args.empty() ? found == "" : found.starts_with("file" + args + "@")));
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
  for (const char* const unit : {"file<arg_key>",
                                 "<function=file><parameter=path>",
                                 "<file><path>",
                                 "<name>file</name>",
                                 "<file path=",
                                 "<file path=\"",
                                 "<file path=\u201c",
                                 "file(path=\u201c",
                                 "\nfile path=\u201c",
                                 "<",
                                 "\nfile path=",
                                 "file --a ",
                                 "{\\\"",
                                 "{\"file\":",
                                 "{\"file\": \"{\\\"",
                                 "{\"a\": \"b\" + ",
                                 "{file:",
                                 "(file(",
                                 "{'",
                                 "{`",
                                 "{# ",
                                 "file with the "}) {
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
