#include "agent/other_expectations.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "base/text.h"
#include "tools/word_list.h"

namespace pedro {
namespace {

using Views = std::vector<std::string_view>;

constexpr std::string_view kEqualCalls =
    "|assertEqual|assertEquals|assertListEqual|assertDictEqual|assertTupleEqual|assertSetEqual"
    "|assert_eq!|equal|strictEqual|deepEqual|deepStrictEqual|Equal|CHECK_EQ|REQUIRE_EQ|EXPECT_EQ"
    "|ASSERT_EQ|";
constexpr std::string_view kConditionCalls =
    "|CHECK|REQUIRE|EXPECT|EXPECT_TRUE|ASSERT_TRUE|assert|";
constexpr std::string_view kMatchers[] = {".toBe(",     ".toEqual(", ".toStrictEqual(",
                                          ".to.equal(", ".to.eql(",  ".to.deep.equal("};
constexpr std::string_view kTitles[] = {"test(", "it(", "TEST_CASE("};

bool is_quote(char c) {
  return c == '"' || c == '\'' || c == '`';
}

// Returns the index after the string that begins at `at`, or the size if it is not closed.
std::size_t after_string(std::string_view text, std::size_t at) {
  for (std::size_t i = at + 1; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == text[at]) {
      return i + 1;
    }
  }
  return text.size();
}

// Returns the parts between commas outside of brackets and strings, up to the closing bracket of
// the call. Returns none if the bracket is missing.
Views arguments(std::string_view text) {
  Views parts;
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (is_quote(c)) {
      at = after_string(text, at);
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

// Returns the text of another string. `text` has its quotes.
std::string other_string(std::string_view text) {
  const std::string_view inner = text.substr(1, text.size() - 2);
  const std::string quote(1, text.front());
  if (quote == "'" && inner.size() == 1) return quote + (inner == "q" ? "r" : "q") + quote;
  return quote + std::string(inner) + "~" + quote;
}

// Returns a literal with another value, or "" for an expression that is no literal. Changes the
// first number or string of a list, else a truth value.
std::string other_literal(std::string_view text) {
  constexpr std::string_view kWords = "|True|False|true|false|None|null|nil|b|r|u|";
  std::size_t number = text.npos;
  std::size_t truth = text.npos;
  std::optional<std::pair<std::size_t, std::size_t>> quoted;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    if (is_quote(text[at])) {
      at = after_string(text, at);
      if (at - begin < 2 || text[at - 1] != text[begin]) return "";
      if (!quoted) quoted = {begin, at};
    } else if (is_word_byte(text[at])) {
      while (at < text.size() && (is_word_byte(text[at]) || text[at] == '.')) ++at;
      const std::string_view word = text.substr(begin, at - begin);
      const bool is_decimal =
          is_digit(word[0]) && !(word[0] == '0' && word.size() > 1 && word[1] != '.');
      if (is_decimal) {
        number = std::min(number, begin);
      } else if (!is_listed(kWords, word)) {
        return "";
      } else if (to_lower(word) == "true" || to_lower(word) == "false") {
        truth = std::min(truth, begin);
      }
    } else if (std::string_view("[](){}:,- \t").find(text[at++]) == text.npos) {
      return "";
    }
  }
  std::string other(text);
  if (number != text.npos && (!quoted || number < quoted->first)) {
    std::size_t last = number;
    while (last + 1 < text.size() && is_digit(text[last + 1])) ++last;
    other[last] = text[last] == '0' ? '1' : static_cast<char>(text[last] - 1);
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

// Returns the part of a condition after its only operator "==" or "===", or an empty view.
std::string_view right_side(std::string_view condition) {
  for (const std::string_view other : {"&&", "||", " and ", " or ", " if ", "!=", "not "}) {
    if (condition.find(other) != condition.npos) return {};
  }
  const std::size_t at = condition.find("==");
  if (at == condition.npos || condition.find("==", at + 3) != condition.npos) return {};
  return trim(condition.substr(std::min(condition.find_first_not_of('=', at), condition.size())));
}

// Returns the only argument of a call that is a literal. Go's begin with the test.
std::string_view only_literal(Views parts) {
  if (parts.size() == 3 && parts[0] == "t") parts.erase(parts.begin());
  if (parts.size() != 2) return {};
  const bool first = !other_literal(parts[0]).empty();
  const bool second = !other_literal(parts[1]).empty();
  return first == second ? std::string_view() : parts[first ? 0 : 1];
}

std::string_view first_of(const Views& parts) {
  return parts.empty() ? std::string_view() : parts.front();
}

// Returns the expected value of an assertion, a literal in `statement`, or an empty view.
std::string_view expected_value(std::string_view statement, std::string_view next) {
  if (statement.starts_with("assert ")) {
    const std::string closed = std::string(statement.substr(7)) + ")";
    const std::size_t size = first_of(arguments(closed)).size();
    return right_side(trim(statement.substr(7)).substr(0, size));
  }
  if (statement.starts_with("if ") && statement.ends_with(" {")) {
    const std::size_t at = statement.rfind("!= ");
    const bool reports = next.find(".Error") != next.npos || next.find(".Fatal") != next.npos;
    const bool is_plain =
        statement.find("&&") == statement.npos && statement.find("||") == statement.npos;
    if (at == statement.npos || !reports || !is_plain) return {};
    return statement.substr(at + 3, statement.size() - at - 5);
  }
  const std::size_t open = statement.find('(');
  if (open == statement.npos) return {};
  const std::string_view callee = statement.substr(0, open);
  if (callee == "expect" && statement.find(".not.") == statement.npos) {
    for (const std::string_view matcher : kMatchers) {
      const std::size_t at = statement.rfind(matcher);
      if (at == statement.npos) continue;
      const Views parts = arguments(statement.substr(at + matcher.size()));
      return parts.size() == 1 ? parts.front() : std::string_view();
    }
    return {};
  }
  const std::size_t dot = callee.rfind('.');
  const std::string_view name = dot == callee.npos ? callee : callee.substr(dot + 1);
  const Views parts = arguments(statement.substr(open + 1));
  if (is_listed(kEqualCalls, name)) return only_literal(parts);
  if (is_listed(kConditionCalls, callee)) return right_side(first_of(parts));
  return {};
}

// Returns the name or title of the test that begins in a line, or "".
std::string test_in(std::string_view line) {
  const std::string_view text = trim(line);
  for (const std::string_view head :
       {"def ", "async def ", "func ", "fn ", "pub fn ", "async fn "}) {
    if (!text.starts_with(head)) continue;
    const std::string_view rest = text.substr(head.size());
    return std::string(rest.substr(0, rest.find('(')));
  }
  for (const std::string_view head : kTitles) {
    if (!text.starts_with(head)) continue;
    const std::string_view rest = text.substr(head.size());
    if (rest.empty() || !is_quote(rest.front())) return "";
    const std::size_t end = after_string(rest, 0);
    return std::string(rest.substr(1, std::max<std::size_t>(end, 2) - 2));
  }
  return "";
}

// Returns true if a runner's name means the test: "test_a (m.T.test_a)", "a.py::test_a",
// "p::TestA", "a.test.js › suite › adds up".
bool means(std::string_view runner_name, std::string_view name) {
  if (runner_name.starts_with(std::string(name) + " (")) return true;
  if (!runner_name.ends_with(name)) return false;
  const std::string_view before = runner_name.substr(0, runner_name.size() - name.size());
  return before.empty() || before.ends_with("::") || before.ends_with('.') ||
         before.ends_with("› ") || before.ends_with("> ");
}

// Changes the assertions of the test that begins in lines[first]. Returns true if there are any.
bool change_test(std::vector<std::string>& lines, std::size_t first) {
  bool is_changed = false;
  const auto change = [&](std::size_t at, std::string_view statement) {
    const std::string_view next = at + 1 < lines.size() ? std::string_view(lines[at + 1]) : "";
    const std::string_view value = expected_value(statement, next);
    const std::string other = other_literal(value);
    if (other.empty()) return;
    const auto offset = static_cast<std::size_t>(value.data() - lines[at].data());
    lines[at].replace(offset, value.size(), other);
    is_changed = true;
  };
  const std::string_view head = lines[first];
  const std::size_t body = head.find('{');
  if (body != head.npos && !trim(head.substr(body + 1)).empty()) {
    change(first, trim(head.substr(body + 1)));
    return is_changed;
  }
  std::size_t inner = 0;  // indentation of the test's statements
  for (std::size_t i = first + 1; i < lines.size(); ++i) {
    if (trim(lines[i]).empty()) continue;
    const std::size_t indent = indent_of(lines[i]);
    if (indent <= indent_of(head)) break;
    if (inner == 0) inner = indent;
    if (indent == inner) change(i, trim(lines[i]));
  }
  return is_changed;
}

}  // namespace

OtherExpectations other_expectations(const std::map<std::string, std::string>& texts,
                                     const std::vector<std::string>& failed) {
  std::map<std::string, int> counts;  // of tests by name
  for (const auto& [path, text] : texts) {
    for (const std::string_view line : split_lines(text)) {
      if (std::string name = test_in(line); !name.empty()) ++counts[std::move(name)];
    }
  }
  std::map<std::string, std::string> tests;  // names of failed tests, by name in the source
  for (const auto& [name, count] : counts) {
    const auto is_it = [&name = name](const std::string& test) { return means(test, name); };
    if (count == 1 && std::ranges::count_if(failed, is_it) == 1)
      tests[name] = *std::ranges::find_if(failed, is_it);
  }
  OtherExpectations others;
  for (const auto& [path, text] : texts) {
    std::vector<std::string> lines;
    for (const std::string_view line : split_lines(text)) lines.emplace_back(line);
    bool is_changed = false;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const auto test = tests.find(test_in(lines[i]));
      if (test == tests.end() || !change_test(lines, i)) continue;
      others.tests.insert(test->second);
      is_changed = true;
    }
    if (is_changed) others.texts[path] = join(lines, "\n") + "\n";
  }
  return others;
}

}  // namespace pedro
