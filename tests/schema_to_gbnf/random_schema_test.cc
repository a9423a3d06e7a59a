#include "json_schema/random_schema.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "gbnf/match.h"
#include "json_schema/validate.h"
#include "schema_to_gbnf/schema_to_gbnf.h"

namespace pedro {
namespace {

bool takes(const Matcher& compiled, const std::string& text) {
  Matcher matcher = compiled;
  const auto taken = matcher.accept(text);
  return taken && *taken == text.size() && matcher.is_complete();
}

bool has_one_order(const Json& document) {
  const std::string text = to_line(document);
  for (const std::string_view word : {"const", "enum", "minProperties", "maxProperties"}) {
    if (text.find(word) != std::string::npos) return true;
  }
  return false;
}

}  // namespace

// Constants and counted members have one order, all other members have any.
TEST_CASE("random schemas: the grammar accepts every value that the validator accepts") {
  const std::vector<Json> values = small_values();
  std::size_t accepted = 0;
  for (unsigned seed = 0; seed < 500; ++seed) {
    const Json document = RandomSchema(seed).document();
    const auto schema = parse_schema(document);
    if (!schema) continue;  // it contains itself
    std::vector<Loosened> loosened;
    GrammarBuilder builder;
    const Result<Expr> root = convert_schema(builder, *schema, "value", loosened);
    REQUIRE_MESSAGE(root.ok(), seed, ": ", root.error().message);
    const Gbnf grammar = builder.finish(*root);
    const auto compiled = Matcher::compile(grammar);
    REQUIRE_MESSAGE(compiled.ok(), seed);
    for (const Json& value : values) {
      if (validate(*schema, value)) continue;
      ++accepted;
      const std::vector<std::string> texts = in_every_order(value);
      const auto is_taken = [&](const std::string& text) { return takes(*compiled, text); };
      const bool taken = has_one_order(document) ? std::ranges::any_of(texts, is_taken)
                                                 : std::ranges::all_of(texts, is_taken);
      CHECK_MESSAGE(taken, seed, ": ", to_line(document), " refuses ", to_line(value));
    }
  }
  CHECK(accepted > 2'500);
}

TEST_CASE(
    "random schemas: the grammar accepts no value that the validator refuses, unless reported") {
  const std::vector<Json> values = small_values();
  for (unsigned seed = 5000; seed < 5250; ++seed) {
    const Json document = RandomSchema(seed).document();
    const auto schema = parse_schema(document);
    if (!schema || !schema->unchecked.empty()) continue;
    std::vector<Loosened> loosened;
    GrammarBuilder builder;
    const Gbnf grammar = builder.finish(add_schema(builder, *schema, "value", loosened));
    if (!loosened.empty()) continue;
    const auto compiled = Matcher::compile(grammar);
    REQUIRE_MESSAGE(compiled.ok(), seed);
    for (const Json& value : values) {
      if (!validate(*schema, value)) continue;
      CHECK_MESSAGE(!takes(*compiled, to_line(value)), seed, ": ", to_line(document), " accepts ",
                    to_line(value));
    }
  }
}

}  // namespace pedro
