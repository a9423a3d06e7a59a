#include <doctest/doctest.h>

#include <string>

#include "config/load.h"

namespace pedro {
namespace {

std::string scanned(std::string_view json) {
  std::string out;
  for (const KeyLine& key : scan_key_lines(json)) {
    out += key.key + ":" + std::to_string(key.line) + " ";
  }
  return out;
}

}  // namespace

TEST_CASE("key lines: every key with its line") {
  struct Row {
    const char* name;
    const char* json;
    const char* expected;
  };
  const Row rows[] = {
      {"an empty object", "{}", ""},
      {"nested objects", "{\n \"a\": {\n  \"b\": 1,\n  \"c\": {\"d\": 2}},\n \"e\": 3\n}",
       "a:2 a.b:3 a.c:4 a.c.d:4 e:5 "},
      {"text that looks like a key", "{\"a\": \"b\", \"c\": \"{\\\"d\\\":1}\"}", "a:1 c:1 "},
      {"arrays hold no keys", "{\"a\": [\"x\", {\"y\": 1}, [\"z\"]], \"b\": {\"c\": []}}",
       "a:1 b:1 b.c:1 "},
      {"an escaped key", "{\"mod\\u0065l\": {\"a\\\"b\": 1}}", "model:1 model.a\"b:1 "},
      {"a key that is there twice", "{\"a\": 1,\n\"a\": 2}", "a:1 a:2 "},
      {"\\r\\n line ends", "{\r\n\"a\": 1,\r\n\"b\": 2}", "a:2 b:3 "},
      {"an array at the top", "[{\"a\": 1}]", ""},
      {"text that is no JSON", "}]\"a\\", ""},
      {"an open string", "{\"a\": 1, \"b", "a:1 "},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    CHECK(scanned(row.json) == row.expected);
  }
}

TEST_CASE("key lines: deep nesting and long keys are left out, not followed") {
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "{\"a\":";
  CHECK(scan_key_lines(deep).size() == 32);
  CHECK(scan_key_lines(std::string(100000, '[')).empty());
  const std::string long_key(300, 'k');
  CHECK(scanned("{\"" + long_key + "\": {\"a\": 1}, \"b\": 2}") == "b:1 ");
}

TEST_CASE("key lines: a value without its own line has the line of its enclosing object") {
  const std::vector<KeyLine> lines = {{"model", 3}, {"model.mode", 4}};
  CHECK(line_of(lines, "model.mode") == 4);
  CHECK(line_of(lines, "model.other") == 3);
  CHECK(line_of(lines, "checks") == 1);
}

}  // namespace pedro
