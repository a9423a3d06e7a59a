// Tests arguments outside JSON: consecutive parameters, and texts after a call.
#include <doctest/doctest.h>

#include <deque>
#include <string>
#include <string_view>

#include "gbnf/check_gbnf.h"
#include "gbnf/match.h"
#include "gbnf/parse_gbnf.h"
#include "schema_to_gbnf/tool_calls.h"

namespace pedro {
namespace {

CallBranch branch(std::string_view schema, std::vector<std::string> bodies = {}) {
  const auto json = parse_json(schema);
  REQUIRE(json.ok());
  auto parsed = parse_schema(*json);
  REQUIRE(parsed.ok());
  static std::deque<Schema> schemas;
  schemas.push_back(std::move(*parsed));
  return CallBranch{"f", "", &schemas.back(), std::move(bodies)};
}

// A text ends at </p>, or at a line that begins with <end>.
CallWrapping tags() {
  CallWrapping wrapping;
  wrapping.open = {"<"};
  wrapping.name = NameForm::kPlain;
  wrapping.middle = {">\n"};
  wrapping.close = {"."};
  wrapping.parameters = {{"<p="}, {">\n"}, {"\n</p>\n"}, "</p>", "<\\/p>|(^|\\n)<end>"};
  return wrapping;
}

CallWrapping with_bodies() {
  CallWrapping wrapping;
  wrapping.close = {};
  wrapping.bodies = {{"}"}, {{"\n[["}, {"\n"}, {"\n]]"}, "", "(^|\\n)\\]\\](\\n|$)"}};
  return wrapping;
}

Gbnf grammar_of(const CallBranch& one, const CallWrapping& wrapping,
                std::vector<Loosened>* loosened = nullptr) {
  return tool_call_grammar(std::vector<CallBranch>{one}, wrapping, loosened);
}

struct Row {
  std::string text;
  bool fits;
};

void check_rows(const Gbnf& grammar, const std::vector<Row>& rows) {
  const auto parsed = parse_gbnf(print(grammar), "grammar");
  REQUIRE(parsed.ok());
  const GbnfReport report = check_gbnf(*parsed);
  CHECK_MESSAGE(!report.has_errors(), to_text(report, *parsed));
  for (const Row& row : rows) {
    CAPTURE(row.text);
    CHECK(*matches(grammar, row.text) == row.fits);
  }
}

std::string one(std::string_view value) {
  return "<f>\n<p=x>\n" + std::string(value) + "\n</p>\n.";
}

Gbnf of_value(std::string_view schema, std::vector<Loosened>* loosened = nullptr) {
  return grammar_of(branch(R"({"properties": {"x": )" + std::string(schema) +
                           R"(}, "required": ["x"], "type": "object"})"),
                    tags(), loosened);
}

void check_values(std::string_view schema, const std::vector<Row>& rows) {
  std::vector<Loosened> loosened;
  const Gbnf grammar = of_value(schema, &loosened);
  CAPTURE(schema);
  for (const Loosened& each : loosened)
    MESSAGE(each.pointer, " ", each.keyword, ": ", each.instead);
  CHECK(loosened.empty());
  std::vector<Row> whole;
  for (const Row& row : rows) whole.push_back({one(row.text), row.fits});
  check_rows(grammar, whole);
}

std::string repeated(std::string_view text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

}  // namespace

TEST_CASE("parameters: in declared order, required ones there, optional ones or not") {
  const CallBranch three = branch(R"({"type": "object", "properties": {
      "action": {"const": "go"}, "a": {"type": "integer"}, "b": {"type": "boolean"},
      "c": {"type": "null"}}, "required": ["action", "b"]})");
  const auto written = [](std::string_view names) {
    std::string text = "<f>\n";
    for (const char name : names) {
      if (name == '!') text += "<p=action>\ngo\n</p>\n";
      if (name == 'a') text += "<p=a>\n-12\n</p>\n";
      if (name == 'b') text += "<p=b>\ntrue\n</p>\n";
      if (name == 'c') text += "<p=c>\nnull\n</p>\n";
    }
    return text + ".";
  };
  check_rows(grammar_of(three, tags()), {{written("!b"), true},
                                         {written("!ab"), true},
                                         {written("!bc"), true},
                                         {written("!abc"), true},
                                         {written("!a"), false},
                                         {written("b"), false},
                                         {written("!ba"), false},
                                         {written("!bb"), false},
                                         {written("b!"), false},
                                         {written("!aab"), false}});
}

