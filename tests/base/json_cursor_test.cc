#include "base/json_cursor.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"

namespace pedro {
namespace {

// Reads a complete value from `json`.
std::string read(JsonCursor& json) {
  switch (json.kind()) {
    case JsonCursor::Kind::kObject: {
      std::string out = "{";
      json.enter_object();
      while (const auto name = json.next_member()) {
        out += std::string(*name) + ":";
        out += read(json) + ",";
      }
      return out + "}";
    }
    case JsonCursor::Kind::kArray: {
      std::string out = "[";
      json.enter_array();
      while (json.next_element()) out += read(json) + ",";
      return out + "]";
    }
    case JsonCursor::Kind::kText:
      return "'" + std::string(json.text().value_or("?")) + "'";
    case JsonCursor::Kind::kNumber:
      return std::to_string(json.integer().value_or(-1));
    case JsonCursor::Kind::kTruth:
      return json.truth().value_or(false) ? "yes" : "no";
    default:
      return json.skip() ? "null" : "?";
  }
}

std::string error_of(std::string_view text, const JsonCursorLimits& limits = {}) {
  JsonCursor json(text, limits);
  read(json);
  const Status end = json.finish();
  return end ? "" : end.error().message;
}

bool skips(std::string_view text) {
  JsonCursor json(text);
  json.skip();
  return json.finish().ok();
}

}  // namespace

TEST_CASE("json cursor: reads all kinds of values") {
  JsonCursor json(
      "\xEF\xBB\xBF {\"a\": [1, -20 ,[]], \"b\\n\":{\"c\":null},\"\":true, \"d\":\"x\"} ");
  CHECK(read(json) == "{a:[1,-20,[],],b\n:{c:null,},:yes,d:'x',}");
  CHECK(json.finish().ok());
}

TEST_CASE("json cursor: escapes") {
  struct Row {
    const char* json;
    const char* text;
  };
  for (const Row& row :
       {Row{R"("\"\\\/\b\f\n\r\t")", "\"\\/\b\f\n\r\t"}, Row{R"("\u0041\u00e9")", "Aé"},
        Row{R"("a\u2581b")", "a\u2581b"}, Row{R"("\ud83d\ude00!")", "😀!"},
        Row{R"("\uD83D\uDE00")", "😀"}, Row{"\"\u2581\"", "\u2581"}}) {
    JsonCursor json(row.json);
    CAPTURE(row.json);
    CHECK(json.text() == std::string_view(row.text));
    CHECK(json.finish().ok());
  }
}

TEST_CASE("json cursor: an error names line and column") {
  struct Row {
    std::string json;
    const char* error;
  };
  const Row rows[] = {
      {"", "1:1: expected a value, got the end of the text"},
      {"{\"a\": }", "1:7: expected a value, got no value"},
      {"{\n  \"a\": 1,\n}", "3:1: expected a name in quotes"},
      {"{\"a\" 1}", "1:6: expected ':'"},
      {"{\"a\": 1 \"b\": 2}", "1:9: expected ',' or '}'"},
      {"{1: 2}", "1:2: expected a name in quotes"},
      {"[1 2]", "1:4: expected ',' or ']'"},
      {"[1,]", "1:4: expected a value, got no value"},
      {"[1", "1:3: expected ',' or ']', got the end of the text"},
      {"[\n", "2:1: expected a value, got the end of the text"},
      {"{", "1:2: expected a name in quotes, got the end of the text"},
      {"{\"a\"", "1:5: expected ':', got the end of the text"},
      {"{\"a\":", "1:6: expected a value, got the end of the text"},
      {"[1] 2", "1:5: unexpected text after the end"},
      {"\"ab", "1:1: an unterminated string"},
      {"\"ab\\", "1:4: invalid escape"},
      {R"("\x")", "1:2: invalid escape"},
      {R"("\u12")", "1:2: invalid escape"},
      {R"("\u12g4")", "1:2: invalid escape"},
      {R"("\u-123")", "1:2: invalid escape"},
      {R"("\ud83d")", "1:2: invalid escape"},
      {R"("\ud83d\u0041")", "1:2: invalid escape"},
      {R"("\ude00")", "1:2: invalid escape"},
      {"\"a\nb\"", "1:3: a control character in a string"},
      {"\"\xFF\"", "1:1: a string that is not UTF-8"},
      {"\"\xED\xA0\x80\"", "1:1: a string that is not UTF-8"},
      {"-", "1:1: invalid number"},
      {"1.", "1:1: invalid number"},
      {"1e", "1:1: invalid number"},
      {"01", "1:2: unexpected text after the end"},
      {"1.5", "1:1: expected a whole number of at most 63 bits"},
      {"9223372036854775808", "1:1: expected a whole number of at most 63 bits"},
      {"tru", "1:1: expected 'true'"},
      {"nul", "1:1: expected 'null'"},
      {"+1", "1:1: expected a value, got no value"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.json);
    CHECK(error_of(row.json) == row.error);
  }
}

