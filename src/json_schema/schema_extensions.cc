#include "json_schema/schema_extensions.h"

#include "gbnf/check_gbnf.h"
#include "gbnf/parse_gbnf.h"

namespace pedro {

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

}  // namespace pedro
