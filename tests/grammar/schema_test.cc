#include "grammar/schema.h"

#include <doctest/doctest.h>

#include <string>

namespace pedro {
namespace {

Json json(std::string_view text) {
  auto parsed = parse_json(text);
  REQUIRE(parsed.ok());
  return *parsed;
}

}  // namespace

TEST_CASE("schema: what is not understood is an error with its place") {
  struct Row {
    const char* name;
    const char* schema;
    const char* error;
  };
  const Row rows[] = {
      {"not an object", "true", "/: expected a schema (an object)"},
      {"nothing said", "{}", "/: expected 'type', 'enum', 'const', 'anyOf' or 'oneOf'"},
      {"unknown type", R"({"type": "strng"})",
       "/type: unknown type (did you mean 'string'?); there are object, array, string, integer, "
       "number, boolean, null"},
      {"type is no word", R"({"type": 3})",
       "/type: unknown type; there are object, array, string, integer, number, boolean, null"},
      {"no types", R"({"type": []})", "/type: expected at least one type"},
      {"a type twice", R"({"type": ["null", "null"]})", "/type: 'null' stands there twice"},
      {"a keyword that is not supported",
       R"({"type": "object", "properties": {"x": {"type": "string", "pattern": "a"}}})",
       "/properties/x/pattern: unsupported keyword; a string takes type, minLength, maxLength"},
      {"a misspelt keyword", R"({"type": "string", "maxLenght": 3})",
       "/maxLenght: unknown keyword (did you mean 'maxLength'?); a string takes type, minLength, "
       "maxLength"},
      {"a keyword of another type", R"({"type": "boolean", "minLength": 3})",
       "/minLength: unsupported keyword; a boolean takes type"},
      {"a keyword of none of the types", R"({"type": ["string", "null"], "minimum": 3})",
       "/minimum: unsupported keyword; a string or null takes type, minLength, maxLength"},
      {"a keyword beside enum", R"({"enum": ["a"], "minLength": 1})",
       "/minLength: unsupported keyword; an enum takes type, enum"},
      {"enum beside const", R"({"enum": ["a"], "const": "a"})",
       "/enum: unsupported keyword; a const takes type, const"},
      {"a type beside anyOf", R"({"anyOf": [{"type": "null"}], "type": "null"})",
       "/type: unsupported keyword; anyOf takes anyOf"},
      {"a reference", R"({"$ref": "#/x"})",
       "/$ref: unsupported keyword; a schema without a type takes enum, const, anyOf, oneOf"},
      {"object without properties", R"({"type": "object"})",
       "/properties: expected an object (a free-form object is not supported)"},
      {"open object", R"({"type": "object", "properties": {}, "additionalProperties": true})",
       "/additionalProperties: only false is supported (it is the default here)"},
      {"required without property",
       R"({"type": "object", "properties": {"a": {"type": "null"}}, "required": ["a", "b"]})",
       "/required/1: expected the name of a declared property"},
      {"required is no list", R"({"type": "object", "properties": {}, "required": "a"})",
       "/required: expected an array of property names"},
      {"a pointer is escaped", R"({"type": "object", "properties": {"a/b~c": {"type": "x"}}})",
       "/properties/a~1b~0c/type: unknown type; there are object, array, string, integer, number, "
       "boolean, null"},
      {"array of anything", R"({"type": "array"})",
       "/items: expected a schema (an array of anything is not supported)"},
      {"crossed item counts", R"({"type": "array", "items": {"type": "null"}, "minItems": 3,
       "maxItems": 2})",
       "/maxItems: 2 is less than minItems 3"},
      {"crossed lengths", R"({"type": "string", "minLength": 3, "maxLength": 2})",
       "/maxLength: 2 is less than minLength 3"},
      {"negative length", R"({"type": "string", "minLength": -1})",
       "/minLength: expected an integer from 0 to 1000000000"},
      {"a length that is no number", R"({"type": "string", "maxLength": "5"})",
       "/maxLength: expected an integer from 0 to 1000000000"},
      {"a huge length", R"({"type": "string", "maxLength": 18446744073709551615})",
       "/maxLength: expected an integer from 0 to 1000000000"},
      {"crossed bounds", R"({"type": "integer", "minimum": 3, "maximum": 2})",
       "/maximum: 2 is less than minimum 3"},
      {"crossed real bounds", R"({"type": "number", "minimum": 0.5, "maximum": 0.25})",
       "/maximum: 0.25 is less than minimum 0.5"},
      {"a fraction as the bound of integers", R"({"type": "integer", "minimum": 0.5})",
       "/minimum: expected an integer of 64 bits"},
      {"a bound beyond 64 bits", R"({"type": "integer", "maximum": 18446744073709551615})",
       "/maximum: expected an integer of 64 bits"},
      {"a bound that is no number", R"({"type": "number", "maximum": "1"})",
       "/maximum: expected a number"},
      {"enum is no list", R"({"enum": "a"})", "/enum: expected an array of values"},
      {"empty enum", R"({"enum": []})", "/enum: expected at least one value"},
      {"a value that is not of the type", R"({"type": "string", "enum": ["a", 1]})",
       "/enum/1: the value is not of the 'type' beside it"},
      {"a constant that is not of the types", R"({"type": ["null", "integer"], "const": 1.5})",
       "/const: the value is not of the 'type' beside it"},
      {"empty anyOf", R"({"anyOf": []})", "/anyOf: expected an array of at least one schema"},
      {"an error inside oneOf", R"({"oneOf": [{"type": "null"}, 3]})",
       "/oneOf/1: expected a schema (an object)"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    const auto schema = parse_schema(json(row.schema));
    REQUIRE_FALSE(schema.ok());
    CHECK(schema.error().message == row.error);
    CHECK(schema.error().kind == ErrorKind::kConfig);
  }
}

