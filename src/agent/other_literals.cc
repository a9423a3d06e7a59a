#include "agent/other_literals.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <vector>

#include "agent/check_names.h"
#include "base/text.h"
#include "tools/language.h"
#include "tools/word_list.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxDigits = 9;
// The amounts by which literals change: no sum or multiple of some is another one.
constexpr int kAmounts[] = {2, 9, 35, 137};

// Returns the text of another string. `text` has its quotes.
std::string other_string(std::string_view text) {
  const std::string_view inner = text.substr(1, text.size() - 2);
  const std::string quote(1, text.front());
  if (quote == "'" && inner.size() == 1) return quote + (inner == "q" ? "r" : "q") + quote;
  return quote + std::string(inner) + "~" + quote;
}

// Returns true if the string before `rest` is a key. Other keys would differ for any value.
bool is_key(std::string_view rest) {
  const std::string_view after = trim(rest);
  return after.starts_with(':') && !after.starts_with("::");
}

// Returns true for a word of a literal: a value, a constructor or a key of its arguments.
bool is_literal_word(std::string_view word, std::string_view rest) {
  constexpr std::string_view kWords =
      "|True|False|true|false|None|null|nil|f64|f32|i32|i64|u8|u32|u64|usize|new|vec|map|int"
      "|int64|float64|string|byte|rune|set|frozenset|date|datetime|timedelta|to_string|to_owned"
      "|into|from|approx|";
  const std::string_view name = word.substr(word.rfind('.') + 1);
  const std::string_view after = trim(rest);
  const bool is_prefix = is_listed("|b|r|u|", word) && !rest.empty() && is_quote_mark(rest[0]);
  return is_prefix || is_listed(kWords, name) || after.starts_with(':') ||
         (!name.empty() && name[0] >= 'A' && name[0] <= 'Z');
}

// Returns the size of the decimal number at `at`; 0 inside of a name, a fraction or a redirection.
std::size_t number_size(std::string_view line, std::size_t at) {
  const char before = at > 0 ? line[at - 1] : ' ';
  const std::size_t end = std::min(line.find_first_not_of("0123456789", at), line.size());
  const char after = end < line.size() ? line[end] : ' ';
  const bool is_part =
      is_word_byte(before) || std::string_view("$.&_<>").find(before) != std::string_view::npos;
  return is_part || is_word_byte(after) || after == '>' || end - at > kMaxDigits ? 0 : end - at;
}

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
  const auto starts = [line](auto word) { return line.starts_with(word); };
  return line.find("$(") != line.npos && line.find("()") == line.npos &&
         (has_any(line, kShellComparisons) || any_listed(kShellChecks, starts));
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

bool is_quote_mark(char c) {
  return c == '"' || c == '\'' || c == '`';
}

std::size_t after_quoted(std::string_view text, std::size_t at) {
  for (std::size_t i = at + 1; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == text[at]) {
      return i + 1;
    }
  }
  return text.size();
}

std::vector<std::string_view> call_arguments(std::string_view text) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (is_quote_mark(c)) {
      at = after_quoted(text, at);
      continue;
    }
    const bool closes = c == ')' || c == ']' || c == '}';
    if ((closes && depth == 0) || (c == ',' && depth == 0)) {
      parts.push_back(trim(text.substr(begin, at - begin)));
      begin = at + 1;
      if (closes) return parts;
    }
    depth += c == '(' || c == '[' || c == '{' ? 1 : 0;
    depth -= closes ? 1 : 0;
    ++at;
  }
  return {};
}

