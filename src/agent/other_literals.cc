#include "agent/other_literals.h"

#include <algorithm>
#include <vector>

#include "agent/test_literals.h"
#include "base/text.h"
#include "tools/language.h"
#include "tools/word_list.h"

namespace pedro {
namespace {

constexpr std::string_view kCalls =
    "|assert(|assertEquals(|assertEqual(|is(|is_deeply(|cmp_ok(|ok("
    "|CHECK(|EXPECT(|REQUIRE(|check(|expect(|assert!(|";
constexpr std::string_view kCallEnds = "|_EQ(|_STREQ(|_EQUAL(|_eq(|_eq!(|_equal(|Equals(|";
constexpr std::string_view kComparisons =
    "|==|strcmp|is(|is_deeply|EQ(|EQUAL|eq(|eq!(|equal|Equal|";
// Parts of the names of functions that compare two arguments.
constexpr std::string_view kPairNames = "|assert|expect|equal|CHECK_|REQUIRE_|";
// Product code compares the results of these too.
constexpr std::string_view kSystemCalls =
    "|if|read|write|fread|fwrite|fclose|printf|fprintf|snprintf|sscanf|scanf|strlen|strcmp|strncmp"
    "|memcmp|sizeof|getenv|len|size|length|";
constexpr std::string_view kShellComparisons = "| = | == | -eq |";
constexpr std::string_view kShellChecks = "|check|assert|expect|is |is_|eq |equal|t |test_";

bool is_shell_assertion(std::string_view line) {
  const auto contains = [line](auto word) { return line.find(word) != line.npos; };
  const auto starts = [line](auto word) { return line.starts_with(word); };
  return contains("$(") && line.find("()") == line.npos &&
         (any_listed(kShellComparisons, contains) || any_listed(kShellChecks, starts));
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

// Returns true for an `if` with a difference between a call's result and a literal.
bool reports_difference(std::string_view line) {
  const std::size_t sign = line.find("!=");
  const std::string_view other = sign == line.npos ? "" : trim(line.substr(sign + 2));
  const bool is_literal =
      other.find_first_of("123456789\"'-") == 0 || line.find("strcmp(") != line.npos;
  return is_literal && calls_own(line.substr(0, sign));
}

}  // namespace

bool is_assertion(std::string_view line) {
  const auto contains = [line](auto word) { return line.find(word) != line.npos; };
  if (line.starts_with('#') || line.ends_with('\\')) return false;  // of a macro's definition
  if (line.starts_with("if ") || line.starts_with("if(")) return reports_difference(line);
  if (line.starts_with("assert ")) return any_listed(kComparisons, contains);
  const std::string_view head = line.substr(0, line.find('(') + 1);
  const std::string_view call = head.substr(head.find_last_of(" .>:\t") + 1);
  const bool is_call = is_listed(kCalls, call) ||
                       any_listed(kCallEnds, [call](auto end) { return call.ends_with(end); });
  const std::string names = to_lower(call) + std::string(call);
  const bool is_pair =
      line.find(',') != line.npos && !line.ends_with('{') &&
      any_listed(kPairNames, [&](auto word) { return names.find(word) != names.npos; });
  return is_pair || (is_call && any_listed(kComparisons, contains));
}

bool compares_call(std::string_view line) {
  if (!is_assertion(line)) return false;
  return line.starts_with("if") || (line.find_first_of("0123456789\"'") != line.npos &&
                                    calls_own(line.substr(line.find('(') + 1)));
}

std::map<std::string, std::string> other_literals(const std::map<std::string, std::string>& texts) {
  std::map<std::string, std::string> changed;
  for (const auto& [path, text] : texts) {
    const bool is_perl = path.ends_with(".t") && text.find("Test::") != text.npos;
    const bool is_shell = language_of(path) == Language::kUnknown && !is_perl &&
                          !path.ends_with(".pl") && !path.ends_with(".rb") &&
                          !path.ends_with(".php");
    const bool has_chars = has_char_literals(path);
    std::string other;
    std::size_t copied = 0;
    for (const std::string_view line : split_lines(text)) {
      const std::string_view bare = trim(line);
      if (!(is_shell ? is_shell_assertion(bare) : is_assertion(bare))) continue;
      const auto at = static_cast<std::size_t>(line.data() - text.data());
      other += text.substr(copied, at - copied) + other_literals_in(line, has_chars);
      copied = at + line.size();
    }
    other += text.substr(copied);
    if (other != text) changed[path] = std::move(other);
  }
  return changed;
}

}  // namespace pedro
