#include "schema_to_gbnf/schema_to_gbnf.h"

#include <doctest/doctest.h>

#include <chrono>
#include <string>
#include <string_view>

#include "gbnf/match.h"
#include "json_schema/validate.h"
#include "schema_to_gbnf/instance_maker.h"
#include "schema_to_gbnf/schema_cases.h"

namespace pedro {
namespace {

Schema schema_of(std::string_view text) {
  const auto json = parse_json(text);
  REQUIRE(json.ok());
  const auto schema = parse_schema(*json, SchemaDialect::kClosed);
  REQUIRE(schema.ok());
  return *schema;
}

std::string gbnf_of(std::string_view schema) {
  std::vector<Loosened> loosened;
  return print(grammar_of(schema_of(schema), loosened));
}

bool is_valid(const Schema& schema, const std::string& text) {
  const auto json = parse_json(text, {.exact_numbers = true});
  return json.ok() && !validate(schema, *json);
}

bool fits(const Matcher& compiled, const std::string& text) {
  Matcher matcher = compiled;
  const auto taken = matcher.accept(text);
  return taken.ok() && *taken == text.size() && matcher.is_complete();
}

std::string reported(const std::vector<Loosened>& loosened, const Schema& schema) {
  std::string text;
  const auto place = [](const std::string& pointer) { return pointer.empty() ? "/" : pointer; };
  for (const Loosened& one : loosened) {
    text +=
        "# not expressed: " + place(one.pointer) + " " + one.keyword + ": " + one.instead + "\n";
  }
  for (const Unchecked& one : schema.unchecked) {
    text += "# not checked: " + place(one.pointer) + " " + one.keyword + ": " + one.why + "\n";
  }
  return text;
}

// Returns true if the grammar matches exactly the valid texts of the case.
bool is_exact(const SchemaCase& one) {
  return one.loose.empty() && one.schema.unchecked.empty();
}

}  // namespace

TEST_CASE("schema to gbnf: golden grammars") {
  for (const SchemaCase& one : schema_cases()) {
    std::vector<Loosened> loosened;
    const std::string text = print(grammar_of(one.schema, loosened));
    check_golden(one.folder / "expected.gbnf", text + reported(loosened, one.schema));
  }
}

TEST_CASE("schema to gbnf: matcher and validator on the cases") {
  for (const SchemaCase& one : schema_cases()) {
    CAPTURE(one.name);
    std::vector<Loosened> loosened;
    const auto compiled = Matcher::compile(grammar_of(one.schema, loosened));
    REQUIRE(compiled.ok());
    const auto check = [&](const std::vector<std::string>& texts, bool matched, bool valid) {
      for (const std::string& text : texts) {
        CAPTURE(text);
        CHECK(fits(*compiled, text) == matched);
        CHECK(is_valid(one.schema, text) == valid);
      }
    };
    check(one.accept, true, true);
    check(one.reject, false, false);
    check(one.valid, false, true);
    check(one.loose, true, false);
    CHECK(loosened.empty() == one.loose.empty());
  }
}

TEST_CASE("schema to gbnf: whatever the grammar can write is valid") {
  InstanceMaker maker(2);
  for (const SchemaCase& one : schema_cases()) {
    if (!is_exact(one) || one.accept.empty()) continue;
    CAPTURE(one.name);
    std::vector<Loosened> loosened;
    const Gbnf grammar = grammar_of(one.schema, loosened);
    const auto compiled = Matcher::compile(grammar);
    REQUIRE(compiled.ok());
    for (int i = 0; i < 60; ++i) {
      const std::string text = maker.derived(grammar);
      CAPTURE(text);
      CHECK(is_valid(one.schema, text));
      CHECK(fits(*compiled, text));
    }
  }
}

// A changed, still valid text may have an order that the grammar does not produce. An invalid one
// must never match.
TEST_CASE("schema to gbnf: instances made invalid by a change are refused") {
  InstanceMaker maker(1);
  int matched = 0;
  int refused = 0;
  int unwritten = 0;
  for (const SchemaCase& one : schema_cases()) {
    if (!is_exact(one) || one.accept.empty()) continue;
    CAPTURE(one.name);
    std::vector<Loosened> loosened;
    const Gbnf grammar = grammar_of(one.schema, loosened);
    const auto compiled = Matcher::compile(grammar);
    REQUIRE(compiled.ok());
    for (int i = 0; i < 60; ++i) {
      const auto made = parse_json(maker.derived(grammar));
      REQUIRE(made.ok());
      Json value = *made;
      for (int changes = 1 + i % 3; changes > 0; --changes) value = maker.changed(std::move(value));
      const std::string text = maker.written(value);
      CAPTURE(text);
      const bool valid = !validate(one.schema, value);
      const bool match = fits(*compiled, text);
      CHECK_FALSE((match && !valid));
      ++(match ? matched : valid ? unwritten : refused);
    }
  }
  CHECK(matched > 500);
  CHECK(refused > 1000);
  CHECK(unwritten < matched / 5);
}

TEST_CASE("schema to gbnf: rules grow linearly with the properties, depth is not in expressions") {
  const auto size = [](int count, bool required) {
    Json properties = Json::object();
    Json names = Json::array();
    for (int i = 0; i < count; ++i) {
      properties["p" + std::to_string(i)] = Json{{"type", "null"}};
      if (required) names.push_back("p" + std::to_string(i));
    }
    const Json schema{{"type", "object"}, {"properties", properties}, {"required", names}};
    return gbnf_of(to_line(schema)).size();
  };
  CHECK(size(600, false) < 7 * size(100, false));
  CHECK(size(600, true) < 7 * size(100, true));

  Json deep{{"type", "null"}};
  for (int i = 0; i < 31; ++i) {
    deep = i % 2 == 0 ? Json{{"type", "array"}, {"items", deep}}
                      : Json{{"type", "object"}, {"properties", Json{{"x", deep}}}};
  }
  std::vector<Loosened> loosened;
  CHECK(Matcher::compile(grammar_of(schema_of(to_line(deep)), loosened)).ok());
}

TEST_CASE("schema to gbnf: hostile schemas end soon") {
  struct Row {
    std::string name;
    std::string schema;
    bool reported = false;  // parts of the schema are omitted and reported
  };
  std::string options;
  for (int i = 0; i < 24; ++i) {
    const std::string name(1, static_cast<char>('a' + i));
    options += (i > 0 ? "," : "") + (R"({"anyOf": [{"required": [")" + name +
                                     R"("]}, {"properties": {")" + name + R"(": false}}]})");
  }
  const Row rows[] = {
      {"choices that multiply", R"({"type": "object", "allOf": [)" + options + "]}", true},
      {"a pattern whose automaton explodes", R"({"pattern": "^(a|b)*a(a|b){40}$"})"},
      {"a pattern that repeats repetitions", R"({"pattern": "^((a{1,99}){1,99}){1,99}$"})"},
      {"not of not of not", R"({"not": {"not": {"not": {"anyOf": [{"minimum": 3}, {"not":
           {"allOf": [{"minLength": 2}, {"maxLength": 9}]}}]}}}})"},
      {"a oneOf of itself", R"({"oneOf": [{"$ref": "#"}, {"not": {"$ref": "#"}}]})", true},
      {"an if of itself", R"({"if": {"$ref": "#"}, "then": {"$ref": "#"}, "else": {"$ref": "#"}})"},
      {"dependencies in a circle", R"({"dependentRequired": {"a": ["b"], "b": ["c"], "c": ["d"],
           "d": ["e"], "e": ["f"], "f": ["g"], "g": ["h"], "h": ["a"]}})"},
      {"a count of many members", R"({"minProperties": 100000, "maxProperties": 1000000})", true},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    const auto json = parse_json(row.schema);
    REQUIRE(json.ok());
    const auto schema = parse_schema(*json);
    REQUIRE(schema.ok());
    std::vector<Loosened> loosened;
    const Gbnf grammar = grammar_of(*schema, loosened);
    CHECK(grammar.rules.size() < 20'000);
    CHECK(loosened.empty() != row.reported);
    (void)validate(*schema, Json::object());
  }
}

}  // namespace pedro
