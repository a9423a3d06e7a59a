#include "llm/meant_reply.h"

#include <doctest/doctest.h>

#include "chat_format/callable_tools.h"

namespace pedro {

TEST_CASE("meant reply: a call whose name and arguments are one text") {
  const auto tools = CallableTools::read(
      R"([{"type":"function","function":{"name":"f","parameters":{"type":"object",)"
      R"("properties":{"a":{"type":"integer"}}}}}])");
  REQUIRE(tools.ok());
  struct Row {
    RequestedCall call;
    const char* name;
    const char* arguments;
  };
  const char* const whole = R"({"name":"f","arguments":{"a":1}})";
  for (const Row& row : {
           Row{{"i", R"(f{"a":1})", "{}"}, "f", R"({"a":1})"},
           Row{{"i", R"(f {"a":1})", ""}, "f", R"({"a":1})"},
           Row{{"i", "f(a=1)", "{}"}, "f", R"({"a":1})"},
           Row{{"i", "", whole}, "f", R"({"a":1})"},
           Row{{"i", "f", whole}, "f", whole},
           Row{{"i", R"(f{"a":1})", R"({"a":2})"}, R"(f{"a":1})", R"({"a":2})"},
           Row{{"i", R"(g{"a":1})", "{}"}, R"(g{"a":1})", "{}"},
           Row{{"i", "", "{}"}, "", "{}"},
       }) {
    CAPTURE(row.call.name);
    CAPTURE(row.call.arguments);
    const auto calls = with_names({row.call}, tools->branches());
    REQUIRE(calls.size() == 1);
    CHECK(calls[0].id == "i");
    CHECK(calls[0].name == row.name);
    CHECK(calls[0].arguments == row.arguments);
  }
}

}  // namespace pedro
