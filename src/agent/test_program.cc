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
// Product code compares their results too.
constexpr std::string_view kSystemCalls =
    "|if|read|write|fread|fwrite|fclose|printf|fprintf|snprintf|sscanf|scanf|strlen|strcmp|strncmp"
    "|memcmp|sizeof|getenv|len|size|length|";
constexpr int kMinIfs = 2;  // product code compares results with `if` too

// Returns true if a text calls a function of the project.
bool calls_own(std::string_view text) {
  for (std::size_t at = text.find('('); at != text.npos; at = text.find('(', at + 1)) {
    std::size_t begin = at;
    while (begin > 0 && is_word_byte(text[begin - 1])) --begin;
    const std::string_view name = text.substr(begin, at - begin);
    if (!name.empty() && !is_listed(kSystemCalls, name)) return true;
  }
  return false;
}

// Returns true for a comparison of a call's result with a literal: "assert(f(1) == 2);".
bool compares_call(std::string_view line) {
  if (!is_assertion(line)) return false;
  const bool is_if = line.starts_with("if");
  const std::size_t sign = line.find("!=");
  const std::string_view other = sign == line.npos ? line : trim(line.substr(sign + 2));
  if (is_if && other.find_first_of("123456789\"'-") != 0 && line.find("strcmp(") == line.npos) {
    return false;
  }
  return line.find_first_of("0123456789\"'") != line.npos &&
         calls_own(is_if ? line.substr(0, sign) : line.substr(line.find('(') + 1));
}

// Returns true if a function belongs to the tests: `main`, helpers of assertions, and their users.
bool is_of_tests(const std::string& name, std::string_view text) {
  const auto lines = split_lines(text);
  return name == "main" || is_assertion(name + "(x == x, x)") ||
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
