#include "llm/merged_schema.h"

#include <doctest/doctest.h>

#include <map>
#include <string>

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
           Row{"arrays of different items",
               R"({"anyOf":[{"properties":{"a":{"type":"array","items":{"type":"integer"}}}},
                            {"properties":{"a":{"type":"array","items":{"type":"object"}}}}]})",
               R"({"type":"object","properties":{"a":{"type":"array","items":{}}}})"},
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

TEST_CASE("merged schema: each array has items") {
  for (
      const auto& [parameters, expected] : std::map<std::string, std::string>{
          {"x \"array\"", "x \"array\""},
          {R"({"type": "array", "items": {}})", R"({"type":"array","items":{}})"},
          {R"({"type": "array", "prefixItems": []})", R"({"type":"array","prefixItems":[]})"},
          {R"({"properties":{"type":{"type":"array"},"b":{"default":{"type":"array"}}}})",
           R"({"properties":{"type":{"type":"array","items":{}},"b":{"default":{"type":"array"}}}})"},
          {R"({"anyOf":[{"items":{"type":"array"},"type":"array"}]})",
           R"({"anyOf":[{"items":{"type":"array","items":{}},"type":"array"}]})"}}) {
    CHECK(with_array_items(parameters) == expected);
  }
}

}  // namespace pedro