TEST_CASE("schema: depth, size and enums are limited") {
  Json deep = json(R"({"type": "null"})");
  for (int i = 0; i < 31; ++i) deep = Json{{"type", "array"}, {"items", deep}};
  CHECK(parse_schema(deep).ok());
  const auto deeper = parse_schema(Json{{"type", "array"}, {"items", deep}});
  REQUIRE_FALSE(deeper.ok());
  CHECK(deeper.error().message.ends_with("/items: schemas nested more than 32 deep"));

  Json wide = Json::array();
  for (int i = 0; i < 2000; ++i) wide.push_back(json(R"({"type": "null"})"));
  CHECK(parse_schema(Json{{"anyOf", wide}}).error().message == "/: more than 2000 schemas in one");

  Json values = Json::array();
  for (int i = 0; i < 1001; ++i) values.push_back(i);
  CHECK(parse_schema(Json{{"enum", values}}).error().message ==
        "/enum: 1001 values, more than the limit of 1000");
  Json nested = 1;
  for (int i = 0; i < 33; ++i) nested = Json::array({nested});
  CHECK(parse_schema(Json{{"const", nested}}).error().message ==
        "/const: nested more than 32 deep");

  const Json named{{"type", "object"},
                   {"properties", Json{{std::string(257, 'a'), json(R"({"type": "null"})")}}}};
  CHECK(parse_schema(named).error().message ==
        "/properties: a name of 257 bytes, more than the limit of 256");
}

TEST_CASE("schema: a schema says in words what it takes") {
  struct Row {
    const char* schema;
    const char* words;
  };
  const Row rows[] = {
      {R"({"type": "string"})", "a string"},
      {R"({"type": "string", "minLength": 1})", "a string of at least 1 character"},
      {R"({"type": "string", "maxLength": 9})", "a string of at most 9 characters"},
      {R"({"type": "string", "minLength": 2, "maxLength": 9})", "a string of 2 to 9 characters"},
      {R"({"type": "string", "minLength": 2, "maxLength": 2})", "a string of 2 characters"},
      {R"({"type": "integer"})", "an integer"},
      {R"({"type": "integer", "minimum": 1})", "an integer >= 1"},
      {R"({"type": "integer", "minimum": 1, "maximum": 5})", "an integer from 1 to 5"},
      {R"({"type": "number", "maximum": 0.5})", "a number <= 0.5"},
      {R"({"type": ["string", "null"]})", "a string or null"},
      {R"({"type": "boolean", "description": "x", "default": false})", "true or false"},
      {R"({"enum": ["a", 1, null]})", "\"a\", 1 or null"},
      {R"({"const": {"a": 1}})", "{\"a\":1}"},
      {R"({"type": "object", "properties": {}})", "an object without properties"},
      {R"({"type": "array", "items": {"type": "null"}, "maxItems": 1})",
       "an array of at most 1 item"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.schema);
    const auto schema = parse_schema(json(row.schema));
    REQUIRE(schema.ok());
    CHECK(describe(*schema, schema->root) == row.words);
  }
  Json many = Json::array();
  for (int i = 0; i < 1000; ++i) many.push_back("value-" + std::to_string(i));
  CHECK(describe(*parse_schema(Json{{"enum", many}}), 0).size() < 210);
}

TEST_CASE("schema: a copy is a value of its own") {
  Schema copy;
  {
    const auto parsed =
        parse_schema(json(R"({"type": "object", "properties": {"b": {"type": "null"}, "a":
      {"type": "string"}}, "required": ["a"]})"));
    REQUIRE(parsed.ok());
    copy = *parsed;
  }
  const auto& object = std::get<ObjectSpec>(copy[copy.root].spec);
  REQUIRE(object.properties.size() == 2);
  CHECK(object.properties[0].name == "b");
  CHECK_FALSE(object.properties[0].required);
  CHECK(object.properties[1].name == "a");
  CHECK(object.properties[1].required);
  CHECK(copy[object.properties[1].value].pointer == "/properties/a");
}

}  // namespace pedro
