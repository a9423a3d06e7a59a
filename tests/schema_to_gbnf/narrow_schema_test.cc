#include "schema_to_gbnf/narrow_schema.h"

#include <doctest/doctest.h>

#include "json_schema/json_of.h"
#include "json_schema/validate.h"

namespace pedro {
namespace {

Narrowing narrowing_of(const std::vector<std::string>& files, long long lines) {
  Narrowing out;
  out.texts[Named::kFile] = {std::make_shared<const LiteralGraph>(literal_trie(files)),
                             "a file of the project", Json(files)};
  out.lines = lines;
  return out;
}

}  // namespace

TEST_CASE("narrow schema: a document keeps its stricter limits") {
  const Narrowing narrowing = narrowing_of({"a", "b"}, 10);
  struct Row {
    const char* document;
    const char* expected;
  };
  for (
      const Row& row : {
          Row{R"({"type": "string", "x-names": "file"})",
              R"({"type": "string", "enum": ["a", "b"]})"},
          Row{R"({"x-names": "file", "enum": ["b", "c", null]})", R"({"enum": ["b", null]})"},
          Row{R"({"type": ["string", "null"], "x-names": "file"})",
              R"({"type": ["string", "null"]})"},
          Row{R"({"type": "string", "x-names": "folder"})", R"({"type": "string"})"},
          Row{R"({"x-names": "line"})", R"({"minimum": 1, "maximum": 10})"},
          Row{R"({"x-names": "line", "minimum": 0, "maximum": 20})",
              R"({"minimum": 1, "maximum": 10})"},
          Row{R"({"x-names": "line", "minimum": 3, "maximum": 7.5})",
              R"({"minimum": 3, "maximum": 7.5})"},
          Row{R"({"x-names": "line", "minimum": 0, "exclusiveMinimum": true})",
              R"({"minimum": 1, "maximum": 10})"},
          Row{R"({"x-names": "line", "maximum": 10, "exclusiveMaximum": true})",
              R"({"maximum": 10, "exclusiveMaximum": true, "minimum": 1})"},
          Row{R"({"properties": {"x-names": {"x-names": "line"}}, "default": {"x-names": "line"}})",
              R"({"properties": {"x-names": {"minimum": 1, "maximum": 10}},
                   "default": {"x-names": "line"}})"},
          Row{R"({"x-names": "line", "anyOf": [{"x-names": "line"}]})",
              R"({"anyOf": [{"minimum": 1, "maximum": 10}], "minimum": 1, "maximum": 10})"},
      }) {
    CAPTURE(row.document);
    CHECK(to_line(narrowed(json_of(row.document), narrowing)) == to_line(json_of(row.expected)));
  }
}

TEST_CASE("narrow schema: a document and its schema allow the same values") {
  const Narrowing narrowing = narrowing_of({"a", "b"}, 10);
  const Json values = json_of(R"(["a", "b", "c", "", null, -1, 0, 1, 2, 3, 7, 8, 9, 10, 11])");
  for (const char* text : {
           R"({"type": "string", "x-names": "file"})",
           R"({"x-names": "file", "enum": ["b", "c", null]})",
           R"({"type": "integer", "x-names": "line"})",
           R"({"type": "integer", "x-names": "line", "minimum": 3, "maximum": 8})",
           R"({"type": "integer", "x-names": "line", "minimum": 0, "maximum": 20})",
           R"({"type": "integer", "x-names": "line", "exclusiveMinimum": 1, "maximum": 20})",
       }) {
    CAPTURE(text);
    const Json document = json_of(text);
    const Result<Schema> schema = parse_schema(document);
    const Result<Schema> of_document = parse_schema(narrowed(document, narrowing));
    REQUIRE(schema.ok());
    REQUIRE(of_document.ok());
    const Schema of_schema = narrowed(*schema, narrowing);
    for (const Json& value : values) {
      CAPTURE(to_line(value));
      CHECK(validate(*of_document, value).has_value() == validate(of_schema, value).has_value());
    }
  }
}

}  // namespace pedro