std::string other_literal(std::string_view text) {
  std::size_t number = text.npos;
  std::size_t truth = text.npos;
  std::optional<std::pair<std::size_t, std::size_t>> quoted;
  std::optional<std::pair<std::size_t, std::size_t>> key;  // the first string, also if it is none
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    if (is_quote_mark(text[at])) {
      at = after_quoted(text, at);
      if (at - begin < 2 || text[at - 1] != text[begin]) return "";
      if (!quoted && !is_key(text.substr(at))) quoted = {begin, at};
      if (!key) key = {begin, at};
    } else if (is_word_byte(text[at])) {
      while (at < text.size() && (is_word_byte(text[at]) || text[at] == '.')) ++at;
      const std::string_view word = text.substr(begin, at - begin);
      const bool is_decimal =
          is_digit(word[0]) && !(word[0] == '0' && word.size() > 1 && word[1] != '.');
      if (is_decimal) {
        number = std::min(number, begin);
      } else if (!is_literal_word(word, text.substr(at))) {
        return "";
      } else if (to_lower(word) == "true" || to_lower(word) == "false") {
        truth = std::min(truth, begin);
      }
    } else if (std::string_view("[](){}:,-!&.+ \t\r\n").find(text[at++]) == text.npos) {
      return "";
    }
  }
  if (number == text.npos && !quoted) quoted = truth == text.npos ? key : quoted;
  std::string other(text);
  if (number != text.npos && (!quoted || number < quoted->first)) {
    // The first digit, since comparisons of floating-point numbers ignore the last ones.
    other[number] = static_cast<char>(text[number] + (text[number] < '2' ? 1 : -1));
  } else if (quoted) {
    const auto [begin, end] = *quoted;
    other.replace(begin, end - begin, other_string(text.substr(begin, end - begin)));
  } else if (truth != text.npos) {
    const bool is_true = text[truth] == 't' || text[truth] == 'T';
    const bool is_upper = text[truth] < 'a';
    const char* const word =
        is_true ? (is_upper ? "False" : "false") : (is_upper ? "True" : "true");
    other.replace(truth, is_true ? 4 : 5, word);
  } else {
    return "";
  }
  return other;
}

bool has_char_literals(std::string_view path) {
  constexpr Language kWithout[] = {Language::kUnknown, Language::kPython, Language::kJavaScript,
                                   Language::kTypeScript};
  return !std::ranges::count(kWithout, language_of(path));
}

std::string other_literals_in(std::string_view line, bool has_chars) {
  std::string text;
  std::size_t count = 0;
  const auto amount = [&count] { return kAmounts[count++ % std::size(kAmounts)]; };
  std::size_t command_end = 0;  // the end of a shell string with a command
  for (std::size_t at = 0; at < line.size();) {
    const char c = line[at];
    if (at >= command_end && is_quote_mark(c) && !(c == '\'' && has_chars)) {
      const std::size_t end = after_quoted(line, at);
      const std::string_view quoted = line.substr(at, end - at);
      const bool is_command = quoted.find("$(") != quoted.npos || c == '`';
      if (is_command) command_end = end;
      if (!is_command && quoted.size() > 1 && quoted.back() == c && !is_key(line.substr(end))) {
        text += fmt::format("{}~{}{}", quoted.substr(0, quoted.size() - 1), amount(), c);
        at = end;
        continue;
      }
    } else if (const std::size_t size = is_digit(c) ? number_size(line, at) : 0; size > 0) {
      text += std::to_string(std::stoll(std::string(line.substr(at, size))) + amount());
      at += size;
      continue;
    }
    text += c;
    ++at;
  }
  return text;
}

bool is_assertion(std::string_view line) {
  if (line.starts_with('#') || line.ends_with('\\')) return false;  // of a macro's definition
  if (line.starts_with("if ") || line.starts_with("if(")) return reports_difference(line);
  if (line.starts_with("assert ")) return has_any(line, kComparisons);
  const std::string_view head = line.substr(0, line.find('(') + 1);
  const std::string_view call = head.substr(head.find_last_of(" .>:\t") + 1);
  const bool is_call = is_listed(kCalls, call) ||
                       any_listed(kCallEnds, [call](auto end) { return call.ends_with(end); });
  const std::string names = to_lower(call) + std::string(call);
  const bool is_pair =
      line.find(',') != line.npos && !line.ends_with('{') && has_any(names, kPairNames);
  return is_pair || (is_call && has_any(line, kComparisons));
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
