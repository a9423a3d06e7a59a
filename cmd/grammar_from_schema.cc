#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "gbnf/nullable.h"
#include "gbnf/parse_gbnf.h"
#include "grammar_command.h"
#include "schema_gaps.h"
#include "schema_to_gbnf/schema_to_gbnf.h"
#include "text_input.h"

namespace pedro {
namespace {

constexpr const char* kGrammarFromSchemaNotes =
    "Each thing that the grammar allows beyond the schema is a line on stderr, with the place in\n"
    "the schema; a validator must catch it in the replies.\n";

struct FromSchemaOptions {
  std::string file;
  std::string name = "value";
  bool strict = false;
};

struct Conversion {
  std::string grammar;
  std::vector<SchemaGap> gaps;
  bool nothing_fits = false;
};

Result<Conversion> convert(const TextInput& input, const std::string& name) {
  const Result<Json> document =
      parse_json(input.text, {.max_bytes = kMaxSchemaBytes, .exact_numbers = true});
  if (!document) return Error{ErrorKind::kConfig, input.name + ":" + document.error().message};
  const Result<Schema> schema = parse_schema(*document);
  if (!schema) return schema.error().at(input.name);
  GrammarBuilder builder;
  std::vector<Loosened> loosened;
  Result<Expr> root = convert_schema(builder, *schema, name, loosened);
  if (!root) return root.error().at(input.name);
  const Gbnf grammar = builder.finish(*std::move(root));
  Conversion conversion{print(grammar), {}, matches_nothing(grammar)};
  if (conversion.grammar.size() > kMaxGbnfBytes) {
    return Error{
        ErrorKind::kLimit,
        fmt::format(
            "{}: its grammar has {} bytes, but the limit is {}; shorten its enums and patterns",
            input.name, conversion.grammar.size(), kMaxGbnfBytes)};
  }
  add_gaps(conversion.gaps, loosened);
  add_gaps(conversion.gaps, schema->unchecked);
  return conversion;
}

Result<int> print_grammar_of_schema(CommandContext& context, const FromSchemaOptions& options) {
  PEDRO_TRY(const TextInput input, read_input(context, options.file, kMaxSchemaBytes));
  PEDRO_TRY(const Conversion conversion, convert(input, options.name));
  const bool refused = options.strict && (conversion.nothing_fits || !conversion.gaps.empty());
  if (context.global.json) {
    const Json line = {{"grammar", refused ? Json(nullptr) : Json(conversion.grammar)},
                       {"nothing_fits", conversion.nothing_fits},
                       {"gaps", to_json(conversion.gaps)}};
    print(to_line(line) + "\n");
    return refused ? kExitNo : kExitDone;
  }
  if (!refused) print(conversion.grammar);
  const auto tell = [&](const std::string& text) {
    const std::string line = fmt::format("{}: {}", input.name, text);
    if (refused) {
      print_error(line);
    } else {
      print_note(context.global, line);
    }
  };
  if (conversion.nothing_fits) tell("no value fits this schema");
  for (const SchemaGap& gap : conversion.gaps) tell(to_text(gap));
  if (refused) tell("no grammar is printed, because of -strict");
  return refused ? kExitNo : kExitDone;
}

}  // namespace

CommandFunction add_grammar_from_schema(CLI::App& command) {
  auto options = std::make_shared<FromSchemaOptions>();
  command.add_option("file", options->file, "A JSON Schema, or -")->required();
  command.add_flag("--strict", options->strict, "Print no grammar that allows more; exit 1");
  command.add_option("--name", options->name, "Prefix of the rules' names (default: value)");
  command.footer(kGrammarFromSchemaNotes);
  return running(print_grammar_of_schema, options);
}

}  // namespace pedro
