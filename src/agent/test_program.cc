#include "agent/test_program.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "agent/other_literals.h"
#include "agent/test_literals.h"
#include "base/text.h"
#include "tools/language.h"
#include "tools/word_list.h"

namespace pedro {
namespace {

using Lines = std::vector<std::string_view>;

// Texts of programs that report failures themselves.
constexpr std::string_view kReports = "|fail|Fail|FAIL|Fatal|assert|expect|panic|";
// Product code compares their results too.
constexpr std::string_view kSystemCalls =
    "|if|read|write|fread|fwrite|fclose|printf|fprintf|snprintf|sscanf|scanf|strlen|strcmp|strncmp"
    "|memcmp|sizeof|getenv|len|size|length|";
constexpr int kMinIfs = 2;  // product code compares results with `if` too

bool is_c(std::string_view path) {
  const Language language = language_of(path);
  return language == Language::kC || language == Language::kCpp;
}

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

// Returns true if a function begins in the line of a C program.
bool begins_block(std::string_view line) {
  if (line.empty() || indent_of(line) > 0 || line.find('(') == line.npos) return false;
  const bool is_prototype = line.find(';') < line.find('{');
  return !is_prototype && std::string_view("#}/*{").find(line[0]) == line.npos;
}

// Returns the end of the block that begins in a line: the line after a '}' without indentation.
std::size_t block_end(const Lines& lines, std::size_t first) {
  if (trim(lines[first]).ends_with('}')) return first + 1;
  std::size_t end = first + 1;
  while (end < lines.size() && !lines[end].starts_with('}')) ++end;
  return std::min(end + 1, lines.size());
}

// Returns true if a block belongs to the tests: `main`, helpers of assertions, and their users.
bool is_of_tests(const Lines& block) {
  std::string_view name = block[0].substr(0, block[0].find('('));
  name = name.substr(name.find_last_of(" *") + 1);
  return name == "main" || is_assertion(std::string(name) + "(x == x)") ||
         std::ranges::any_of(block, [](auto line) { return compares_call(trim(line)); });
}

// Returns the lines of a C program without the system's headers, prototypes, and functions that are
// not of its tests.
Lines lines_of_tests(std::string_view text) {
  const Lines lines = split_lines(text);
  Lines kept;
  for (std::size_t i = 0; i < lines.size();) {
    const std::string_view line = lines[i];
    const std::size_t end = begins_block(line) ? block_end(lines, i) : i + 1;
    const Lines block(lines.begin() + static_cast<std::ptrdiff_t>(i),
                      lines.begin() + static_cast<std::ptrdiff_t>(end));
    const bool is_prototype = indent_of(line) == 0 && line.ends_with(");");
    const bool is_neutral = trim(line).empty() || line.starts_with("#include <") || is_prototype;
    if (begins_block(line) ? is_of_tests(block) : !is_neutral) {
      kept.insert(kept.end(), block.begin(), block.end());
    }
    i = end;
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
  return is_c(path) ? lines_of_tests(before) == lines_of_tests(now) : before == now;
}

}  // namespace pedro
