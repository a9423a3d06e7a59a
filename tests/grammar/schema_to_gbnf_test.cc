#include "grammar/schema_to_gbnf.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "grammar/instance_maker.h"
#include "grammar/match.h"
#include "grammar/schema_rows.h"
#include "grammar/validate.h"

namespace pedro {
namespace {

Schema schema_of(std::string_view text) {
  const auto json = parse_json(text);
  REQUIRE(json.ok());
  const auto schema = parse_schema(*json);
  REQUIRE(schema.ok());
  return *schema;
}

Gbnf grammar_of(const Schema& schema, std::vector<Loosened>& loosened) {
  GrammarBuilder builder;
  Expr root = add_schema(builder, schema, "args", loosened);
  return builder.finish(std::move(root));
}

std::string gbnf_of(std::string_view schema) {
  std::vector<Loosened> loosened;
  return print(grammar_of(schema_of(schema), loosened));
}

bool is_valid(const Schema& schema, const std::string& text) {
  const auto json = parse_json(text);
  return json.ok() && !validate(schema, *json);
}

bool fits(const Matcher& compiled, const std::string& text) {
  Matcher matcher = compiled;
  const auto taken = matcher.accept(text);
  return taken.ok() && *taken == text.size() && matcher.is_complete();
}

}  // namespace

TEST_CASE("schema to gbnf: matcher and validator on the table of schemas") {
  for (const SchemaRow& row : schema_rows()) {
    CAPTURE(row.name);
    const Schema schema = schema_of(row.schema);
    std::vector<Loosened> loosened;
    const auto compiled = Matcher::compile(grammar_of(schema, loosened));
    REQUIRE(compiled.ok());
    const auto check = [&](const std::vector<std::string>& texts, bool matched, bool valid) {
      for (const std::string& text : texts) {
        CAPTURE(text);
        CHECK(fits(*compiled, text) == matched);
        CHECK(is_valid(schema, text) == valid);
      }
    };
    check(row.accepted, true, true);
    check(row.refused, false, false);
    check(row.only_valid, false, true);
    check(row.only_matched, true, false);
    CHECK_FALSE((loosened.empty() && !row.only_matched.empty()));
  }
}

TEST_CASE("schema to gbnf: matcher and validator agree on made-up values") {
  InstanceMaker maker(1);
  int matched = 0;
  int refused = 0;
  for (const SchemaRow& row : schema_rows()) {
    if (!row.only_matched.empty()) continue;
    CAPTURE(row.name);
    const Schema schema = schema_of(row.schema);
    std::vector<Loosened> loosened;
    const auto compiled = Matcher::compile(grammar_of(schema, loosened));
    REQUIRE(compiled.ok());
    for (int i = 0; i < 150; ++i) {
      Json value = maker.fitting(schema, schema.root);
      for (int changes = i % 3; changes > 0; --changes) value = maker.changed(std::move(value));
      const std::string text = maker.written(value);
      CAPTURE(text);
      const bool valid = !validate(schema, value);
      if (i % 3 == 0) CHECK(valid);
      CHECK(fits(*compiled, text) == valid);
      ++(valid ? matched : refused);
    }
  }
  CHECK(matched > 1000);
  CHECK(refused > 1000);
}

TEST_CASE("schema to gbnf: whatever the grammar can write is valid") {
  InstanceMaker maker(2);
  for (const SchemaRow& row : schema_rows()) {
    if (!row.only_matched.empty()) continue;
    CAPTURE(row.name);
    const Schema schema = schema_of(row.schema);
    std::vector<Loosened> loosened;
    const Gbnf grammar = grammar_of(schema, loosened);
    const auto compiled = Matcher::compile(grammar);
    REQUIRE(compiled.ok());
    for (int i = 0; i < 100; ++i) {
      const std::string text = maker.derived(grammar);
      CAPTURE(text);
      CHECK(is_valid(schema, text));
      CHECK(fits(*compiled, text));
    }
  }
}

TEST_CASE("schema to gbnf: goldens") {
  struct Row {
    const char* name;
    const char* schema;
    const char* gbnf;
  };
  const Row rows[] = {
      {"strings", R"({"type": "string", "maxLength": 20})",
       R"gbnf(root ::= string-0-20
char ::= [^\x00-\x1F"\\\x7F] | "\\" (["/\\bfnrt] | "u" ([0-9A-CEFa-cef] [0-9A-Fa-f]{3} | [Dd] [0-7] [0-9A-Fa-f]{2} | [Dd] [89ABab] [0-9A-Fa-f]{2} "\\u" [Dd] [C-Fc-f] [0-9A-Fa-f]{2}))
string-0-20 ::= "\"" char{0,20} "\""
)gbnf"},
      {"numbers", R"({"type": "number"})",
       R"gbnf(root ::= number
number ::= "-"? ("0" | [1-9] [0-9]{0,15}) ("." [0-9]{1,16})? ([Ee] [+\x2D]? [0-9]{1,2})?
)gbnf"},
      {"required ones are one line",
       R"({"type": "object", "properties": {"action": {"const": "grep"}, "a": {"type": "null"},
           "b": {"type": "integer", "minimum": 1}}, "required": ["action", "a"]})",
       R"gbnf(root ::= "{\"action\":" " "? "\"grep\"," " "? "\"a\":" " "? "null" ("," " "? "\"b\":" " "? integer-from-1)? "}"
integer-from-1 ::= [1-9] [0-9]{0,15}
)gbnf"},
      {"optional ones that lead have a rule each for what may follow",
       R"({"type": "object", "properties": {"a": {"const": 1}, "b": {"const": 2},
           "c": {"const": 3}, "d": {"const": 4}}, "required": ["c"]})",
       R"gbnf(root ::= "{" ("\"a\":" " "? "1" args-after-a | "\"b\":" " "? "2" args-after-b | "\"c\":" " "? "3" args-after-c) "}"
