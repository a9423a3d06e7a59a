#include "json_schema/schema.h"

#include <doctest/doctest.h>

#include <string>

#include "json_schema/json_of.h"

namespace pedro {

TEST_CASE("schema: an error in a document of tools has its location") {
  struct Row {
    const char* name;
    const char* schema;
    const char* error;
  };
  const Row rows[] = {
      {"not a schema", "3", "/: expected a schema (an object, true or false)"},
      {"unknown type", R"({"type": "strng"})",
       "/type: unknown type (did you mean 'string'?); there are object, array, string, integer, "
       "number, boolean, null"},
      {"type is no word", R"({"type": 3})",
       "/type: unknown type; there are object, array, string, integer, number, boolean, null"},
      {"no types", R"({"type": []})", "/type: expected at least one type"},
      {"a pattern that is not supported",
       R"({"type": "object", "properties": {"x": {"type": "string", "pattern": "(a)\\1"}}})",
       "/properties/x/pattern: not supported: back references at byte 5"},
      {"a misspelt keyword", R"({"type": "string", "maxLenght": 3})",
       "/maxLenght: unknown keyword (did you mean 'maxLength'?)"},
      {"a keyword of another type", R"({"type": "boolean", "minLength": 3})",
       "/minLength: this keyword does not apply to a boolean"},
      {"a keyword of none of the types", R"({"type": ["string", "null"], "minimum": 3})",
       "/minimum: this keyword does not apply to a string or null"},
      {"required without property",
       R"({"type": "object", "properties": {"a": {"type": "null"}}, "required": ["a", "b"]})",
       "/required/1: expected the name of a declared property"},
      {"required is no list", R"({"type": "object", "properties": {}, "required": "a"})",
       "/required: expected an array of property names"},
      {"a pointer is escaped", R"({"type": "object", "properties": {"a/b~c": {"type": "x"}}})",
       "/properties/a~1b~0c/type: unknown type; there are object, array, string, integer, number, "
       "boolean, null"},
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
      {"a bound beyond reason", R"({"type": "integer", "maximum": 1e50})",
       "/maximum: expected a number of at most 40 digits"},
      {"a bound that is no number", R"({"type": "number", "maximum": "1"})",
       "/maximum: expected a number"},
      {"multiples of nothing", R"({"type": "number", "multipleOf": 0})",
       "/multipleOf: expected a number greater than 0"},
      {"enum is no list", R"({"enum": "a"})", "/enum: expected an array of at least one value"},
      {"empty enum", R"({"enum": []})", "/enum: expected an array of at least one value"},
      {"a value that is not of the type", R"({"type": "string", "enum": ["a", 1]})",
       "/enum: 1 does not match the 'type' beside it"},
      {"a constant that is not of the types", R"({"type": ["null", "integer"], "const": 1.5})",
       "/const: 1.5 does not match the 'type' beside it"},
      {"empty anyOf", R"({"anyOf": []})", "/anyOf: expected an array of at least one schema"},
      {"an error inside oneOf", R"({"oneOf": [{"type": "null"}, 3]})",
       "/oneOf/1: expected a schema (an object, true or false)"},
      {"references in a circle",
       R"({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"allOf": [{"$ref":
       "#/$defs/a"}]}}})",
       "/$defs/a: refers to itself endlessly"},
      {"raw rules that are none", R"({"x-gbnf": "[a-z"})",
       "/x-gbnf: x-gbnf:2:1: expected ']' to close the class, found the end of the grammar\n"
       "  [a-z\n"
       "  ^"},
      {"raw rules that hurt a server", R"({"x-gbnf": "root ::= root \"a\" | \"b\""})",
       "/x-gbnf: x-gbnf:1:1: error: left recursion: root -> root: the cycle consumes no character, "
       "a server refuses it or hangs; begin with a required item\n  root ::= root \"a\" | \"b\"\n  "
       "^\n"},
      {"an error behind a reference", R"({"$ref": "#/$defs/a", "$defs": {"a": {"enum": 1}}})",
       "/$defs/a/enum: expected an array of at least one value"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    const auto schema = parse_schema(json_of(row.schema), SchemaDialect::kClosed);
    REQUIRE_FALSE(schema.ok());
    CHECK(schema.error().message == row.error);
    CHECK(schema.error().kind == ErrorKind::kConfig);
  }
}

TEST_CASE("schema: as a standard has it, less is an error") {
  for (const char* schema : {R"({"maxLenght": 3})", R"({"type": "boolean", "minLength": 3})",
                             R"({"required": ["a"]})", R"({"minimum": 3, "maximum": 2})",
                             R"({"pattern": "(a)\\1"})", R"({"$ref": "other.json"})", "{}"}) {
    CAPTURE(schema);
    CHECK(parse_schema(json_of(schema)).ok());
  }
}

