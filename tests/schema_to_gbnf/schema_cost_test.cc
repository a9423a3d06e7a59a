// Hostile schemas: each is converted within the budget, or is an error with its location.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <functional>
#include <string>
#include <vector>

#include "schema_to_gbnf/schema_to_gbnf.h"
#include "support/heap_peak.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxPeak = std::size_t{200} << 20;

using Make = std::function<Json(int)>;

Json list_of(int count, const Make& make) {
  Json out = Json::array();
  for (int i = 0; i < count; ++i) out.push_back(make(i));
  return out;
}

Json object_of(int count, const Make& make) {
  Json out = Json::object();
  for (int i = 0; i < count; ++i) out[fmt::format("p{}", i)] = make(i);
  return out;
}

Json member_name(int i) {
  return fmt::format("p{}", i);
}

Json named(int i, Json value) {
  return {{fmt::format("p{}", i), std::move(value)}};
}

struct HostileSchema {
  const char* name;
  int count;
  Make make;  // a part, or the whole for the last rows
  std::function<Json(int, const Make&)> whole;
};

Json all_of_all(int count, const Make& make) {
  return {{"allOf", list_of(count, make)}};
}

Json one_of_all(int count, const Make& make) {
  return {{"oneOf", list_of(count, make)}};
}

Json all_properties(int count, const Make& make) {
  return {{"properties", object_of(count, make)}};
}

const std::vector<HostileSchema>& hostile_schemas() {
  static const std::vector<HostileSchema> kRows = {
      {"patterns of names", 4000,
       [](int i) {
         return Json{{"minimum", i}};
       },
       [](int count, const Make& make) {
         Json patterns = Json::object();
         for (int i = 0; i < count; ++i) patterns[fmt::format("^.*a{}.*b$", i)] = make(i);
         return Json{{"patternProperties", patterns}};
       }},
      {"patterns of names in allOf", 13,
       [](int i) {
         return Json{{"patternProperties", {{fmt::format("^.*a{}.*b$", i), {{"minimum", i}}}}}};
       },
       all_of_all},
      {"required", 4000, [](int) { return Json::object(); },
       [](int count, const Make& make) {
         return Json{{"properties", object_of(count, make)},
                     {"required", list_of(count, member_name)}};
       }},
      {"chain of dependentRequired", 3000, [](int i) { return Json::array({member_name(i + 1)}); },
       [](int count, const Make& make) {
         return Json{{"dependentRequired", object_of(count, make)}};
       }},
      {"choices in allOf", 500,
       [](int i) {
         const Json a{{"required", Json::array({member_name(i)})}};
         const Json b{{"required", Json::array({member_name(-i)})}};
         return Json{{"anyOf", Json::array({a, b})}};
       },
       all_of_all},
      {"oneOf of objects", 1500,
       [](int i) {
         return Json{{"required", Json::array({member_name(i)})},
                     {"properties", named(i, {{"const", i}})}};
       },
       one_of_all},
      {"oneOf of lengths", 3000,
       [](int i) {
         return Json{{"type", "string"}, {"minLength", i}, {"maxLength", i + 3}};
       },
       one_of_all},
      {"negations", 300,
       [](int i) {
         return Json{{"not", {{"required", Json::array({member_name(i)})}, {"minProperties", i}}}};
       },
       all_of_all},
      {"conditions", 200,
       [](int i) {
         return Json{{"if", {{"properties", {{"k", {{"const", i}}}}}}},
                     {"then", {{"required", Json::array({member_name(i)})}}},
                     {"else", {{"minProperties", i % 3}}}};
       },
       all_of_all},
      {"values and choices", 1500,
       [](int i) {
         return Json{{"const", member_name(i)}};
       },
       [](int count, const Make& make) {
         return Json{{"enum", list_of(count, member_name)},
                     {"allOf", Json::array({one_of_all(count, make)})}};
       }},
      {"patterns with too many states", 300,
       [](int i) {
         return Json{{"pattern", fmt::format("d.{{{}}}e{}", 15 + i % 30, i)}};
       },
       all_properties},
      {"nested quantifiers", 200,
       [](int i) {
         return Json{
             {"pattern", fmt::format("^((a|b{})*c{{1,{}}}){{2,20}}(x+y*)+$", i, i % 30 + 1)}};
       },
       all_properties},
      {"divisors", 500,
       [](int i) {
         return Json{{"type", "integer"}, {"multipleOf", i + 400}, {"minimum", -i * 1001}};
       },
       all_properties},
      {"numbers of members", 500,
       [](int i) {
         return Json{{"minProperties", i}, {"properties", named(i, true)}};
       },
       all_of_all},
      {"names in allOf", 300,
       [](int i) {
         return Json{{"propertyNames", {{"pattern", fmt::format("a{}.*b", i)}}}};
       },
       all_of_all},
      {"items", 3000,
       [](int i) {
         return Json{{"const", i}};
       },
       [](int count, const Make& make) {
         return Json{{"prefixItems", list_of(count, make)}, {"minItems", count}};
       }},
  };
  return kRows;
}

}  // namespace

TEST_CASE("schema cost: hostile schemas stay within the budget") {
  for (const HostileSchema& row : hostile_schemas()) {
    CAPTURE(row.name);
    const Json document = row.whole(row.count, row.make);
    start_heap_peak();
    const auto schema = parse_schema(document);
    Error error;
    if (schema) {
      GrammarBuilder builder;
      std::vector<Loosened> loosened;
      Result<Expr> root = convert_schema(builder, *schema, "value", loosened);
      if (root) {
        CHECK(!print(builder.finish(*std::move(root))).empty());
      } else {
        error = root.error();
      }
    } else {
      error = schema.error();
    }
    CHECK(heap_peak() < kMaxPeak);
    if (error.message.empty()) continue;
    CHECK(error.kind == ErrorKind::kLimit);
    CHECK(error.message.starts_with("/"));
    CHECK(error.message.find(" takes more than ") != std::string::npos);
  }
}

TEST_CASE("schema cost: a tool with such a schema takes any object with the declared names") {
  Json document = {{"type", "object"}, {"properties", {{"a", {{"type", "string"}}}}}};
  document["required"] = list_of(40'000, member_name);
  const auto schema = parse_schema(document);
  REQUIRE(schema.ok());
  GrammarBuilder builder;
  std::vector<Loosened> loosened;
  const Result<Expr> refused = convert_schema(builder, *schema, "value", loosened);
  REQUIRE_FALSE(refused.ok());
  CHECK(loosened.empty());
  CHECK(builder.size() == 0);
  const Expr any = add_schema(builder, *schema, "value", loosened);
  REQUIRE(loosened.size() == 1);
  CHECK(loosened[0].instead == "other values; " + refused.error().message);
  CHECK(print(builder.finish(any)).find("\\\"a\\\":") != std::string::npos);
}

}  // namespace pedro
