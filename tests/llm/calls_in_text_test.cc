#include <doctest/doctest.h>

#include "base/text.h"
#include "chat_format/callable_tools.h"
#include "llm/loose_calls.h"

namespace pedro {
namespace {

// Returns "NAME ARGS" of a call, or the kind of a rejected part.
std::string shown(const std::vector<CallPart>& parts) {
  std::vector<std::string> all;
  for (const CallPart& part : parts) {
    const auto* call = std::get_if<ParsedCall>(&part);
    all.push_back(call ? call->tool + " " + to_line(call->args)
                       : std::string(to_string(std::get<RejectedText>(part).problem.kind)));
  }
  return join(all, "; ");
}

std::string tagged(const std::string& call) {
  return "<tool_call>\n" + call + "\n</tool_call>\n";
}

}  // namespace

TEST_CASE("calls in text: wrong calls are found beside valid ones, and alone") {
  const auto tools = CallableTools::read(
      R"([{"name":"file","parameters":{"type":"object","required":["path"],"additionalProperties":false,"properties":{"path":{"type":"string"}}}}])");
  REQUIRE(tools.ok());
  const std::string good = R"({"name": "file", "arguments": {"path": "a"}})";
  const std::string draft = R"({"name": "file", "arguments": {"path": "z"}})";
  struct Row {
    const char* name;
    std::string text;
    const char* found;
    const char* valid;  // only if all parts are valid
  };
  for (const Row& row : {
           Row{"a valid call", tagged(good), R"(file {"path":"a"})", R"(file {"path":"a"})"},
           Row{"a missing parameter", tagged(R"({"name": "file", "arguments": {}})"), "file {}",
               ""},
           Row{"an unknown tool", tagged(R"({"name": "edit", "arguments": {"path": "a"}})"),
               R"(edit {"path":"a"})", ""},
           Row{"a trailing comma", tagged(R"({"name": "file", "arguments": {"path": "a",}})"),
               R"(file {"path":"a"})", R"(file {"path":"a"})"},
           Row{"a trailing comma and a missing parameter",
               tagged(R"({"name": "file", "arguments": {},})"), "not-json", ""},
           Row{"a valid call and one of an unknown tool",
               tagged(good) + tagged(R"({"name": "edit", "arguments": {}})"),
               R"(file {"path":"a"}; edit {})", ""},
           Row{"a valid call and a broken one", tagged(good) + tagged(R"({"name": "file", )"),
               R"(file {"path":"a"}; not-json)", ""},
           Row{"a draft in thinking", "<thinking>" + tagged(draft) + "</thinking>" + tagged(good),
               R"(file {"path":"a"})", R"(file {"path":"a"})"},
           Row{"a draft in thinking without its first tag", draft + " hm\n</think>\n" + good,
               R"(file {"path":"a"})", R"(file {"path":"a"})"},
           Row{"a loose draft in thinking before text", "<think>file(path='z')</think>I stop here.",
               "", ""},
           Row{"a loose draft in thinking alone", "<think>file(path='z')</think>\n",
               R"(file {"path":"z"})", R"(file {"path":"z"})"},
           Row{"another spelling of the tool",
               tagged(R"({"name": "File", "arguments": {"path": "a"}})"), R"(File {"path":"a"})",
               R"(File {"path":"a"})"},
           Row{"a call before thinking", tagged(good) + "</think>Done.", R"(file {"path":"a"})",
               R"(file {"path":"a"})"},
           Row{"in parameters", "<tool_call>\n<function=file>\n</function>\n</tool_call>",
               "file {}", ""},
           Row{"prose", "I read the file a {now}.", "", ""},
           Row{"nothing", "", "", ""},
       }) {
    CAPTURE(row.name);
    CHECK(shown(calls_in_text(row.text, tools->branches())) == row.found);
    CHECK(shown(valid_calls_in_text(row.text, tools->branches())) == row.valid);
    CHECK(calls_in_text(row.text, {}).empty());
  }
}

}  // namespace pedro
