#include "json_schema/repair_value.h"

#include <doctest/doctest.h>

#include "base/text.h"

namespace pedro {
namespace {

Schema closed(const char* json) {
  return *parse_schema(*parse_json(json), SchemaDialect::kClosed);
}

constexpr const char* kTool = R"({"type": "object", "properties": {
  "path": {"type": "string", "minLength": 1}, "start_line": {"type": "integer", "minimum": 1},
  "all": {"type": "boolean"}, "mode": {"enum": ["fast", "Slow", 1]}, "files": {"type": "array", "items": {"type": "string"}},
  "options": {"type": "object", "properties": {"depth": {"type": "integer"}}},
  "steps": {"type": "array", "items": {"type": "object", "properties": {
    "file": {"type": "string"}, "change": {"type": "string"}}, "required": ["file", "change"]}}},
  "required": ["path"]})";

}  // namespace

TEST_CASE("repair value: unambiguous deviations") {
  struct Row {
    const char* name;
    const char* value;
    const char* repaired;
    const char* repairs;
  };
  const Schema schema = closed(kTool);
  const Row rows[] = {
      {"a value that fits", R"({"path":"1","start_line":1})", R"({"path":"1","start_line":1})", ""},
      {"digits", R"({"path":"a","start_line":"12"})", R"({"path":"a","start_line":12})",
       "/start_line: a number from a string"},
      {"digits with blanks", R"({"path":"a","start_line":" 12 "})",
       R"({"path":"a","start_line":12})", "/start_line: a number from a string"},
      {"a number below the minimum", R"({"path":"a","start_line":"0"})",
       R"({"path":"a","start_line":"0"})", ""},
      {"words for a number", R"({"path":"a","start_line":"twelve"})",
       R"({"path":"a","start_line":"twelve"})", ""},
      {"a boolean", R"({"path":"a","all":"true"})", R"({"path":"a","all":true})",
       "/all: a boolean from a string"},
      {"Python's boolean", R"({"path":"a","all":"False"})", R"({"path":"a","all":false})",
       "/all: a boolean from a string"},
      {"a number for a boolean", R"({"path":"a","all":1})", R"({"path":"a","all":1})", ""},
      {"one string for a list", R"({"path":"a","files":"b c"})", R"({"path":"a","files":["b c"]})",
       "/files: a list from a string"},
      {"JSON text for a list", R"({"path":"a","files":"[\"b\", \"c\"]"})",
       R"({"path":"a","files":["b","c"]})", "/files: a list from a string"},
      {"JSON text for an object", R"({"path":"a","options":"{\"depth\": \"3\"}"})",
       R"({"path":"a","options":{"depth":3}})", "/options: an object from a string"},
      {"an object for a list of objects", R"({"path":"a","steps":{"file":"f","change":"c"}})",
       R"({"path":"a","steps":[{"file":"f","change":"c"}]})", "/steps: a list from an object"},
      {"a number for a text", R"({"path":404})", R"({"path":"404"})",
       "/path: a string from a number"},
      {"an item of a list", R"({"path":"a","steps":[{"file":"f","change":7}]})",
       R"({"path":"a","steps":[{"file":"f","change":"7"}]})",
       "/steps/0/change: a string from a number"},
      {"null without a meaning", R"({"path":"a","start_line":null})", R"({"path":"a"})",
       "'start_line' without a value is omitted"},
      {"an empty text for a number", R"({"path":"a","start_line":""})", R"({"path":"a"})",
       "'start_line' without a value is omitted"},
      {"a list of one for a text", R"({"path":["b"],"start_line":[2]})",
       R"({"path":"b","start_line":2})",
       "/path: a string from a list; /start_line: a number from a list"},
      {"letters of another case", R"({"path":"a","mode":"SLOW"})", R"({"path":"a","mode":"Slow"})",
       "/mode: the spelling"},
      {"another spelling of a member", R"({"path":"a","startLine":3})",
       R"({"path":"a","start_line":3})", "'start_line' from 'startLine'"},
      {"two spellings of a member", R"({"path":"a","startLine":3,"start-line":4})",
       R"({"path":"a","startLine":3,"start-line":4})", ""},
      {"words around a missing member", R"({"file_path":"a","start-line":4})",
       R"({"start_line":4,"path":"a"})", "'start_line' from 'start-line'; 'path' from 'file_path'"},
      {"two members with the words of a missing one", R"({"file_path":"a","new_path":"b"})",
       R"({"file_path":"a","new_path":"b"})", ""},
      {"a list of two for a text", R"({"path":["b","c"]})", R"({"path":["b","c"]})", ""},
      {"an unknown member", R"({"path":"a","encoding":"utf-8"})", R"({"path":"a"})",
       "'encoding' is unknown and omitted"},
      {"a misspelt member", R"({"path":"a","strat_line":3})", R"({"path":"a","strat_line":3})", ""},
      {"the only text under a wrong name", R"({"filename":"a"})", R"({"path":"a"})",
       "'path' from 'filename'"},
      {"two texts under wrong names", R"({"filename":"a","name":"b"})",
       R"({"filename":"a","name":"b"})", ""},
      {"a wrong name that means another member", R"({"file":"a"})", R"({"file":"a"})", ""},
      {"several at once", R"({"path":"a","start_line":"2","all":"True","x":null})",
       R"({"path":"a","start_line":2,"all":true})",
       "'x' is unknown and omitted; /start_line: a number from a string; /all: a boolean from a "
       "string"},
      {"no object", R"("a")", R"("a")", ""},
      {"an object as text", R"("{\"path\": \"a\"}")", R"({"path":"a"})", "an object from a string"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    const RepairedValue got = repair_value(schema, *parse_json(row.value));
    CHECK(to_line(got.value) == to_line(*parse_json(row.repaired)));
    CHECK(join(got.repairs, "; ") == row.repairs);
  }
}

