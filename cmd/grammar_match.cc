#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "base/json.h"
#include "base/utf8.h"
#include "byte_set_text.h"
#include "gbnf/match.h"
#include "gbnf/parse_gbnf.h"
#include "gbnf/source_excerpt.h"
#include "grammar_command.h"
#include "sys/interrupted.h"
#include "text_input.h"

namespace pedro {
namespace {

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

}  // namespace

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

}  // namespace pedro
