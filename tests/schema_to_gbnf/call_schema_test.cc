#include "schema_to_gbnf/call_schema.h"

#include <doctest/doctest.h>

#include "json_schema/json_of.h"
#include "json_schema/validate.h"

namespace pedro {

TEST_CASE("call schema: allows the calls of its branches and nothing else") {
  const Json list = json_of(R"({
      "type": "object", "title": "T", "required": ["items"], "additionalProperties": false,
      "properties": {"items": {"type": "array", "items": {"$ref": "#/$defs/item"}}},
      "$defs": {"item": {"type": "object", "required": ["n"], "additionalProperties": false,
                         "properties": {"n": {"type": "integer"}, "in": {"$ref": "#/$defs/item"}}}}})");
  const Json look = json_of(R"({"type": "object", "properties": {"path": {"type": "string"}}})");
  const Result<Schema> args = parse_schema(list);
  REQUIRE(args.ok());
  const std::vector<CallBranch> calls = {
      {"look", "", &*args, {}, &look}, {"list", "", &*args, {}, &list}, {"any", "", &*args}};
  const Result<Schema> schema = parse_schema(call_schema(calls));
  REQUIRE_MESSAGE(schema.ok(), schema.error().message);
  struct Row {
    const char* call;
    bool allowed;
  };
  for (const Row& row : {
           Row{R"({"tool": "look", "args": {"path": "x"}})", true},
           Row{R"({"tool": "look", "args": {"path": 1}})", false},
           Row{R"({"tool": "list", "args": {"items": [{"n": 1, "in": {"n": 2}}]}})", true},
           Row{R"({"tool": "list", "args": {"items": [{"n": 1, "in": {"m": 2}}]}})", false},
           Row{R"({"tool": "list", "args": {}})", false},
           Row{R"({"tool": "any", "args": {"x": [1]}})", true},
           Row{R"({"tool": "any", "args": 1})", false},
           Row{R"({"tool": "other", "args": {}})", false},
           Row{R"({"tool": "any"})", false},
           Row{R"({"tool": "any", "args": {}, "more": 1})", false},
       }) {
    CAPTURE(row.call);
    CHECK(!validate(*schema, json_of(row.call)).has_value() == row.allowed);
  }
}

TEST_CASE("call schema: keywords change, names and data do not") {
  const Json args = json_of(R"({
      "$id": "http://a/root",
      "properties": {
          "other": {"$id": "other", "items": {"$ref": "#/x"}, "x": {"$ref": "#"}},
          "x-names": {"type": "string", "x-names": "file"},
          "$ref": {"$ref": "#/properties/x-names"},
          "self": {"$ref": "#"},
          "named": {"$ref": "#here"},
          "rules": {"$anchor": "here", "x-gbnf": "[a-z]"},
          "data": {"enum": [{"$ref": "#/a"}], "default": {"x-names": "b"}, "const": {"x-gbnf": "c"}},
          "default": {"items": [{"$ref": "#/properties/data"}]}}})");
  const std::vector<CallBranch> calls = {{"t", "", nullptr, {}, &args}};
  CHECK(to_line(call_schema(calls)["anyOf"][0]["properties"]["args"]) == to_line(json_of(R"({
      "properties": {
          "other": {"$id": "other", "items": {"$ref": "#/x"}, "x": {"$ref": "#"}},
          "x-names": {"type": "string"},
          "$ref": {"$ref": "#/anyOf/0/properties/args/properties/x-names"},
          "self": {"$ref": "#/anyOf/0/properties/args"},
          "named": {"$ref": "#here"},
          "rules": {"$anchor": "here"},
          "data": {"enum": [{"$ref": "#/a"}], "default": {"x-names": "b"}, "const": {"x-gbnf": "c"}},
          "default": {"items": [{"$ref": "#/anyOf/0/properties/args/properties/data"}]}}})")));
}

}  // namespace pedro
