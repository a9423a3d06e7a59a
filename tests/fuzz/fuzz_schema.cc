// Reads any bytes as a JSON Schema. Every readable schema must have a grammar that survives
// printing and parsing. A server must accept the grammar, and its texts must be valid.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/utf8.h"
#include "fuzz/require.h"
#include "gbnf/check_gbnf.h"
#include "gbnf/match.h"
#include "gbnf/parse_gbnf.h"
#include "json_schema/validate.h"
#include "schema_to_gbnf/instance_maker.h"
#include "schema_to_gbnf/lost_in_parsing.h"
#include "schema_to_gbnf/schema_to_gbnf.h"

namespace {

using namespace pedro;

constexpr std::size_t kMaxRulesToDerive = 500;
constexpr std::size_t kMaxSteps = 4000;

Gbnf grammar_of(const Schema& schema, std::vector<Loosened>& loosened) {
  GrammarBuilder builder;
  Expr root = add_schema(builder, schema, "args", loosened);
  return builder.finish(std::move(root));
}

void check_print(const Gbnf& grammar) {
  const std::string text = print(grammar);
  if (text.size() > kMaxGbnfBytes) return;
  const auto parsed = parse_gbnf(text, "printed");
  require(parsed.ok(), "what was printed cannot be parsed", text);
  require(parsed->grammar == grammar, "parsed again it is another", text);
  const GbnfReport report = check_gbnf(*parsed);
  require(!report.has_errors(), "a server would not take it", to_text(report, *parsed) + text);
}

bool has_raw_rules(const Schema& schema) {
  return std::any_of(schema.nodes.begin(), schema.nodes.end(), [](const SchemaNode& node) {
    return std::any_of(node.assertions.begin(), node.assertions.end(),
                       [](const Assertion& one) { return std::holds_alternative<RawRules>(one); });
  });
}

void check_texts(const Schema& schema, const Gbnf& grammar, const Matcher& compiled, bool exact) {
  if (grammar.rules.size() > kMaxRulesToDerive) return;
  InstanceMaker maker(1);
  for (int i = 0; i < 4; ++i) {
    const auto text = maker.derived_within(grammar, kMaxSteps);
    if (!text) return;
    Matcher matcher = compiled;
    const auto taken = matcher.accept(*text);
    require(taken.ok(), "the matcher gives up on its own text", *text);
    require(*taken == text->size() && matcher.is_complete(), "its own text does not match", *text);
    if (has_raw_rules(schema)) continue;  // these need not produce JSON
    const auto json = parse_json(*text);
    require(json.ok(), "its own text is not JSON", *text);
    if (!exact || lost_in_parsing(*text)) continue;
    const auto violation = validate(schema, *json);
    require(!violation, "its own text is not valid",
            *text + "\n" + (violation ? to_string(*violation) : ""));
  }
}

void check_schema(const Schema& schema) {
  std::vector<Loosened> loosened;
  const Gbnf grammar = grammar_of(schema, loosened);
  check_print(grammar);
  const auto compiled = Matcher::compile(grammar);
  if (!compiled) {
    require(compiled.error().kind == ErrorKind::kLimit ||
                compiled.error().message.find("too large") != std::string::npos,
            "it does not compile", compiled.error().message);
    return;
  }
  check_texts(schema, grammar, *compiled, loosened.empty() && schema.unchecked.empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto json = parse_json(text);
  if (!json.ok()) return 0;
  for (const SchemaDialect dialect : {SchemaDialect::kStandard, SchemaDialect::kClosed}) {
    const auto schema = parse_schema(*json, dialect);
    if (schema.ok()) {
      check_schema(*schema);
      continue;
    }
    const std::string& message = schema.error().message;
    require(is_valid_utf8(message), "an error is not UTF-8", message);
  }
  return 0;
}
