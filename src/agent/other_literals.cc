#include "agent/other_literals.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <vector>

#include "agent/check_names.h"
#include "base/text.h"
#include "tools/language.h"
#include "tools/source_outline.h"
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

// Returns the size of the decimal number at `at`. 0 inside of a name, a fraction or a redirection,
// and for the status of an `exit` or `return`.
std::size_t number_size(std::string_view line, std::size_t at) {
  const std::string_view head = line.substr(0, at);
  if (head.ends_with("exit ") || head.ends_with("return ")) return 0;
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

// Returns true for an `if` with a difference between a call's result and a literal. A program that
// compares its own arguments is no test.
bool reports_difference(std::string_view line) {
  if (has_any(line, "|argv|os.Args|args[|")) return false;
  const std::size_t sign = line.find("!=");
  const std::size_t compared = line.find("cmp(");
  if (compared != line.npos) {
    const bool is_equality = line.find("==") != line.npos || line.find("if (!") != line.npos;
    const auto arguments = call_arguments(line.substr(compared + 4));
    return !is_equality && std::ranges::any_of(arguments, [](std::string_view argument) {
      return calls_own(argument);
    });
  }
  const std::string_view other = sign == line.npos ? "" : trim(line.substr(sign + 2));
  return other.find_first_of("123456789\"'-") == 0 && calls_own(line.substr(0, sign));
}

// Names of functions and macros of tests that compare their arguments.
using Helpers = std::set<std::string, std::less<>>;

bool is_shell_assertion(std::string_view line, const Helpers& helpers) {
  if (has_any(line, "|()|exit 0|")) return false;  // a definition, or a reason to leave out tests
  const auto starts = [line](auto word) { return line.starts_with(word); };
  const bool compares = has_any(line, kShellComparisons) || any_listed(kShellChecks, starts);
  return (compares && line.find("$(") != line.npos) ||
         helpers.contains(line.substr(0, line.find(' ')));
}

// Changes the words without quotes that a line of a shell script compares: an operand of "=", or
// the last argument.
std::string with_other_words(std::string_view line) {
  constexpr std::string_view kEnds = " \t;|&)]";
  const auto is_plain = [](std::string_view word) {
    return !word.empty() && !std::ranges::all_of(word, is_digit) && word[0] != '-' &&
           std::ranges::all_of(word, [](char c) {
             return is_word_byte(c) || std::string_view("-./:+").find(c) != std::string_view::npos;
           });
  };
  std::string changed(line);
  for (const std::string_view sign : {" = ", " == ", " != "}) {
    const std::size_t at = changed.find(sign);
    if (at == changed.npos) continue;
    const std::size_t right = at + sign.size();
    const std::size_t end = std::min(changed.find_first_of(kEnds, right), changed.size());
    const std::size_t left = changed.find_last_of(kEnds, at - 1) + 1;
    const std::string_view text = changed;
    if (is_plain(text.substr(right, end - right))) return changed.insert(end, "~");
    if (at > 0 && is_plain(text.substr(left, at - left))) return changed.insert(at, "~");
    return changed;
  }
  const bool is_last = is_plain(line.substr(line.find_last_of(" \t") + 1));
  return is_last && line.find("||") == line.npos ? changed + "~" : changed;
}

// Returns the name of the function or macro with several parameters that a line begins to define.
std::string_view helper_in(Language language, std::string_view line) {
  constexpr std::string_view kMacro = "#define ";
  const std::size_t open = line.find('(');
  if (open == line.npos) return "";
  const bool has_more = line.find(',', open) != line.npos;
  if (line.starts_with(kMacro)) return has_more ? line.substr(8, open - 8) : "";
  if (language != Language::kUnknown) {
    const auto name = defined_name(language, line);
    return name && has_more && line.find(*name) + name->size() == open ? *name : "";
  }
  std::string_view name = trim(line.substr(0, open));
  if (name.starts_with("function ")) name = trim(name.substr(9));
  const bool is_shell = line.substr(open).starts_with("()");
  return is_shell && std::ranges::all_of(name, is_word_byte) ? name : "";
}

// Adds the helpers that a text defines.
void add_helpers(std::string_view path, std::string_view text, Helpers& helpers) {
  constexpr std::string_view kEqualities = "|==|!=|cmp|.equals(|assert|[ |[[ |test |diff |case |";
  const Language language = language_of(path);
  const auto lines = split_lines(text);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view name = helper_in(language, lines[i]);
    if (name.empty() || name == "main") continue;
    std::size_t end = i + 1;
    const bool is_macro = lines[i].starts_with('#');
    while (end < lines.size() &&
           (is_macro ? lines[end - 1].ends_with('\\')
                     : trim(lines[end]).empty() || indent_of(lines[end]) > indent_of(lines[i]))) {
      ++end;
    }
    std::string body;
    for (std::size_t j = i; j < end; ++j) body += std::string(lines[j]) + "\n";
    const bool has_second = language != Language::kUnknown || body.find("$2") != body.npos;
    if (has_second && has_any(body, kEqualities)) helpers.emplace(name);
  }
}