TEST_CASE("repair value: several members with other names") {
  const Schema schema = closed(R"({"type": "object", "properties": {
    "path": {"type": "string"}, "start_line": {"type": "integer"}, "end_line": {"type": "integer"},
    "old": {"type": "string"}, "new": {"type": "string"}}, "required": ["path", "old", "new"]})");
  struct Row {
    const char* value;
    const char* repaired;
  };
  for (const Row& row : {
           Row{R"({"file_path":"a","old_text":"b","new_text":"c"})",
               R"({"path":"a","old":"b","new":"c"})"},
           Row{R"({"path":"a","old_text":"b","replacement":"c"})",
               R"({"path":"a","old":"b","new":"c"})"},
           Row{R"({"path":"a","old_new":"b"})", R"({"path":"a","old_new":"b"})"},
           Row{R"({"path":"a","search":"b","replacement":"c"})",
               R"({"path":"a","search":"b","replacement":"c"})"},
           Row{R"({"path":"a","old":"b","new":"c","line":1})",
               R"({"path":"a","old":"b","new":"c"})"},
       }) {
    CHECK(to_line(repair_value(schema, *parse_json(row.value)).value) == row.repaired);
  }
}

TEST_CASE("repair value: a value that is nested too deep stays") {
  const Schema schema = closed(R"({"$defs":{"t":{"type":"array","items":{"$ref":"#/$defs/t"}}},
                                   "$ref":"#/$defs/t"})");
  Json deep = "x";
  for (int i = 0; i < 200; ++i) deep = Json::array({deep});
  const RepairedValue got = repair_value(schema, deep);
  CHECK(got.value == deep);
  CHECK(got.repairs.empty());
}

TEST_CASE("repair value: all violations of an object") {
  const Schema schema = closed(kTool);
  std::vector<std::string> found;
  const Json value = *parse_json(R"({"strat_line":3,"all":7,"files":[1]})");
  for (const Violation& one : find_violations(schema, value)) found.push_back(to_string(one));
  REQUIRE(found.size() == 4);
  CHECK(found[0].starts_with("expected only the properties path, start_line"));
  CHECK(found[1] == "/path: expected a string of at least 1 character (required), got nothing");
  CHECK(found[2].starts_with("/all: expected"));
  CHECK(found[3].starts_with("/files/0: expected"));
  CHECK(find_violations(schema, *parse_json(R"({"path":"a"})")).empty());
}

}  // namespace pedro
