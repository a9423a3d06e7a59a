#include "base/json.h"

#include <doctest/doctest.h>

#include <iterator>
#include <set>

namespace pedro {

TEST_CASE("json: hashes of different values differ, however deep they are") {
  const char* const texts[] = {"{}",
                               "[]",
                               "[[]]",
                               "[[],[]]",
                               "[1]",
                               "[1,2]",
                               "[2,1]",
                               "[[1],2]",
                               "[[1,2]]",
                               "{\"a\":1}",
                               "{\"a\":{\"b\":1}}",
                               "{\"a\":1,\"b\":2}",
                               "{\"b\":2,\"a\":1}",
                               "{\"a\":2,\"b\":1}",
                               "\"1\"",
                               "1",
                               "null"};
  std::set<std::uint64_t> hashes;
  for (const char* text : texts) {
    hashes.insert(hash_of(*parse_json(text), 1));
    CHECK(hash_of(*parse_json(text), 1) == hash_of(*parse_json(text), 1));
  }
  CHECK(hashes.size() == std::size(texts));
  Json deep;
  for (int i = 0; i < 100'000; ++i) deep = Json::array({std::move(deep)});
  CHECK(hash_of(deep, 1) != hash_of(deep, 2));
}

TEST_CASE("json: keeps the order of keys") {
  const auto parsed = parse_json(R"({"b": 1, "a": [true, null]})");
  REQUIRE(parsed.ok());
  CHECK(to_line(*parsed) == R"({"b":1,"a":[true,null]})");
}

TEST_CASE("json: a line with blanks is the same value") {
  const auto value = parse_json(R"({"a":[1,"b, c: d",{}],"e":[],"f":null})");
  REQUIRE(value.ok());
  CHECK(to_spaced_line(*value) == R"({"a": [1, "b, c: d", {}], "e": [], "f": null})");
  CHECK(to_spaced_line(Json("x")) == "\"x\"");
}

TEST_CASE("json: an error names line and column") {
  struct Row {
    const char* input;
    const char* place;
  };
  for (const Row& row :
       {Row{"{\"a\": }", "1:7: "}, Row{"{\n  \"a\": 1,\n}", "3:1: "}, Row{"", "1:1: "},
        Row{"[1] 2", "1:5: "}, Row{"[1e400]", "1:6: number overflow parsing '1e400'"}}) {
    const auto parsed = parse_json(row.input);
    REQUIRE_FALSE(parsed.ok());
    CAPTURE(parsed.error().message);
    CHECK(parsed.error().message.starts_with(row.place));
    CHECK(parsed.error().message.find("json.exception") == std::string::npos);
  }
}

TEST_CASE("json: a number that a double does not hold is kept as its text, if this is asked for") {
  struct Row {
    const char* text;
    bool kept;
  };
  for (const Row& row : {Row{"12345678901234567890123", true}, Row{"-0.10000000000000000001", true},
                         Row{"1e-400", true}, Row{"1.234567890123456e5", true},
                         Row{"1.23456789012345e5", false}, Row{"100000000000000000000000", false},
                         Row{"18446744073709551615", false}, Row{"0.0e-999", false}}) {
    CAPTURE(row.text);
    const auto exact = parse_json(row.text, {.exact_numbers = true});
    REQUIRE(exact.ok());
    CHECK(is_json_number(*exact));
    CHECK(exact->is_binary() == row.kept);
    if (row.kept) CHECK(to_line(*exact) == row.text);
    CHECK(parse_json(row.text)->is_number());
  }
}

TEST_CASE("json: nesting and size are limited, not the stack") {
  const std::string deep(200'000, '[');
  CHECK(parse_json(deep).error().message == "1:129: JSON nested more than 128 deep");
  const std::string lines = "{\"[[\\\"{{\": [[1], {}],\n \"b\": [[[2]]]}";
  CHECK(parse_json(lines, {.max_depth = 3}).error().message == "2:9: JSON nested more than 3 deep");
  CHECK(parse_json(lines, {.max_depth = 4}).ok());
  CHECK(parse_json("[1,2,3]", {.max_bytes = 3}).error().message ==
        "1:1: 7 bytes of JSON, more than the limit of 3");
}

TEST_CASE("json: invalid UTF-8 is replaced on output, never thrown") {
  CHECK(to_line(Json("a\xff")) == "\"a\xEF\xBF\xBD\"");
}

TEST_CASE("json: members of the wrong type give the fallback") {
  const Json object = {{"n", 3.7}, {"t", "x"}, {"big", 18446744073709551615u}};
  CHECK(number_of(object, "n") == 3);
  CHECK(number_of(object, "t", 5) == 5);
  CHECK(number_of(object, "big", 6) == 6);
  CHECK(count_of(object, "n") == 3);
  CHECK(count_of(object, "t", 5) == 5);
  for (const char* text : {"9223372036854775807", "1e18", "100000000001"}) {
    CHECK(count_of({{"n", *parse_json(text)}}, "n") == 100'000'000'000);
  }
  CHECK(count_of({{"n", -1}}, "n", 5) == 0);
  CHECK(text_of(object, "n", "none") == "none");
  CHECK(text_of(Json(3), "n", "none") == "none");
}

}  // namespace pedro