TEST_CASE("parameters: with separators, texts in quotes of their own, and a number in between") {
  const CallBranch three = branch(R"({"type": "object", "properties": {
      "a": {"type": "integer"}, "b": {"type": "string"}, "c": {"type": ["string", "null"]},
      "d": {"enum": ["x", 1]}}, "required": ["b"]})");
  CallWrapping wrapping;
  wrapping.open = {"call:"};
  wrapping.name = NameForm::kPlain;
  wrapping.middle = {":", MadeUpId{3, true}, "{"};
  wrapping.close = {"}"};
  wrapping.parameters = ParameterWrapping{{}, {":"}, {}, "", "~"};
  wrapping.parameters->between = {","};
  wrapping.parameters->before_text = {"~"};
  wrapping.parameters->after_text = {"~"};
  check_rows(grammar_of(three, wrapping), {{"call:f:0{b:~x~}", true},
                                           {"call:f:123{b:~x~}", true},
                                           {"call:f:{b:~x~}", false},
                                           {"call:f:1234{b:~x~}", false},
                                           {"call:f:0{a:5,b:~~}", true},
                                           {"call:f:0{a:5,b:~,c:1~,c:null,d:~x~}", true},
                                           {"call:f:0{b:~x~,c:~null~}", true},
                                           {"call:f:0{b:~x~,d:1}", true},
                                           {"call:f:0{a:5}", false},
                                           {"call:f:0{a:5,}", false},
                                           {"call:f:0{,b:~x~}", false},
                                           {"call:f:0{a:5b:~x~}", false},
                                           {"call:f:0{b:~x~,}", false},
                                           {"call:f:0{b:x}", false},
                                           {"call:f:0{b:~x~~}", false},
                                           {"call:f:0{d:1,b:~x~}", false}});
  wrapping.parameters->in_quotes = true;
  wrapping.parameters->pattern = "";
  check_rows(grammar_of(three, wrapping), {{R"(call:f:0{b:"~ \"",c:"x"})", true},
                                           {R"(call:f:0{b:"x",c:null,d:"x"})", true},
                                           {R"(call:f:0{a:1,b:"x",d:1})", true},
                                           {R"(call:f:0{b:~x~})", false},
                                           {R"(call:f:0{b:5})", false}});
  const CallBranch optional = branch(R"({"type": "object", "properties": {
      "a": {"type": "integer"}, "b": {"type": "integer"}}})");
  check_rows(grammar_of(optional, wrapping), {{"call:f:0{}", true},
                                              {"call:f:0{a:1}", true},
                                              {"call:f:0{b:1}", true},
                                              {"call:f:0{a:1,b:1}", true},
                                              {"call:f:0{b:1,a:1}", false}});
  check_rows(grammar_of(branch(R"({"type": "object"})"), wrapping), {{"call:f:0{}", true}});
}

TEST_CASE("parameters: texts are literal, up to the end of the parameter") {
  check_values(R"({"type": "string"})", {{"", true},
                                         {"a", true},
                                         {"\"quoted\" \\n 'text'", true},
                                         {"two\nlines\n", true},
                                         {"\n\n", true},
                                         {"\t{\r\n}", true},
                                         {"größer 漢字 \xF0\x9F\x98\x80", true},
                                         {"a < b && c </ d <p <</p </ p>", true},
                                         {"</p>", false},
                                         {"a</p>b", false},
                                         {"<</p>", false},
                                         {"a\n</p>\n<p=y>\nb", false},
                                         {"<end>", false},
                                         {"a\n<end>", false},
                                         {"a\n\n<end> b", false},
                                         {"a <end>", true}});
}

TEST_CASE("parameters: a schema's rules for texts apply without quotes") {
  check_values(R"({"enum": ["a b", "x\ny", "</p>", 3, null, [1, "z"], [1, "</p>"]]})",
               {{"a b", true},
                {"x\ny", true},
                {"\"a b\"", false},
                {"</p>", false},
                {"3", true},
                {"null", true},
                {"[1, \"z\"]", true},
                {"[1, \"</p>\"]", false}});
  check_values(R"({"type": "string", "pattern": "^a.c$"})",
               {{"abc", true}, {"a\"c", true}, {"abcd", false}, {"\"abc\"", false}});
  check_values(R"({"type": "string", "pattern": "p>$"})",
               {{"p>", true}, {"x</q>p>", true}, {"</p>", false}, {"p", false}});
  check_values(R"({"type": "string", "format": "date"})",
               {{"2026-11-22", true}, {"2026-13-22", false}});
  check_values(R"({"type": "string", "minLength": 1})",
               {{"", false}, {"<", true}, {"\n", true}, {"</p>", false}});
  check_values(R"({"type": "string", "minLength": 2, "maxLength": 4})",
               {{"a", false},
                {"ab", true},
                {"</p>", false},
                {"</p", true},
                {"\n\n\n\n", true},
                {"\xE6\xBC\xA2\xE6\xBC\xA2\xE6\xBC\xA2\xE6\xBC\xA2", true},
                {"abcde", false}});
}

