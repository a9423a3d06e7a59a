#include "chat_format/python_json.h"

#include <doctest/doctest.h>

namespace pedro {
namespace {

struct Row {
  std::string name;
  std::string text;
  std::string expected;  // "": json.loads rejects the text
};

std::string nested(std::size_t depth) {
  return std::string(depth, '[') + std::string(depth, ']');
}

}  // namespace

// The expected texts are those of Python 3.14.
TEST_CASE("python json: matches json.dumps of the value that json.loads reads") {
  const Row rows[] = {
      {"blanks stand behind ',' and ':' only", " { \"a\" :[1,2 , 3 ] }\n", R"({"a": [1, 2, 3]})"},
      {"empty containers", "[ { } , [\t] ]", "[{}, []]"},
      {"words", "[null,true,false]", "[null, true, false]"},
      {"words that JSON does not have", "[NaN,Infinity,-Infinity]", "[NaN, Infinity, -Infinity]"},
      {"whole numbers keep their digits", "123456789012345678901234567890",
       "123456789012345678901234567890"},
      {"minus nothing is nothing", "-0", "0"},
      {"minus nothing as a fraction", "-0.0", "-0.0"},
      {"a fraction of none", "1.0", "1.0"},
      {"digits behind that say nothing", "2.50", "2.5"},
      {"an exponent", "1e5", "100000.0"},
      {"an exponent with a sign", "1E+5", "100000.0"},
      {"the last number without an exponent", "1e15", "1000000000000000.0"},
      {"the first number with one", "1e16", "1e+16"},
      {"the last small number without an exponent", "0.0001", "0.0001"},
      {"the first small number with one", "0.00001", "1e-05"},
      {"the shortest that reads back", "0.1000000000000000055511151231257827", "0.1"},
      {"all 17 digits", "0.30000000000000004", "0.30000000000000004"},
      {"above 2^53", "9007199254740993.0", "9007199254740992.0"},
      {"the largest", "1.7976931348623157e308", "1.7976931348623157e+308"},
      {"the smallest", "5e-324", "5e-324"},
      {"too large", "1e400", "Infinity"},
      {"too large and negative", "-1e400", "-Infinity"},
      {"too small", "1e-400", "0.0"},
      {"too small and negative", "-1e-400", "-0.0"},
      {"too small without an exponent", "0." + std::string(400, '0') + "1", "0.0"},
      {"too large, with a negative exponent", "1" + std::string(400, '0') + "e-5", "Infinity"},
      {"in range, with many noughts and an exponent", "0." + std::string(400, '0') + "1e401",
       "1.0"},
      {"an exponent that no number holds", "1e99999999999999999999", "Infinity"},
      {"nothing with a large exponent", "0e99999", "0.0"},
      {"characters stand as they are", "\"\\u00e9\\ud83e\\udd8a/\\/\x7F\"", "\"é🦊//\x7F\""},
      {"escapes", R"("\"\\\b\f\n\r\t\u0000\u001f\u0041")", R"("\"\\\b\f\n\r\t\u0000\u001fA")"},
      {"half a pair", R"("\ud83ex\udd8a")", "\"\uFFFDx\uFFFD\""},
      {"half a pair before a whole one", R"("\ud83e\ud83e\udd8a")", "\"\uFFFD🦊\""},
      {"the last of two members, in the first one's place", R"({"a":1,"b":2,"a":[3]})",
       R"({"a": [3], "b": 2})"},
      {"names that are the same but for their spelling", R"({"a":1,"\u0061":2})", R"({"a": 2})"},
      {"the same in members that are dropped", R"({"a":{"x":1,"x":2},"b":{"y":1,"y":2},"a":3})",
       R"({"a": 3, "b": {"y": 2}})"},
      {"500 within each other", nested(500), nested(500)},

      {"nothing", "", ""},
      {"blanks", " \n", ""},
      {"a blank that is none",
       "\xC2\xA0"
       "1",
       ""},
      {"a byte order mark", "\xEF\xBB\xBF{}", ""},
      {"more behind it", "{} x", ""},
      {"a comma too many", "[1,]", ""},
      {"a comma too many in an object", "{\"a\":1,}", ""},
      {"a comma and nothing", "[,]", ""},
      {"no comma", "[1 2]", ""},
      {"no colon", "{\"a\" 1}", ""},
      {"a name without quotes", "{a:1}", ""},
      {"single quotes", "{'a':1}", ""},
      {"a nought in front", "01", ""},
      {"a point without digits", "1.", ""},
      {"a point in front", ".5", ""},
      {"a plus", "+1", ""},
      {"a minus", "-", ""},
      {"an exponent without digits", "1e", ""},
      {"a word that is none", "nul", ""},
      {"a string without an end", "\"open", ""},
      {"an escape without an end", "\"\\", ""},
      {"an escape that is none", R"("\x")", ""},
      {"too few hexadecimal digits", R"("\u12")", ""},
      {"a sign among them", R"("\u+123")", ""},
      {"a control character", "\"a\tb\"", ""},
      {"an end without a beginning", "]", ""},
      {"an end of the other kind", "[}", ""},
      {"no end", "[[1]", ""},
      {"501 within each other", nested(501), ""},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    CHECK(python_json(row.text).value_or("") == row.expected);
    CHECK(python_json_or_string(row.text) ==
          (row.expected.empty() ? python_json_string(row.text) : row.expected));
  }
}

TEST_CASE("python json: reads back its own output unchanged") {
  for (const char* text : {R"([NaN, -Infinity, 1e+16, "é\u0001"])", R"({"a": {"b": [1e-05]}})"}) {
    CHECK(python_json(text).value_or("") == text);
  }
}

TEST_CASE("python json: long and deep input comes to an end") {
  std::string twice = "{}";
  for (int depth = 0; depth < 400; ++depth) twice.insert(0, R"({"a":0,"a":)").append("}");
  CHECK(python_json(twice).has_value());
  CHECK(python_json(std::string(1'000'000, '[')) == std::nullopt);
  CHECK(python_json("[" + std::string(1'000'000, ' ') + "]") == "[]");
}

}  // namespace pedro
