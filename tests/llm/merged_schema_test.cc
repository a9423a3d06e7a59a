#include "llm/merged_schema.h"

#include <doctest/doctest.h>

#include "base/json.h"

namespace pedro {

TEST_CASE("merged schema: the options of a tool's parameters become one object") {
  struct Row {
    const char* name;
    const char* parameters;
    const char* merged;
  };
  for (const Row& row : {
           Row{"no options", R"({"type":"object","properties":{"a":{}}})",
               R"({"type":"object","properties":{"a":{}}})"},
           Row{"no JSON", "x", "x"},
           Row{"two options",
               R"({"type":"object","properties":{},"anyOf":[
                   {"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"}},
                    "required":["a","b"]},
                   {"type":"object","properties":{"a":{"type":"string","description":"d"}},
                    "required":["a"]}]})",
               R"({"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"}},)"
               R"("required":["a"]})"},
           Row{"nothing in common",
               R"({"anyOf":[{"properties":{"a":{"type":"string"}},"required":["a"]},
                            {"properties":{"a":{"type":"array"}}}]})",
               R"({"type":"object","properties":{"a":{}}})"},
       }) {
    CAPTURE(row.name);
    const std::string merged = merged_options(row.parameters);
    CHECK(merged == row.merged);
  }
}

}  // namespace pedro
