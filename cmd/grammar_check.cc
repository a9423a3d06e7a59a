#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "base/json.h"
#include "base/utf8.h"
#include "gbnf/check_gbnf.h"
#include "gbnf/source_excerpt.h"
#include "grammar_command.h"
#include "text_input.h"

namespace pedro {
namespace {

constexpr const char* kGrammarCheckNotes =
    "Errors make a server refuse, hang or crash; warnings are slow, or probably not\n"
    "intended. Exit codes: 0 no errors, 1 errors.\n";

std::string count_of(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

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
    print(to_line({{"severity", "error"}, {"message", error.message}}) + "\n");
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

}  // namespace

CommandFunction add_grammar_check(CLI::App& command) {
  auto file = std::make_shared<std::string>();
  command.add_option("file", *file, "A grammar in GBNF, or -")->required();
  command.footer(kGrammarCheckNotes);
  return running(check_grammar, file);
}

}  // namespace pedro
