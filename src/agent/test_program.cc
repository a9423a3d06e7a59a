#include "agent/test_program.h"

#include <algorithm>
#include <vector>

#include "agent/other_literals.h"
#include "agent/test_literals.h"
#include "base/text.h"
#include "tools/function_bodies.h"
#include "tools/source_outline.h"
#include "tools/word_list.h"

namespace pedro {
namespace {

// Texts of programs that report failures themselves.
constexpr std::string_view kReports = "|fail|Fail|FAIL|Fatal|assert|expect|panic|";
constexpr int kMinIfs = 2;  // product code compares results with `if` too

// Returns true if a function belongs to the tests: `main`, helpers of assertions, and their users.
bool is_of_tests(const std::string& name, std::string_view text) {
  const auto lines = split_lines(text);
  return name == "main" || is_assertion(name + "(x == x, x);") ||
         std::ranges::any_of(lines, [](auto line) { return compares_call(trim(line)); });
}

// Returns true for lines that cannot change a test: system headers, prototypes, blank lines.
bool is_neutral(std::string_view line) {
  return trim(line).empty() || line.starts_with("#include <") ||
         (indent_of(line) == 0 && line.ends_with(");"));
}

// Returns the lines of a program without the functions that are not of its tests.
std::vector<std::string_view> lines_of_tests(std::string_view path, std::string_view text) {
  const Language language = language_of(path);
  const LineTable table(text);
  const std::vector<FunctionBody> functions = function_bodies(language, table);
  std::vector<std::string_view> kept;
  auto function = functions.begin();
  for (std::size_t line = 1; line <= table.size(); ++line) {
    while (function != functions.end() && function->head < line) ++function;  // nested ones
    const bool is_short = table.line(line).ends_with('}');  // function_bodies() has none in a line
    const auto name = is_short ? defined_name(language, table.line(line)) : std::nullopt;
    const bool begins = function != functions.end() && function->head == line;
    const LineRange lines = begins ? function->whole : LineRange{line, line};
    if ((begins && !is_of_tests(function->name, table.text(lines))) ||
        (name && !is_of_tests(std::string(*name), table.line(line)))) {
      line = lines.last;
    } else if (!is_neutral(table.line(line))) {
      kept.push_back(table.line(line));
    }
  }
  return kept;
}

}  // namespace

bool is_test_program(std::string_view path, std::string_view text) {
  if (!has_char_literals(path) || text.find("main(") == text.npos) return false;
  const auto contains = [text](auto word) { return text.find(word) != text.npos; };
  int calls = 0;
  int ifs = 0;
  for (const std::string_view line : split_lines(text)) {
    const std::string_view bare = trim(line);
    if (compares_call(bare)) ++(bare.starts_with("if") ? ifs : calls);
  }
  return calls > 0 || (ifs >= kMinIfs && any_listed(kReports, contains));
}

bool keeps_test_program(std::string_view path, std::string_view before, std::string_view now) {
  return lines_of_tests(path, before) == lines_of_tests(path, now);
}

}  // namespace pedro