bool is_assertion_of(std::string_view line, const Helpers& helpers) {
  if (line.starts_with('#') || line.ends_with('\\')) return false;  // of a macro's definition
  if (line.starts_with("if ") || line.starts_with("if(")) return reports_difference(line);
  if (line.starts_with("assert ")) return has_any(line, kComparisons);
  const std::string_view head = line.substr(0, line.find('(') + 1);
  const std::string_view call = head.substr(head.find_last_of(" .>:\t") + 1);
  const bool is_call = is_listed(kCalls, call) ||
                       any_listed(kCallEnds, [call](auto end) { return call.ends_with(end); });
  const std::string names = to_lower(call) + std::string(call);
  const bool is_helper = !call.empty() && helpers.contains(call.substr(0, call.size() - 1));
  const bool is_pair = line.find(',') != line.npos && !line.ends_with('{') &&
                       (is_helper || has_any(names, kPairNames));
  return is_pair || (is_call && has_any(line, kComparisons));
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

std::vector<std::string_view> statements_of(std::string_view line) {
  std::vector<std::string_view> statements;
  std::size_t begin = 0;
  int depth = 0;
  const auto end_at = [&](std::size_t end) {
    const std::string_view statement = trim(line.substr(begin, end - begin));
    if (!statement.empty()) statements.push_back(statement);
    begin = end + 1;
  };
  const bool is_python = line.starts_with("def ") || line.starts_with("async def ");
  for (std::size_t at = 0; at < line.size();) {
    const char c = line[at];
    const std::size_t end = is_quote_mark(c) ? after_quoted(line, at) : at + 1;
    const bool is_text = is_quote_mark(c) && end - at > 1 && line[end - 1] == c;
    depth += c == '(' || c == '[' ? 1 : 0;
    depth -= c == ')' || c == ']' ? 1 : 0;
    const bool is_head = is_python && c == ':' && statements.empty();
    if (depth == 0 && (c == '{' || c == '}' || c == ';' || is_head)) end_at(at);
    at = is_text ? end : at + 1;
  }
  end_at(line.size());
  return statements;
}

bool is_assertion(std::string_view line) {
  return is_assertion_of(line, {});
}

bool compares_call(std::string_view line) {
  const auto compares = [](std::string_view part) {
    return is_assertion(part) &&
           (part.starts_with("if") || (part.find_first_of("0123456789\"'") != part.npos &&
                                       calls_own(part.substr(part.find('(') + 1))));
  };
  return compares(line) || std::ranges::any_of(statements_of(line), compares);
}

std::map<std::string, std::string> other_literals(const std::map<std::string, std::string>& texts) {
  std::map<std::string, std::string> changed;
  Helpers helpers;
  for (const auto& [path, text] : texts) add_helpers(path, text, helpers);
  for (const auto& [path, text] : texts) {
    const bool is_perl = path.ends_with(".t") && text.find("Test::") != text.npos;
    const bool is_shell = language_of(path) == Language::kUnknown && !is_perl &&
                          !path.ends_with(".pl") && !path.ends_with(".rb") &&
                          !path.ends_with(".php");
    const bool has_chars = has_char_literals(path);
    std::string other;
    std::size_t copied = 0;
    const auto change = [&, &text = text](std::string_view part) {
      const std::string_view bare = trim(part);
      const bool is_it =
          is_shell ? is_shell_assertion(bare, helpers) : is_assertion_of(bare, helpers);
      if (!is_it) return false;
      const auto at = static_cast<std::size_t>(part.data() - text.data());
      other += text.substr(copied, at - copied);
      other += is_shell ? with_other_words(other_literals_in(part, has_chars))
                        : other_literals_in(part, has_chars);
      copied = at + part.size();
      return true;
    };
    for (const std::string_view line : split_lines(text)) {
      if (change(line) || is_shell) continue;
      for (const std::string_view statement : statements_of(line)) change(statement);
    }
    other += text.substr(copied);
    if (other != text) changed[path] = std::move(other);
  }
  return changed;
}

}  // namespace pedro
