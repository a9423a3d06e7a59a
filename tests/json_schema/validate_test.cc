#include "json_schema/validate.h"

#include <doctest/doctest.h>

#include <string>

#include "json_schema/json_of.h"

namespace pedro {
namespace {

std::string verdict(const Json& schema, const Json& value) {
  const auto parsed = parse_schema(schema, SchemaDialect::kClosed);
  REQUIRE(parsed.ok());
  const auto violation = validate(*parsed, value);
  return violation ? to_string(*violation) : "";
}

constexpr const char* kEdit = R"({"type": "object", "properties": {
  "action": {"const": "edit_lines"},
  "path": {"type": "string", "minLength": 1},
  "start_line": {"type": "integer", "minimum": 1},
  "end_line": {"type": ["integer", "null"], "minimum": 1},
  "tags": {"type": "array", "items": {"enum": ["a", "b"]}, "maxItems": 2},
  "ratio": {"type": "number", "minimum": 0, "maximum": 1}},
  "required": ["action", "path", "start_line"]})";

}  // namespace

TEST_CASE("validate: whole messages") {
  struct Row {
    const char* name;
    const char* value;
    const char* message;
  };
  const Row rows[] = {
      {"fits", R"({"action": "edit_lines", "path": "a", "start_line": 1})", ""},
      {"the order of members means nothing",
       R"({"start_line": 3, "path": "a", "ratio": 1, "action": "edit_lines", "end_line": null})",
       ""},
      {"a whole number may have a point", R"({"action": "edit_lines", "path": "a",
       "start_line": 3.0})",
       ""},
      {"no object", "[1, 2]", "expected an object, got an array of 2 items"},
      {"a string for a number", R"({"action": "edit_lines", "path": "a", "start_line": "3"})",
       "/start_line: expected an integer >= 1, got \"3\""},
      {"out of bounds", R"({"action": "edit_lines", "path": "a", "start_line": 0})",
       "/start_line: expected an integer >= 1, got 0"},
      {"a fraction", R"({"action": "edit_lines", "path": "a", "start_line": 1.5})",
       "/start_line: expected an integer >= 1, got 1.5"},
      {"missing", R"({"action": "edit_lines", "start_line": 1})",
       "/path: expected a string of at least 1 character (required), got nothing"},
      {"misspelt", R"({"action": "edit_lines", "path": "a", "startline": 1})",
       "expected only the properties action, path, start_line, end_line, tags, ratio, got "
       "'startline' (did you mean 'start_line'?)"},
      {"too short", R"({"action": "edit_lines", "path": "", "start_line": 1})",
       "/path: expected a string of at least 1 character, got \"\""},
      {"another constant", R"({"action": "edit", "path": "a", "start_line": 1})",
       "/action: expected \"edit_lines\", got \"edit\""},
      {"the only option for its type says what is wrong",
       R"({"action": "edit_lines", "path": "a", "start_line": 1, "end_line": 0})",
       "/end_line: expected an integer >= 1, got 0"},
      {"no option is for its type",
       R"({"action": "edit_lines", "path": "a", "start_line": 1, "end_line": "x"})",
       "/end_line: expected an integer >= 1 or null, got \"x\""},
      {"in an array", R"({"action": "edit_lines", "path": "a", "start_line": 1,
       "tags": ["a", "c"]})",
       "/tags/1: expected \"a\" or \"b\", got \"c\""},
      {"too many items", R"({"action": "edit_lines", "path": "a", "start_line": 1,
       "tags": ["a", "a", "a"]})",
       "/tags: expected an array of at most 2 items, got an array of 3 "
       "items"},
      {"a number out of bounds", R"({"action": "edit_lines", "path": "a", "start_line": 1,
       "ratio": 1.01})",
       "/ratio: expected a number from 0 to 1, got 1.01"},
      {"an object where a string belongs",
       R"({"action": "edit_lines", "path": {"a": 1}, "start_line": 1})",
       "/path: expected a string of at least 1 character, got an object of 1 member"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    CHECK(verdict(json_of(kEdit), json_of(row.value)) == row.message);
  }
}

TEST_CASE("validate: small schemas") {
  struct Row {
    const char* name;
    const char* schema;
    const char* value;
    const char* message;
  };
  const Row rows[] = {
      {"lengths count code points", R"({"type": "string", "maxLength": 2})",
       "\"\xC3\xA9\xF0\x9F\x98\x80\"", ""},
      {"one too many", R"({"type": "string", "maxLength": 2})", "\"\xC3\xA9\xF0\x9F\x98\x80z\"",
       "expected a string of at most 2 characters, got \"\xC3\xA9\xF0\x9F\x98\x80z\""},
      {"a constant object in another order", R"({"const": {"a": 1, "b": [2]}})",
       R"({"b": [2.0], "a": 1})", ""},
      {"a constant object with more in it", R"({"const": {"a": 1}})", R"({"a": 1, "b": 2})",
       "expected {\"a\":1}, got an object of 2 members"},
      {"2^64 - 1 is not -1", R"({"const": -1})", "18446744073709551615",
       "expected -1, got 18446744073709551615"},
      {"2^64 - 1 is not below 0", R"({"type": "integer", "maximum": 0})", "18446744073709551615",
       "expected an integer <= 0, got 18446744073709551615"},
      {"true is not 1", R"({"const": 1})", "true", "expected 1, got true"},
      {"oneOf takes one", R"({"oneOf": [{"type": "integer", "maximum": 5}, {"type": "integer",
       "minimum": 5}]})",
       "4", ""},
      {"oneOf refuses two", R"({"oneOf": [{"type": "integer", "maximum": 5}, {"type": "integer",
       "minimum": 5}]})",
       "5",
       "expected exactly one of an integer <= 5 or an integer >= 5, got 5, which is 2 of them"},
      {"anyOf takes two", R"({"anyOf": [{"type": "integer", "maximum": 5}, {"type": "integer",
       "minimum": 5}]})",
       "5", ""},
      {"no properties at all", R"({"type": "object", "properties": {}})", R"({"a": 1})",
       "expected no properties, got 'a'"},
      {"a deep pointer", R"({"type": "array", "items": {"type": "object", "properties": {"a/b":
       {"type": "null"}}}})",
       R"([{}, {"a/b": 1}])", "/1/a~1b: expected null, got 1"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    CHECK(verdict(json_of(row.schema), json_of(row.value)) == row.message);
  }
}

TEST_CASE("validate: the reported value is cut, however large it is") {
  const std::string huge(1'000'000, 'x');
  CHECK(verdict(json_of(R"({"type": "integer"})"), Json(huge)) ==
        "expected an integer, got \"" + std::string(80, 'x') + "\"... (1000000 bytes)");
  const Json object{{huge, 1}};
  CHECK(verdict(json_of(R"({"type": "object", "properties": {"a": {"type": "null"}}})"), object) ==
        "expected only the property a, got '" + std::string(80, 'x') + "...'");
}

TEST_CASE("validate: a schema that was not read fits only {}") {
  CHECK_FALSE(validate(Schema{}, Json::object()));
  CHECK(to_string(*validate(Schema{}, Json(1))) == "expected an object without properties, got 1");
}

}  // namespace pedro