args-after-c ::= ("," " "? "\"d\":" " "? "4")?
args-after-b ::= "," " "? "\"c\":" " "? "3" args-after-c
args-after-a ::= ("," " "? "\"b\":" " "? "2")? args-after-b
)gbnf"},
      {"arrays repeat a rule, not a group",
       R"({"type": "array", "items": {"enum": ["grep", "glob"]}, "minItems": 1, "maxItems": 9})",
       R"gbnf(root ::= "[" args-item args-next{0,8} "]"
args-item ::= "\"g" ("rep\"" | "lob\"")
args-next ::= "," " "? args-item
)gbnf"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    CHECK(gbnf_of(row.schema) == row.gbnf);
  }
}

TEST_CASE("schema to gbnf: what is looser than the schema is reported") {
  struct Row {
    const char* schema;
    const char* loosened;
  };
  const Row rows[] = {
      {R"({"type": "string", "maxLength": 1999})", ""},
      {R"({"type": "string", "minLength": 3000, "maxLength": 4000})",
       "/ minLength: 1999 or more; / maxLength: any number; "},
      {R"({"type": "array", "items": {"type": "null"}, "minItems": 2001, "maxItems": 2001})",
       "/ minItems: 2000 or more; / maxItems: any number; "},
      {R"({"type": "array", "items": {"type": "null"}, "minItems": 2000, "maxItems": 2000})", ""},
      {R"({"type": "object", "properties": {"x": {"type": "number", "minimum": 0.5,
           "maximum": 2}}})",
       "/properties/x minimum: any number >= 0; /properties/x maximum: any number; "},
      {R"({"type": "number", "minimum": 0})", ""},
      {R"({"oneOf": [{"type": "integer"}, {"type": "string"}]})", ""},
      {R"({"oneOf": [{"type": "integer"}, {"type": "number"}]})", "/ oneOf: any of them; "},
      {R"({"oneOf": [{"enum": ["a"]}, {"type": "string"}]})", "/ oneOf: any of them; "},
  };
  for (const Row& row : rows) {
    CAPTURE(row.schema);
    std::vector<Loosened> loosened;
    (void)grammar_of(schema_of(row.schema), loosened);
    std::string text;
    for (const Loosened& one : loosened) {
      text += (one.pointer.empty() ? "/" : one.pointer) + " " + one.keyword + ": " + one.instead;
      text += "; ";
    }
    CHECK(text == row.loosened);
  }
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

}  // namespace pedro
