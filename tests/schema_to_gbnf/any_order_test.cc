#include <doctest/doctest.h>

#include <algorithm>

#include "gbnf/match.h"
#include "json_schema/validate.h"
#include "schema_to_gbnf/json_rules.h"
#include "schema_to_gbnf/schema_cases.h"

namespace pedro {
namespace {

// An object with members "a", "b", ...: numbers, of which the last `required` are required.
Json object_of(int members, int required, bool open) {
  Json properties = Json::object();
  Json names = Json::array();
  for (int i = 0; i < members; ++i) {
    const std::string name(1, static_cast<char>('a' + i));
    properties[name] = {{"type", "integer"}};
    if (i >= members - required) names.insert(names.begin(), name);
  }
  return {{"type", "object"},
          {"properties", properties},
          {"required", names},
          {"additionalProperties", open}};
}

class Grammar {
 public:
  explicit Grammar(const Json& schema)
      : schema_(*parse_schema(schema)),
        compiled_(*Matcher::compile(grammar_of(schema_, loosened_))) {
    CHECK(loosened_.empty());
  }

  // Takes an object with these members in this order.
  bool takes(std::string_view names) const {
    std::string text = "{";
    for (const char name : names) {
      if (text.size() > 1) text += ", ";
      text += '"' + std::string(1, name) + "\": 1";
    }
    text += '}';
    Matcher matcher = compiled_;
    const auto taken = matcher.accept(text);
    return taken && *taken == text.size() && matcher.is_complete();
  }

  bool is_valid(std::string_view names) const {
    Json value = Json::object();
    for (const char name : names) value[std::string(1, name)] = 1;
    return !validate(schema_, value);
  }

 private:
  std::vector<Loosened> loosened_;
  Schema schema_;
  Matcher compiled_;
};

// The orders of 4 members, by the number of required ones.
constexpr int kValidOrders[] = {65, 49, 38, 30, 24};

// Checks every permutation of every subset of the members. Returns the number of valid ones.
int check_all(const Grammar& grammar, const std::string& all) {
  int valid = 0;
  for (unsigned subset = 0; subset < 1U << all.size(); ++subset) {
    std::string names;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if ((subset >> i & 1) != 0) names += all[i];
    }
    do {
      CAPTURE(names);
      CHECK(grammar.takes(names) == grammar.is_valid(names));
      valid += grammar.is_valid(names) ? 1 : 0;
    } while (std::ranges::next_permutation(names).found);
  }
  return valid;
}

}  // namespace

TEST_CASE("any order: a small object takes exactly the valid orders") {
  for (int required = 0; required <= 4; ++required) {
    CAPTURE(required);
    const Grammar grammar(object_of(4, required, false));
    CHECK(check_all(grammar, "abcd") == kValidOrders[required]);
    CHECK_FALSE(grammar.takes("abcda"));
    CHECK_FALSE(grammar.takes("abcdd"));
    CHECK_FALSE(grammar.takes("abcdx"));
  }
}

TEST_CASE("any order: undeclared members may be anywhere") {
  const Grammar grammar(object_of(3, 1, true));
  for (const char* names : {"c", "xc", "cx", "xcy", "cxayb", "xyzabc", "cabxyz"}) {
    CAPTURE(names);
    CHECK(grammar.takes(names));
  }
  for (const char* names : {"", "x", "xab", "cc", "acxa"}) {
    CAPTURE(names);
    CHECK_FALSE(grammar.takes(names));
  }
}

TEST_CASE("any order: of many members, the required ones occur once, the others a bounded number") {
  const Grammar grammar(object_of(9, 2, false));
  for (const char* names : {"hi", "ih", "ahi", "iah", "gfedcbaih", "hgfiedcba", "aahi"}) {
    CAPTURE(names);
    CHECK(grammar.takes(names));
  }
  for (const char* names : {"", "h", "i", "abcdefg", "hih", "hii", "hix"}) {
    CAPTURE(names);
    CHECK_FALSE(grammar.takes(names));
  }
  CHECK(grammar.takes("aaaaaaahi"));
  CHECK_FALSE(grammar.takes("aaaaaaaahi"));
  CHECK(grammar.takes("aaaaaaahaaaaaaaiaaaaaaa"));  // the limit is that of each gap
  CHECK_FALSE(grammar.takes("haaaaaaaai"));
  const Grammar optional(object_of(9, 0, false));
  CHECK(optional.takes(""));
  CHECK(optional.takes("ihgfedcba"));
  CHECK_FALSE(optional.takes("aaaaaaaaaaa"));
}

TEST_CASE("any order: many required members have two orders, the optional ones any") {
  const Grammar grammar(object_of(10, 8, false));
  for (const char* names : {"cdefghij", "jihgfedc", "acdefbghij", "jihgfedcba"}) {
    CAPTURE(names);
    CHECK(grammar.takes(names));
  }
  for (const char* names : {"dcefghij", "cdefghi", "cdefghijc"}) {
    CAPTURE(names);
    CHECK_FALSE(grammar.takes(names));
  }
}

TEST_CASE("any order: the rules grow linearly beyond the tracked members") {
  std::vector<Loosened> loosened;
  const auto rules_of = [&](int members, int required) {
    const Json schema = object_of(members, required, false);
    return grammar_of(*parse_schema(schema), loosened).rules.size();
  };
  CHECK(rules_of(6, 3) <= 6 + 64 + 8);
  CHECK(rules_of(24, 6) <= 24 + 64 + 8);
  CHECK(rules_of(24, 24) <= 24 + 8);
  Json wide = {{"type", "object"}, {"additionalProperties", false}};
  for (int i = 0; i < 2010; ++i) wide["properties"]["p" + std::to_string(i)] = Json{{"const", 1}};
  const auto schema = parse_schema(wide);
  REQUIRE(schema.ok());
  Matcher matcher = *Matcher::compile(grammar_of(*schema, loosened));
  CHECK(*matcher.accept(R"({"p2009": 1, "p3": 1})") == 21);
  CHECK(matcher.is_complete());
}

}  // namespace pedro