TEST_CASE("schema: size and enums are limited, depth is not") {
  Json deep = json_of(R"({"type": "null"})");
  for (int i = 0; i < 2'000; ++i) deep = Json{{"items", std::move(deep)}};
  CHECK(parse_schema(deep).ok());
  while (deep.contains("items")) {  // nlohmann's own destructor does not recurse either
    Json inner = std::move(deep["items"]);
    deep = std::move(inner);
  }

  SchemaLimits limits;
  limits.max_nodes = 2000;
  limits.max_enum_values = 1000;
  limits.max_depth = 32;
  limits.max_name_bytes = 256;
  const auto error_of = [&](const Json& schema) {
    const auto parsed = parse_schema(schema, SchemaDialect::kStandard, limits);
    return parsed.ok() ? "" : parsed.error().message;
  };
  Json wide = Json::array();
  for (int i = 0; i < 2000; ++i) wide.push_back(json_of(R"({"type": "null"})"));
  CHECK(error_of(Json{{"anyOf", wide}}) == "/: more than 2000 schemas in one");

  Json values = Json::array();
  for (int i = 0; i < 1001; ++i) values.push_back(i);
  CHECK(error_of(Json{{"enum", values}}) == "/enum: 1001 values, more than the limit of 1000");
  Json nested = 1;
  for (int i = 0; i < 33; ++i) nested = Json::array({nested});
  CHECK(error_of(Json{{"const", nested}}) == "/const: nested more than 32 deep");

  const Json named{{"type", "object"},
                   {"properties", Json{{std::string(257, 'a'), json_of(R"({"type": "null"})")}}}};
  CHECK(error_of(named) == "/properties: a name of 257 bytes, more than the limit of 256");
}

TEST_CASE("schema: describes the accepted values in words") {
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
      {R"({"type": "integer", "exclusiveMinimum": 1, "maximum": 5})", "an integer > 1 and <= 5"},
      {R"({"type": "integer", "multipleOf": 5})", "an integer that is a multiple of 5"},
      {R"({"type": "string", "pattern": "^a"})", "a string that matches ^a"},
      {R"({"type": "string", "format": "date"})", "a string in the format date"},
      {R"({"minLength": 2})", "a string of at least 2 characters"},
      {R"({"anyOf": [{"type": "null"}, {"type": "integer", "minimum": 3}]})",
       "null or an integer >= 3"},
      {R"({"not": {"type": "null"}})", "anything but null"},
      {R"({"$ref": "#/$defs/a", "$defs": {"a": {"type": "null"}}})", "null"},
      {R"({"type": "object", "minProperties": 2})", "an object without properties"},
      {"true", "any value"},
      {"false", "nothing"},
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
    const auto schema = parse_schema(json_of(row.schema), SchemaDialect::kClosed);
    REQUIRE(schema.ok());
    CHECK(describe(*schema, schema->root) == row.words);
  }
  Json many = Json::array();
  for (int i = 0; i < 1000; ++i) many.push_back("value-" + std::to_string(i));
  CHECK(describe(*parse_schema(Json{{"enum", many}}), 2).size() < 210);
}

TEST_CASE("schema: the fingerprint covers the document and its dialect") {
  const Json document = {{"type", "object"}, {"properties", {{"a", {{"type", "null"}}}}}};
  const auto closed = parse_schema(document, SchemaDialect::kClosed);
  const auto standard = parse_schema(document, SchemaDialect::kStandard);
  REQUIRE(closed.ok());
  REQUIRE(standard.ok());
  CHECK(closed->fingerprint != standard->fingerprint);
  CHECK(parse_schema(document, SchemaDialect::kClosed)->fingerprint == closed->fingerprint);
  CHECK(parse_schema(document["properties"], SchemaDialect::kStandard)->fingerprint !=
        standard->fingerprint);
}

TEST_CASE("schema: an anchor is found in a property of any name, but not in data") {
  const auto schema = parse_schema(json_of(R"({
      "properties": {"enum": {"$anchor": "a", "type": "null"}, "x": {"$ref": "#a"},
                     "y": {"$ref": "#b"}},
      "default": {"$anchor": "b"}})"));
  REQUIRE(schema.ok());
  REQUIRE(schema->unchecked.size() == 1);
  CHECK(schema->unchecked[0].pointer == "/properties/y");
  CHECK(schema->unchecked[0].keyword == "$ref");
}

TEST_CASE("schema: a copy is a value of its own") {
  Schema copy;
  {
    const auto parsed =
        parse_schema(json_of(R"({"type": "object", "properties": {"b": {"type": "null"}, "a":
      {"type": "string"}}, "required": ["a"]})"));
    REQUIRE(parsed.ok());
    copy = *parsed;
  }
  const auto& assertions = copy[copy.root].assertions;
  REQUIRE(assertions.size() == 3);
  CHECK(std::get<TypeIs>(assertions[0]).types == kObjectType);
  CHECK(std::get<Required>(assertions[1]).names == std::vector<std::string>{"a"});
  const auto& declared = std::get<Properties>(assertions[2]).declared;
  REQUIRE(declared.size() == 2);
  CHECK(declared[0].first == "b");
  CHECK(declared[1].first == "a");
  CHECK(copy[declared[1].second].pointer == "/properties/a");
}

}  // namespace pedro
