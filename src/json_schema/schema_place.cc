#include "json_schema/schema_place.h"

#include <fmt/format.h>

#include <algorithm>

#include "gbnf/check_gbnf.h"
#include "gbnf/parse_gbnf.h"
#include "json_schema/schema_keywords.h"

namespace pedro {
namespace {

constexpr long long kMaxCount = 1'000'000'000;

}  // namespace

Result<std::optional<RawRules>> raw_rules_in(const SchemaPlace& place) {
  PEDRO_TRY(const auto given, place.text("x-gbnf"));
  if (!given) return std::optional<RawRules>();
  const std::string& text = *given;
  const bool whole = text.find("::=") != std::string::npos;
  auto parsed = parse_gbnf(whole ? text : "root ::=\n" + text, "x-gbnf");
  if (!parsed) return place.wrong("x-gbnf", parsed.error().message);
  const GbnfReport report = check_gbnf(*parsed);
  if (report.has_errors()) return place.wrong("x-gbnf", to_text(report, *parsed));
  return std::optional(RawRules{std::move(parsed->grammar), text});
}

Result<std::optional<Names>> named_kind_in(const SchemaPlace& place) {
  PEDRO_TRY(const auto given, place.text("x-names"));
  if (!given) return std::optional<Names>();
  const std::optional<Named> what = parse_named(*given);
  if (!what) {
    return place.wrong("x-names", "expected file, folder, place, new_file, line, lines or symbol");
  }
  return std::optional(Names{*what});
}

bool SchemaPlace::leads(std::string_view key) const {
  for (const auto& [name, value] : json.items()) {
    if (name == key || name == "properties") return name == key;
  }
  return false;
}

Error SchemaPlace::wrong(std::string_view key, std::string_view text) const {
  return schema_error(to(key), text);
}

Result<TypeBits> SchemaPlace::types() const {
  if (!has("type")) return kAllTypes;
  const Json& type = at("type");
  TypeBits types = 0;
  for (const Json& name : type.is_array() ? type : Json::array({type})) {
    const TypeBits bits = name.is_string() ? type_named(name.get<std::string>()) : 0;
    if (bits == 0) return unknown_type(name, to("type"));
    types |= bits;
  }
  if (types == 0) return wrong("type", "expected at least one type");
  return types;
}

Result<std::optional<std::size_t>> SchemaPlace::count(std::string_view key) const {
  if (!has(key)) return std::optional<std::size_t>();
  const Json& value = at(key);
  const bool fits =
      value.is_number() && is_whole(value) && value >= Json(0) && value <= Json(kMaxCount);
  if (!fits) return wrong(key, fmt::format("expected an integer from 0 to {}", kMaxCount));
  return std::optional(value.get<std::size_t>());
}

Result<std::optional<Decimal>> SchemaPlace::decimal(std::string_view key) const {
  if (!has(key)) return std::optional<Decimal>();
  if (!is_json_number(at(key))) return wrong(key, "expected a number");
  const auto decimal = parse_decimal(to_line(at(key)));
  if (decimal) return decimal;
  return Error{ErrorKind::kLimit, wrong(key, "expected a number of at most 40 digits").message};
}

Result<std::optional<std::string>> SchemaPlace::text(std::string_view key) const {
  if (!has(key)) return std::optional<std::string>();
  if (!at(key).is_string()) return wrong(key, "expected a string");
  return std::optional(at(key).get<std::string>());
}

Result<std::vector<std::string>> names_in(const Json& list, std::string_view pointer) {
  const auto is_string = [](const Json& name) { return name.is_string(); };
  if (!list.is_array() || !std::all_of(list.begin(), list.end(), is_string)) {
    return schema_error(pointer, "expected an array of property names");
  }
  return std::vector<std::string>(list.begin(), list.end());
}

}  // namespace pedro