TEST_CASE("json cursor: names an unexpected value") {
  const auto error = [](const char* text, auto&& call) {
    JsonCursor json(text);
    call(json);
    return json.failed() ? json.error().message : "";
  };
  CHECK(error("[]", [](JsonCursor& json) { json.enter_object(); }) ==
        "1:1: expected an object, got an array");
  CHECK(error(" \"\"", [](JsonCursor& json) { json.enter_array(); }) ==
        "1:2: expected an array, got a string");
  CHECK(error("{}", [](JsonCursor& json) { json.text(); }) ==
        "1:1: expected a string, got an object");
  CHECK(error("null", [](JsonCursor& json) { json.integer(); }) ==
        "1:1: expected a whole number, got null");
  CHECK(error("1", [](JsonCursor& json) { json.truth(); }) ==
        "1:1: expected true or false, got a number");
  CHECK(error("{\"ab\": false}", [](JsonCursor& json) {
          json.enter_object();
          json.next_member();
          json.truth();
          json.fail("it is false");
          json.fail("that is not said any more");
        }) == "1:8: it is false");
}

TEST_CASE("json cursor: after an error nothing is read") {
  JsonCursor json("[1, 2]");
  json.enter_object();
  CHECK(json.kind() == JsonCursor::Kind::kNothing);
  CHECK_FALSE(json.enter_array());
  CHECK_FALSE(json.next_element());
  CHECK_FALSE(json.next_member());
  CHECK_FALSE(json.skip());
  CHECK_FALSE(json.integer());
  CHECK(json.finish().error().message == "1:1: expected an object, got an array");
}

TEST_CASE("json cursor: depth and length have limits") {
  CHECK(error_of("[[[]]]", {3, 10}).empty());
  CHECK(error_of("[[[[]]]]", {3, 10}) == "1:4: JSON nested more than 3 deep");
  const std::string deep(1'000'000, '[');
  CHECK(error_of(deep) == "1:129: JSON nested more than 128 deep");
  CHECK_FALSE(skips(deep));
  CHECK(error_of("[\"0123456789\"]", {3, 10}).empty());
  CHECK(error_of("[\"0123456789A\"]", {3, 10}) ==
        "1:2: a string of 11 bytes, more than the limit of 10");
  CHECK(skips("{\"" + std::string(100'000, 'a') + "\":\"" + std::string(100'000, 'b') + "\"}"));
}

TEST_CASE("json cursor: skips a value, counts its parts, and comes back to it by a copy") {
  JsonCursor json(R"({"a": {"x": [1, {"y": "]}"}], "z": {}}, "b": [1, [2, 3]], "c": "d"})");
  json.enter_object();
  json.next_member();
  JsonCursor bookmark = json;
  const auto a = json.skip();
  REQUIRE(a);
  CHECK(a->text == R"({"x": [1, {"y": "]}"}], "z": {}})");
  CHECK(a->parts == 2);
  CHECK(json.next_member() == std::string_view("b"));
  CHECK(json.skip()->parts == 2);
  CHECK(json.next_member() == std::string_view("c"));
  const auto c = json.skip();
  CHECK(c->text == "\"d\"");
  CHECK(c->parts == 0);
  CHECK_FALSE(json.next_member());
  CHECK(json.finish().ok());
  CHECK(read(bookmark) == "{x:[1,{y:']}',},],z:{},}");
}

TEST_CASE("json cursor: accepts the same texts as the other parser") {
  std::vector<std::string> texts = {"{}",
                                    "[]",
                                    "0",
                                    "-0",
                                    "1.5e+3",
                                    "\"\"",
                                    "true",
                                    "[true,false,null]",
                                    "{\"a\":{\"b\":[1,2,{}]}}",
                                    "[1.0, -2E-5, \"\\u00e9\\ud83d\\ude00\"]",
                                    " [ ] ",
                                    "{\"a\":1,\"a\":2}",
                                    "\"\u2581\""};
  // Each text with one character replaced, removed or inserted.
  const std::string letters = "{}[]\",:0-1.eE+tn\\u \n\x01\xFF";
  for (std::size_t i = 0, count = texts.size(); i < count; ++i) {
    const std::string text = texts[i];
    for (std::size_t at = 0; at <= text.size(); ++at) {
      if (at < text.size()) texts.push_back(std::string(text).erase(at, 1));
      for (const char c : letters) {
        texts.push_back(std::string(text).insert(at, 1, c));
        if (at == text.size()) continue;
        texts.push_back(text);
        texts.back()[at] = c;
      }
    }
  }
  for (const std::string& text : texts) {
    CAPTURE(text);
    CHECK(skips(text) == parse_json(text).ok());
  }
}

}  // namespace pedro