TEST_CASE("parameters: other values are JSON, without the parameter's end") {
  check_values(R"({"type": "array", "items": {"type": "string"}})", {{"[]", true},
                                                                     {R"(["a", "b\n<end>"])", true},
                                                                     {R"(["</p>"])", false},
                                                                     {R"(["< /p>", "</p"])", true},
                                                                     {"a", false}});
  check_values(R"({"type": "object", "additionalProperties": {"type": "string", "maxLength": 5}})",
               {{"{}", true},
                {R"({"a": "b"})", true},
                {R"({"</p>": "b"})", false},
                {R"({"a": "</p>"})", false},
                {R"({"a": "123456"})", false}});
  check_values(R"({"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]})",
               {{R"({"a": 1})", true}, {R"({"a": "1"})", false}});
  check_values(R"({"type": ["integer", "null"], "minimum": 3})",
               {{"3", true}, {"null", true}, {"2", false}, {"\"3\"", false}, {"", false}});
  check_values(R"({"anyOf": [{"enum": ["all"]}, {"type": "integer"}]})",
               {{"all", true}, {"12", true}, {"\"all\"", false}, {"some", false}});
  check_values("{}", {{"anything at all", true}, {"[1", true}, {"</p>", false}});
}

TEST_CASE("parameters: long texts are counted in portions that may be some characters long") {
  for (const int length : {400, 1500}) {
    CAPTURE(length);
    std::vector<Loosened> loosened;
    const Gbnf grammar = of_value(
        R"({"type": "string", "minLength": 1, "maxLength": )" + std::to_string(length) + "}",
        &loosened);
    REQUIRE(loosened.size() == 1);
    CHECK(loosened[0].pointer == "f: /properties/x");
    CHECK(loosened[0].keyword == "maxLength");
    CHECK(loosened[0].instead == "some more");
    check_rows(grammar, {{one(""), false},
                         {one("a"), true},
                         {one("\na"), true},
                         {one("a<"), true},
                         {one("<"), false},  // shorter than one portion
                         {one(repeated("x", length)), true},
                         {one(repeated("x", length + 1)), false},
                         {one(repeated("x", length - 1) + "<"), true},
                         {one(repeated("</p", 200) + "</p>"), false},
                         {one("x\n<end>"), false},
                         {one("<end>"), false},
                         {one("x</p>"), false}});
    CHECK(print(grammar).size() < 3000);
  }
}

TEST_CASE("parameters: rules that cannot be enforced are reported") {
  struct Case {
    const char* schema;
    const char* reported;
  };
  const Case cases[] = {
      {R"({"type": "object", "properties": {"a": {}}, "minProperties": 1})",
       "minProperties: fewer"},
      {R"({"type": "object", "properties": {"a": {}, "b": {}}, "maxProperties": 1})",
       "maxProperties: more"},
      {R"({"type": "object", "x-gbnf": "\"{}\"", "properties": {"a": {}}})",
       "x-gbnf: any parameters"},
      {R"({"type": "object", "properties": {"a": {"type": "integer", "x-gbnf": "[0-9]"}}})",
       "x-gbnf: the end of a parameter\ntype: any text that x-gbnf allows"},
      {R"({"type": "object", "properties": {"a": {"type": "string", "x-gbnf": "[0-9]"}}})",
       "x-gbnf: any text"},
      {R"({"type": "object", "properties": {"a": {"type": "string", "maxLength": 5000}}})",
       "maxLength: any number"},
  };
  for (const Case& each : cases) {
    CAPTURE(each.schema);
    std::vector<Loosened> loosened;
    (void)grammar_of(branch(each.schema), tags(), &loosened);
    std::string reported;
    for (const Loosened& one : loosened) reported += one.keyword + ": " + one.instead + "\n";
    CHECK(reported == std::string(each.reported) + "\n");
  }
}

