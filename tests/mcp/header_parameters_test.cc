#include "mcp/header_parameters.h"

#include <doctest/doctest.h>

namespace pedro::mcp {
namespace {

Json schema_of(const char* text) {
  const auto json = parse_json(text);
  REQUIRE(json.ok());
  return *json;
}

}  // namespace

TEST_CASE("header parameters: annotations that `properties` reach") {
  const auto found = header_parameters(schema_of(R"({
    "type": "object",
    "properties": {
      "region": {"type": "string", "x-mcp-header": "Region"},
      "x-mcp-header": {"type": "string", "default": {"x-mcp-header": ""}},
      "at": {"type": "object", "properties": {"zone": {"type": "integer", "x-mcp-header": "Zone"}}},
      "dry": {"type": "boolean", "x-mcp-header": "a.b~1"}
    }})"));
  REQUIRE(found.ok());
  using Parameters = std::vector<HeaderParameter>;
  CHECK(*found == Parameters{{"Mcp-Param-Region", {"region"}},
                             {"Mcp-Param-a.b~1", {"dry"}},
                             {"Mcp-Param-Zone", {"at", "zone"}}});
}

TEST_CASE("header parameters: wrong annotations") {
  struct Row {
    const char* property;
    const char* error;
  };
  const Row rows[] = {
      {R"({"type": "string", "x-mcp-header": ""})", "'' is no name of a header"},
      {R"({"type": "string", "x-mcp-header": 1})", "'' is no name of a header"},
      {R"({"type": "string", "x-mcp-header": "A B"})", "'A B' is no name of a header"},
      {R"({"type": "string", "x-mcp-header": "A:B"})", "'A:B' is no name of a header"},
      {R"({"type": "string", "x-mcp-header": "R\u00e9"})", "'R\u00e9' is no name of a header"},
      {R"({"type": "string", "x-mcp-header": "A\r\nB"})", "is no name of a header"},
      {R"({"x-mcp-header": "A"})", "'A' is on a type other than string, integer and boolean"},
      {R"({"type": "number", "x-mcp-header": "A"})", "is on a type other than"},
      {R"({"type": ["string"], "x-mcp-header": "A"})", "is on a type other than"},
      {R"({"type": "object", "x-mcp-header": "A"})", "is on a type other than"},
      {R"({"items": {"type": "string", "x-mcp-header": "A"}})", "'A' is not on a property"},
      {R"({"anyOf": [{"type": "string", "x-mcp-header": "A"}]})", "'A' is not on a property"},
      {R"({"items": {"properties": {"b": {"type": "string", "x-mcp-header": "A"}}}})",
       "'A' is not on a property"},
      {R"({"$defs": {"d": {"type": "string", "x-mcp-header": "A"}}})", "'A' is not on a property"},
      {R"({"properties": {"a": {"type": "string", "x-mcp-header": "key"},
                          "b": {"type": "string", "x-mcp-header": "Key"}}})",
       "'Key' is on two parameters"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.property);
    const auto found = header_parameters({{"properties", {{"p", schema_of(row.property)}}}});
    REQUIRE_FALSE(found.ok());
    CHECK_MESSAGE(found.error().message.find(row.error) != std::string::npos,
                  found.error().message);
  }
  CHECK_FALSE(header_parameters(schema_of(R"({"type": "string", "x-mcp-header": "A"})")).ok());
  CHECK(header_parameters(Json()).ok());
}

TEST_CASE("header parameters: the values of a call") {
  const std::vector<HeaderParameter> parameters = {{"A", {"a"}}, {"B", {"at", "b"}}};
  struct Row {
    const char* args;
    std::vector<std::string> lines;
  };
  const Row rows[] = {
      {R"({"a": "x y", "at": {"b": 42}})", {"A: x y", "B: 42"}},
      {R"({"a": true, "at": {"b": false}})", {"A: true", "B: false"}},
      {R"({"a": null, "at": 1})", {}},
      {R"({"a": [1], "at": {"b": {}}})", {}},
      {R"({"a": "", "at": {"b": " b"}})", {"A;", "B: =?base64?IGI=?="}},
      {R"({"a": "1\r\n2", "at": {"b": "=?base64?IGI=?="}})",
       {"A: =?base64?MQ0KMg==?=", "B: =?base64?PT9iYXNlNjQ/SUdJPT89?="}},
      {R"("no object")", {}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.args);
    CHECK(parameter_headers(parameters, schema_of(row.args)) == row.lines);
  }
}

}  // namespace pedro::mcp
