#include "grammar_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <vector>

#include "base/json.h"
#include "base/utf8.h"
#include "byte_set_text.h"
#include "command.h"
#include "gbnf/check_gbnf.h"
#include "gbnf/match.h"
#include "gbnf/nullable.h"
#include "gbnf/parse_gbnf.h"
#include "gbnf/source_excerpt.h"
#include "schema_gaps.h"
#include "schema_to_gbnf/schema_to_gbnf.h"
#include "sys/interrupted.h"
#include "tools/count_of.h"

namespace pedro {
namespace {

constexpr const char* kGrammarCheckNotes =
    "Errors make a server refuse, hang or crash; warnings are slow, or probably not\n"
    "intended. Exit codes: 0 no errors, 1 errors.\n";

std::string_view word_of(Severity severity) {
  return severity == Severity::kError ? "error" : "warning";
}

std::string json_lines(const GbnfReport& report, const ParsedGbnf& parsed) {
  std::string lines;
  for (const Finding& finding : report.findings) {
    const LineColumn place = line_column(parsed.source, finding.offset);
    lines += to_line({{"severity", word_of(finding.severity)},
                      {"line", place.line},
                      {"column", place.column},
                      {"offset", finding.offset},
                      {"message", finding.message}}) +
             "\n";
  }
  return lines;
}

// Returns "2 errors, 1 warning".
std::string summary(const GbnfReport& report) {
  const auto errors = static_cast<std::size_t>(
      std::count_if(report.findings.begin(), report.findings.end(),
                    [](const Finding& one) { return one.severity == Severity::kError; }));
  return fmt::format("{}, {}{}\n", count_of(errors, "error"),
                     count_of(report.findings.size() - errors, "warning"),
                     report.left_out > 0 ? fmt::format(", {} not shown", report.left_out) : "");
}

// Reports a syntax error as the only finding.
int report_syntax(const CommandContext& context, const Error& error) {
  if (context.global.json) {
    print_json({{"severity", "error"}, {"message", error.message}});
  } else {
    print(make_printable(error.message) + "\n1 error, 0 warnings\n");
  }
  return kExitNo;
}

Result<int> check_grammar(CommandContext& context, const std::string& file) {
  PEDRO_TRY(const TextInput input, read_input(context, file, kMaxGbnfBytes));
  const Result<ParsedGbnf> parsed = parse_gbnf(input.text, input.name);
  if (!parsed) return report_syntax(context, parsed.error());
  const GbnfReport report = check_gbnf(*parsed);
  if (context.global.json) {
    print(json_lines(report, *parsed));
  } else if (report.findings.empty()) {
    print_note(context.global, "no findings");
  } else {
    print(make_printable(to_text(report, *parsed) + summary(report)));
  }
  return report.has_errors() ? kExitNo : kExitDone;
}

CommandFunction add_grammar_check(CLI::App& command) {
  auto file = std::make_shared<std::string>();
  command.add_option("file", *file, "A grammar in GBNF, or -")->required();
  command.footer(kGrammarCheckNotes);
  return running(check_grammar, file);
}

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
  if (!document) return config_error(input.name + ":" + document.error().message);
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
    print_json(line);
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

CommandFunction add_grammar_from_schema(CLI::App& command) {
  auto options = std::make_shared<FromSchemaOptions>();
  command.add_option("file", options->file, "A JSON Schema, or -")->required();
  command.add_flag("--strict", options->strict, "Print no grammar that allows more; exit 1");
  command.add_option("--name", options->name, "Prefix of the rules' names (default: value)");
  command.footer(kGrammarFromSchemaNotes);
  return running(print_grammar_of_schema, options);
}

constexpr const char* kGrammarMatchNotes =
    "Every byte counts, including a final line end. Exit codes: 0 it matches, 1 it does not.\n";

constexpr std::uint64_t kMaxInputBytes = 64u << 20;
constexpr std::size_t kChunkBytes = 1u << 20;  // between two checks of the cancel token
constexpr std::size_t kMaxExpectedBytes = 90;  // limit of the expected bytes in a line
constexpr std::size_t kMaxForcedBytes = 80;    // limit of the forced text in a line

// The matching prefix of a text, and its possible continuations.
struct Outcome {
  bool matches = false;
  std::size_t offset = 0;  // first byte that does not match, or the size of the text
  std::vector<std::string> expected;
  std::string forced;
  bool whole = false;  // the part before `offset` is a complete text
};

Result<Outcome> follow(Matcher& matcher, std::string_view text, const CancelToken& cancel) {
  Outcome outcome;
  while (outcome.offset < text.size()) {
    if (cancel.cancelled()) return interrupted(cancel);
    const std::string_view chunk = text.substr(outcome.offset, kChunkBytes);
    PEDRO_TRY(const std::size_t taken, matcher.accept(chunk));
    outcome.offset += taken;
    if (taken < chunk.size()) break;
  }
  outcome.whole = matcher.is_complete();
  outcome.matches = outcome.whole && outcome.offset == text.size();
  if (outcome.whole) outcome.expected.emplace_back("the end of the text");
  for (std::string& bytes : describe_bytes(matcher.next_bytes())) {
    outcome.expected.push_back(std::move(bytes));
  }
  outcome.forced = matcher.forced();
  return outcome;
}

Result<Matcher> load_grammar(const CommandContext& context, const std::string& file) {
  PEDRO_TRY(const TextInput input, read_input(context, file, kMaxGbnfBytes));
  PEDRO_TRY(const ParsedGbnf parsed, parse_gbnf(input.text, input.name));
  Result<Matcher> matcher = Matcher::compile(parsed.grammar);
  if (!matcher) return matcher.error().at(input.name);
  return matcher;
}

std::string to_json_line(const Outcome& outcome, const TextInput& input) {
  const LineColumn place = line_column(input.text, outcome.offset);
  return to_line({{"matches", outcome.matches},
                  {"ends_too_early", !outcome.matches && outcome.offset == input.text.size()},
                  {"offset", outcome.offset},
                  {"line", place.line},
                  {"column", place.column},
                  {"expected", outcome.expected},
                  {"forced", outcome.forced}}) +
         "\n";
}

// Quotes a text as a JSON string, which makes blanks and line ends visible.
std::string as_json_string(std::string_view text) {
  const std::string_view head = truncate_utf8(text, kMaxForcedBytes);
  const std::string left_out =
      head.size() < text.size() ? fmt::format(" and {} bytes more", text.size() - head.size()) : "";
  return to_line(Json(head)) + left_out;
}

// Returns true for a line end, which editors and `echo` append.
bool is_line_end(std::string_view text) {
  return text == "\n" || text == "\r\n";
}

std::string describe(const Outcome& outcome, const TextInput& input) {
  if (outcome.matches) return "matches\n";
  const bool ended = outcome.offset == input.text.size();
  std::string text = located(
      input.name, input.text, outcome.offset,
      fmt::format("{} at byte {}", ended ? "ends too early" : "does not match", outcome.offset));
  text += "\nexpected: ";
  text += outcome.expected.empty() ? "nothing: no text can follow here"
                                   : join_within(outcome.expected, kMaxExpectedBytes);
  text += "\n";
  if (!outcome.forced.empty())
    text += fmt::format("must follow: {}\n", as_json_string(outcome.forced));
  const std::string_view rest = std::string_view(input.text).substr(outcome.offset);
  if (outcome.whole && is_line_end(rest)) text += "without the final line end it matches\n";
  return text;
}

Result<int> match_text(CommandContext& context, const std::string& grammar,
                       const std::string& file) {
  if (grammar == "-" && file == "-") {
    return usage_error("only one of grammar and input can be standard input");
  }
  PEDRO_TRY(Matcher matcher, load_grammar(context, grammar));
  PEDRO_TRY(const TextInput input, read_input(context, file, kMaxInputBytes));
  const Result<Outcome> outcome = follow(matcher, input.text, context.cancel);
  if (!outcome) return outcome.error().at(input.name);
  print(context.global.json ? to_json_line(*outcome, input)
                            : make_printable(describe(*outcome, input)));
  return outcome->matches ? kExitDone : kExitNo;
}

CommandFunction add_grammar_match(CLI::App& command) {
  auto grammar = std::make_shared<std::string>();
  auto input = std::make_shared<std::string>();
  command.add_option("grammar", *grammar, "A grammar in GBNF, or -")->required();
  command.add_option("input", *input, "The text, or -; up to 64 MiB")->required();
  command.footer(kGrammarMatchNotes);
  return [grammar, input](CommandContext& context) {
    return exit_code(match_text(context, *grammar, *input), context.cancel);
  };
}

}  // namespace

CommandFunction add_grammar_command(CLI::App& command) {
  static constexpr CommandEntry kCommands[] = {
      {"tools", "Print the grammar of a phase's replies, or list the phases", add_grammar_tools},
      {"from-schema", "Convert a JSON Schema to a grammar; report what it does not express",
       add_grammar_from_schema},
      {"check", "Find what makes a llama-server refuse, hang or slow down", add_grammar_check},
      {"match", "Match a text against a grammar; show the first mismatch and what was expected",
       add_grammar_match},
      {"explain", "Show the parts of a grammar and where it is large", add_grammar_explain},
  };
  return add_commands_below(command, kCommands,
                            "Exit codes: 0 yes, 1 no: errors, no match, something lost with "
                            "-strict; 2 usage, 3 a grammar\n"
                            "or a schema that cannot be read, 6 too large or too ambiguous.\n");
}

}  // namespace pedro