TEST_CASE("parameters: choices at the root, and names that are not declared") {
  const char* one_of = R"({"type": "object", "oneOf": [
      {"properties": {"a": {"const": 1}}, "required": ["a"], "additionalProperties": false},
      {"properties": {"b": {"const": 2}}, "required": ["b"], "additionalProperties": false}]})";
  check_rows(grammar_of(branch(one_of), tags()), {{"<f>\n<p=a>\n1\n</p>\n.", true},
                                                  {"<f>\n<p=b>\n2\n</p>\n.", true},
                                                  {"<f>\n<p=a>\n1\n</p>\n<p=b>\n2\n</p>\n.", false},
                                                  {"<f>\n.", false}});
  const char* open = R"({"type": "object", "properties": {"a": {"$ref": "#/$defs/n"}},
      "required": ["b"], "additionalProperties": {"$ref": "#/$defs/n"},
      "$defs": {"n": {"type": "integer"}}})";
  check_rows(grammar_of(branch(open), tags()), {{"<f>\n<p=b>\n2\n</p>\n.", true},
                                                {"<f>\n<p=a>\n1\n</p>\n<p=b>\n2\n</p>\n.", true},
                                                {"<f>\n<p=b>\nx\n</p>\n.", false},
                                                {"<f>\n<p=b>\n2\n</p>\n<p=c>\n1\n</p>\n.", false}});
  const char* values = R"({"enum": [{"a": 1, "b": "x"}, {}, 7]})";
  check_rows(grammar_of(branch(values), tags()),
             {{"<f>\n.", true}, {"<f>\n<p=a>\n1\n</p>\n<p=b>\nx\n</p>\n.", true}});
  const char* itself = R"({"type": "object", "properties": {"next": {"$ref": "#"}}})";
  check_rows(grammar_of(branch(itself), tags()),
             {{"<f>\n.", true}, {"<f>\n<p=next>\n{\"next\": {}}\n</p>\n.", true}});
  CHECK_FALSE(*matches(grammar_of(branch(R"({"type": "string"})"), tags()), "<f>\n."));
}

TEST_CASE("bodies: they follow the call, which has the other arguments") {
  const CallBranch edit = branch(R"({"type": "object", "properties": {"action": {"const": "edit"},
      "path": {"type": "string"}, "old": {"type": "string", "minLength": 1}, "new": {"type": "string"}},
      "required": ["action", "old", "new"], "additionalProperties": false})",
                                 {"new", "old"});
  const std::string call = R"({"tool": "f", "args": {"action": "edit")";
  check_rows(grammar_of(edit, with_bodies()),
             {{call + "}}\n[[old\na\n]]\n[[new\nb\n]]", true},
              {call + ", \"path\": \"p\"}}\n[[old\na\n]]\n[[new\n\n]]", true},
              {call + "}}\n[[old\n\"a\"\n b]]\n]] \n]]\n[[new\n\n\n]]", true},
              {call + "}}\n[[old\n\n]]\n[[new\nb\n]]", false},
              {call + "}}\n[[old\na\n]]", false},
              {call + "}}\n[[new\na\n]]\n[[old\na\n]]", false},
              {call + "}}\n[[old\na\n]]\nb\n]]\n[[new\nb\n]]", false},
              {call + "}}\n[[old\na\n]]\n[[new\n]]\n]]", false},
              {call + ", \"old\": \"a\"}}\n[[new\nb\n]]", false},
              {call + "}}", false}});
}

TEST_CASE("bodies: optional ones or not, and calls without any") {
  const CallBranch optional = branch(R"({"type": "object", "properties": {"a": {"type": "string"},
      "b": {"type": "string"}}})",
                                     {"a", "b"});
  const std::string call = R"({"tool": "f", "args": {})";
  check_rows(
      grammar_of(optional, with_bodies()),
      {{call + "}\n[[a\nx\n]]\n[[b\ny\n]]", true}, {call + "}\n[[b\ny\n]]", true}, {call, true}});
  CHECK(print(grammar_of(branch(R"({"const": {}})"), with_bodies())) ==
        "root ::= \"{\\\"tool\\\": \\\"f\\\", \\\"args\\\": \" f\nf ::= \"{}\"\n");
}

TEST_CASE("parameters: the grammars of another way to write them are kept apart") {
  CallGrammars grammars;
  const std::vector<CallBranch> bodies = {branch(R"({"type": "object", "properties":
      {"a": {"type": "string"}}})",
                                                 {"a"})};
  std::vector<CallBranch> none = bodies;
  none[0].bodies.clear();
  const std::string* tagged = &grammars.get(bodies, tags()).text;
  CHECK(&grammars.get(bodies, tags()).text == tagged);
  CHECK(grammars.get(bodies, with_bodies()).text != *tagged);
  CHECK(grammars.get(bodies, with_bodies()).text != grammars.get(none, with_bodies()).text);
  CallWrapping other = tags();
  other.parameters->pattern = "";
  CHECK(grammars.get(bodies, other).text != *tagged);
  other = tags();
  other.parameters->end_text = "</q>";
  other.parameters->pattern = "<\\/q>";
  CHECK(grammars.get(bodies, other).text != *tagged);
}

}  // namespace pedro
