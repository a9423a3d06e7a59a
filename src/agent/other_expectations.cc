#include "agent/other_expectations.h"

#include <algorithm>
#include <string_view>

#include "agent/test_literals.h"
#include "base/text.h"
#include "tools/word_list.h"

namespace pedro {
namespace {

using Views = std::vector<std::string_view>;

constexpr std::string_view kEqualCalls =
    "|assertEqual|assertEquals|assertListEqual|assertDictEqual|assertTupleEqual|assertSetEqual"
    "|assertCountEqual|assertSequenceEqual|assertMultiLineEqual|assertAlmostEqual|assertIs|isclose"
    "|assert_eq!|equal|strictEqual|deepEqual|deepStrictEqual|Equal|DeepEqual|CHECK_EQ|REQUIRE_EQ"
    "|EXPECT_EQ|ASSERT_EQ|EXPECT_STREQ|ASSERT_STREQ|";
constexpr std::string_view kConditionCalls =
    "|CHECK|REQUIRE|EXPECT|EXPECT_TRUE|ASSERT_TRUE|assert|assert!|assertTrue|ok|";
constexpr std::string_view kMatchers[] = {".toBe(",         ".toEqual(",  ".toStrictEqual(",
                                          ".toBeCloseTo(",  ".to.equal(", ".to.eql(",
                                          ".to.deep.equal("};
// Heads of blocks whose statements run.
constexpr std::string_view kLoops[] = {"for ", "for(", "async for ", "with self.subTest",
                                       "with subTest"};
constexpr std::string_view kLoopCalls[] = {".forEach(", ".Run(", "t.test(", ".each("};
constexpr std::size_t kMaxStatementLines = 20;
constexpr std::size_t kMaxDecoratorLines = 50;
constexpr int kMaxTables = 200;
constexpr std::string_view kTitles[] = {"test(", "it(", "TEST_CASE("};

// Returns the part of a condition after its only operator "==" or "===", or an empty view.
std::string_view right_side(std::string_view condition) {
  for (const std::string_view other : {"&&", "||", " and ", " or ", " if ", "!=", "not "}) {
    if (condition.find(other) != condition.npos) return {};
  }
  const std::size_t at = condition.find("==");
  if (at == condition.npos || condition.find("==", at + 3) != condition.npos) return {};
  return trim(condition.substr(std::min(condition.find_first_not_of('=', at), condition.size())));
}

// Returns true for the message of an assertion, or options of a comparison that stay.
bool is_message(std::string_view argument) {
  return !argument.empty() && (is_quote_mark(argument.front()) || argument.starts_with("f\"") ||
                               argument.starts_with("f'") || argument.starts_with("msg="));
}

std::string_view first_of(const Views& parts) {
  return parts.empty() ? std::string_view() : parts.front();
}

// Returns the values that an assertion may expect: the sides of a comparison, or one of them.
Views compared_values(std::string_view statement, std::string_view next) {
  if (statement.starts_with("assert ")) {
    const std::string_view condition = trim(statement.substr(7));
    const std::string closed = std::string(condition) + ")";
    const std::string_view first =
        condition.substr(0, std::min(condition.size(), first_of(call_arguments(closed)).size()));
    if (first.find("isclose(") != first.npos) return compared_values(first, next);
    return {right_side(first)};
  }
  if (statement.starts_with("if ") && statement.ends_with("{")) {
    const bool reports = next.find(".Error") != next.npos || next.find(".Fatal") != next.npos;
    const bool is_plain =
        statement.find("&&") == statement.npos && statement.find("||") == statement.npos;
    if (!reports || !is_plain) return {};
    const std::size_t call = statement.find("!reflect.DeepEqual(");
    if (call != statement.npos) return compared_values(statement.substr(call + 1), next);
    const std::size_t at = statement.rfind("!= ");
    if (at == statement.npos) return {};
    return {trim(statement.substr(at + 3, statement.size() - at - 4))};
  }
  const std::size_t open = statement.find('(');
  if (open == statement.npos) return {};
  const std::string_view callee = statement.substr(0, open);
  if (callee == "expect" && statement.find(".not.") == statement.npos) {
    for (const std::string_view matcher : kMatchers) {
      const std::size_t at = statement.rfind(matcher);
      if (at == statement.npos) continue;
      const Views parts = call_arguments(statement.substr(at + matcher.size()));
      return parts.size() == 1 ? parts : Views();
    }
    return {};
  }
  const std::string_view name = callee.substr(callee.find_last_of(". ") + 1);
  Views parts = call_arguments(statement.substr(open + 1));
  if (is_listed(kEqualCalls, name)) {
    if (parts.size() > 2 && parts[0] == "t") parts.erase(parts.begin());
    if (parts.size() > 2 && is_message(parts[2])) parts.resize(2);
    return parts.size() == 2 ? parts : Views();
  }
  const std::string_view condition = first_of(parts);
  if (!is_listed(kConditionCalls, name)) return {};
  if (condition.find("isclose(") != condition.npos) return compared_values(condition, next);
  return {right_side(condition)};
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
    if (rest.empty() || !is_quote_mark(rest.front())) return "";
    const std::size_t end = after_quoted(rest, 0);
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

// A replaced part of a text.
struct TextEdit {
  std::size_t at = 0;
  std::size_t size = 0;
  std::string text;
};

/// Changes the expected values of tests in one file.
class TestText {
 public:
  explicit TestText(std::string_view text) : text_(text), lines_(split_lines(text)) {}

  const Views& lines() const { return lines_; }

  // Changes the test that begins in a line. Returns true if it has values that can be changed.
  bool change_test(std::size_t first) {
    const std::size_t before = edits_.size();
    const std::string_view head = lines_[first];
    const std::size_t body = head.find('{');
    if (body != head.npos && !trim(head.substr(body + 1)).empty()) {
      change(trim(head.substr(body + 1)), "", head);
      return edits_.size() > before;
    }
    const std::size_t end = end_of(first);
    scope_ = view(decorated_from(first), end);
    body_ = head.data();
    std::vector<std::size_t> inner;  // indentations of the statements that run
    bool is_head = true;             // the next statement is in a block that runs
    for (std::size_t i = first + 1; i < end; ++i) {
      if (trim(lines_[i]).empty()) continue;
      const std::size_t indent = indent_of(lines_[i]);
      if (is_head) inner.push_back(indent);
      while (inner.size() > 1 && indent < inner.back()) inner.pop_back();
      const std::string_view statement = statement_at(i, end);
      is_head = indent == inner.back() && is_loop(statement);
      if (indent != inner.back() || is_head) continue;
      change(statement, i + 1 < end ? lines_[i + 1] : "", statement);
    }
    return edits_.size() > before;
  }

  std::string changed() && {
    std::ranges::sort(edits_, {}, &TextEdit::at);
    std::string text;
    std::size_t at = 0;
    for (const TextEdit& edit : edits_) {
      if (edit.at < at) continue;
      text += text_.substr(at, edit.at - at);
      text += edit.text;
      at = edit.at + edit.size;
    }
    return text += text_.substr(at);
  }

 private:
  static bool is_loop(std::string_view statement) {
    if (!statement.ends_with(':') && !statement.ends_with('{')) return false;
    const auto begins = [&](auto word) { return statement.starts_with(word); };
    const auto contains = [&](auto word) { return statement.find(word) != statement.npos; };
    return std::ranges::any_of(kLoops, begins) || std::ranges::any_of(kLoopCalls, contains);
  }

  std::size_t offset(std::string_view part) const {
    return static_cast<std::size_t>(part.data() - text_.data());
  }

  std::string_view view(std::size_t first, std::size_t end) const {
    const std::size_t begin = offset(lines_[first]);
    return text_.substr(begin, offset(lines_[end - 1]) + lines_[end - 1].size() - begin);
  }

  std::size_t end_of(std::size_t first) const {
    std::size_t end = first + 1;
    for (std::size_t i = end; i < lines_.size(); ++i) {
      if (trim(lines_[i]).empty()) continue;
      if (indent_of(lines_[i]) <= indent_of(lines_[first])) break;
      end = i + 1;
    }
    return end;
  }

  // Returns the first line of the decorators of a test.
  std::size_t decorated_from(std::size_t first) const {
    std::size_t begin = first;
    const std::size_t last = first - std::min<std::size_t>(first, kMaxDecoratorLines);
    for (std::size_t i = first; i > last && !trim(lines_[i - 1]).empty(); --i) {
      if (trim(lines_[i - 1]).starts_with('@')) begin = i - 1;
    }
    return begin;
  }

  // Returns a statement with its further lines, up to the closing bracket of a call.
  std::string_view statement_at(std::size_t line, std::size_t end) const {
    const std::string_view first = trim(lines_[line]);
    const std::size_t open = first.find('(');
    if (!first.ends_with('(') && !first.ends_with(',')) return first;
    for (std::size_t i = line + 1; i < std::min(end, line + kMaxStatementLines); ++i) {
      const std::string_view whole = trim(view(line, i + 1));
      if (!call_arguments(whole.substr(std::min(open, whole.size() - 1) + 1)).empty()) return whole;
    }
    return first;
  }

  // Changes the expected value of an assertion: a literal, or a name that has one in a table.
  void change(std::string_view statement, std::string_view next, std::string_view whole) {
    const Views values = compared_values(statement, next);
    Views literals = values;
    std::erase_if(literals, [](auto value) { return other_literal(value).empty(); });
    if (literals.size() == 1) replace(literals[0]);
    if (!literals.empty()) return;
    for (const std::string_view value : values) {
      if (std::ranges::all_of(value, [](char c) { return is_word_byte(c) || c == '.'; }))
        change_table(value, whole);
    }
  }

  void replace(std::string_view value) {
    std::string other = other_literal(value);
    if (!other.empty()) edits_.push_back({offset(value), value.size(), std::move(other)});
  }

  // Changes the values of a name in a table, if only this assertion uses the name.
  void change_table(std::string_view name, std::string_view assertion) {
    const std::size_t dot = name.rfind('.');
    const std::string_view field = dot == name.npos ? name : name.substr(dot + 1);
    if (field.empty() || scope_.empty() || ++tables_ > kMaxTables) return;
    if (is_used_elsewhere(name, assertion)) return;
    if (dot != name.npos) {
      change_keys(field);
      change_struct(field);
      return;
    }
    for (const std::string_view line : split_lines(scope_)) {
      std::string_view head = trim(line);
      const bool is_parametrized = head.starts_with("@") && head.find('(') != head.npos;
      if (is_parametrized) head = decorator_at(head);
      if (!has_whole_words(head, name)) continue;
      const auto begins = [&](auto word) { return head.starts_with(word); };
      if (!std::ranges::any_of(kLoops, begins) && !is_parametrized) continue;
      if (head.find('{') < head.find(name)) return change_keys(field);
      const std::string_view list = table_of(head, name);
      const Views names = names_in(head, is_parametrized);
      const auto at = std::ranges::find(names, name);
      if (at == names.end()) return;
      return change_rows(list, static_cast<std::size_t>(at - names.begin()), names.size());
    }
  }

  // Returns a decorator with its further lines.
  std::string_view decorator_at(std::string_view line) const {
    const std::string_view rest = scope_.substr(offset(line) - offset(scope_));
    return rest.substr(0, std::min(rest.find("\n@"), rest.find("def ")));
  }

  // Returns true if other lines than the assertion, its message and the heads of loops have a name.
  bool is_used_elsewhere(std::string_view name, std::string_view assertion) const {
    for (const std::string_view line : split_lines(scope_)) {
      const std::string_view text = trim(line);
      const auto begins = [&](auto word) { return text.starts_with(word); };
      const bool is_head = std::ranges::any_of(kLoops, begins) || line.data() < body_ ||
                           !test_in(text).empty() || text.find(".Error") != text.npos ||
                           text.find(".Fatal") != text.npos;
      const bool is_own = line.data() >= assertion.data() - indent_of(line) &&
                          line.data() < assertion.data() + assertion.size();
      if (!is_head && !is_own && has_whole_words(text, name)) return true;
    }
    return std::ranges::count_if(split_by_words(assertion),
                                 [&](auto word) { return word == name; }) > 1;
  }

  // Returns the words of a text with their dots.
  static Views split_by_words(std::string_view text) {
    Views words;
    for (std::size_t at = 0; at < text.size(); ++at) {
      std::size_t end = at;
      while (end < text.size() && (is_word_byte(text[end]) || text[end] == '.')) ++end;
      if (end > at) words.push_back(text.substr(at, end - at));
      at = end;
    }
    return words;
  }

  // Returns the names that a loop or a decorator gives to the columns of its table.
  static Views names_in(std::string_view head, bool is_parametrized) {
    std::size_t begin = 0;
    std::size_t end = 0;
    if (is_parametrized) {
      begin = std::min(head.find_first_of("\"'"), head.size() - 1) + 1;
      end = head.find_first_of("\"'", begin);
    } else {
      begin = head.find(' ') + 1;
      end = std::min(head.find(" in "), head.find(" of "));
    }
    if (end == head.npos || end < begin) return {};
    std::string_view names = trim(head.substr(begin, end - begin));
    for (const std::string_view word : {"(", "const ", "let ", "var ", "(", "[", "&("}) {
      if (names.starts_with(word)) names.remove_prefix(word.size());
    }
    Views found;
    for (const std::string_view part : split(names, ',')) {
      const std::string_view word =
          part.substr(std::min(part.find_first_not_of("( ["), part.size()));
      found.push_back(trim(word.substr(0, word.find_first_of(")] "))));
    }
    return found;
  }

  // Returns the text after the opening bracket of the table that a loop or a decorator reads.
  std::string_view table_of(std::string_view head, std::string_view name) const {
    std::size_t at = std::min(head.find(" in "), head.find(" of "));
    at = head.starts_with('@') ? head.find(',', head.find_first_of("\"'", head.find(name)))
         : at == head.npos     ? at
                               : at + 4;
    if (at == head.npos || at >= head.size()) return {};
    std::string_view source = trim(head.substr(at + (head[at] == ',' ? 1 : 0)));
    if (source.starts_with('&')) source.remove_prefix(1);
    const std::size_t size =
        static_cast<std::size_t>(std::ranges::find_if_not(source, is_word_byte) - source.begin());
    const std::string_view variable = source.substr(0, size);
    if (variable.empty() || variable == "vec") return after_bracket(offset(source));
    std::size_t found = text_.npos;
    for (const std::string_view assign : {" = ", ": "}) {
      const std::size_t next = text_.find(std::string(variable).append(assign));
      if (next != text_.npos && found == text_.npos) found = next + size + assign.size();
    }
    return found == text_.npos ? std::string_view() : after_bracket(found);
  }

  std::string_view after_bracket(std::size_t at) const {
    const std::size_t open = text_.find_first_of("[({", at);
    return open == text_.npos ? std::string_view() : text_.substr(open + 1);
  }

  // Changes one column of a table. A row is in brackets, or an entry of a dictionary.
  void change_rows(std::string_view list, std::size_t column, std::size_t columns) {
    for (const std::string_view row : call_arguments(list)) {
      const std::size_t open = row.find_first_of("[({");
      if (columns == 1) {
        replace(row);
      } else if (open == 0 || (open != row.npos && row.starts_with("pytest.param("))) {
        Views parts = call_arguments(row.substr(open + 1));
        if (!parts.empty() && parts.back().empty()) parts.pop_back();
        if (parts.size() >= columns) replace(parts[column]);
      } else if (columns == 2 && column == 1 && row.find(": ") != row.npos) {
        replace(trim(row.substr(row.rfind(": ") + 2)));
      }
    }
  }

  // Changes the values of a key: `want: 3`, `"want": 3`.
  void change_keys(std::string_view key) {
    for (std::size_t at = text_.find(key); at != text_.npos; at = text_.find(key, at + 1)) {
      std::size_t end = at + key.size();
      if (at > 0 && (is_word_byte(text_[at - 1]) || text_[at - 1] == '.')) continue;
      if (end < text_.size() && is_quote_mark(text_[end])) ++end;
      if (end >= text_.size() || text_[end] != ':') continue;
      const std::string_view line = text_.substr(end + 1, text_.find('\n', end) - end - 1);
      const std::string closed = std::string(line) + ")";
      replace(trim(
          line.substr(0, first_of(call_arguments(closed)).size() + line.find_first_not_of(' '))));
    }
  }

  // Changes a field of the rows of a Go table: `[]struct{ a, want int }{{1, 2}}`.
  void change_struct(std::string_view field) {
    const std::size_t head = std::min(scope_.find("struct {"), scope_.find("struct{"));
    const std::size_t close = head == scope_.npos ? head : scope_.find("}{", head);
    if (close == scope_.npos) return;
    const std::size_t open = scope_.find('{', head) + 1;
    Views names;
    for (const std::string_view line : split_lines(scope_.substr(open, close - open))) {
      for (std::string_view part : split(line, ',')) {
        part = trim(part);
        if (!part.empty()) names.push_back(part.substr(0, part.find_first_of(" \t")));
      }
    }
    const auto at = std::ranges::find(names, field);
    if (at == names.end()) return;
    change_rows(scope_.substr(close + 2), static_cast<std::size_t>(at - names.begin()),
                names.size());
  }

  std::string_view text_;
  Views lines_;
  std::vector<TextEdit> edits_;
  int tables_ = 0;              // assertions with a name
  std::string_view scope_;      // the test with its decorators
  const char* body_ = nullptr;  // its first line after them
};

}  // namespace

std::string without_parameters(std::string_view test) {
  for (const std::string_view mark : {") (", ") ["}) {  // of subTest()
    const std::size_t at = test.find(mark);
    if (at != test.npos) return std::string(test.substr(0, at + 1));
  }
  return std::string(test.ends_with(']') ? test.substr(0, test.find('[')) : test);
}

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
    std::set<std::string> found;
    for (const std::string& test : failed) {
      if (std::string plain = without_parameters(test); is_it(plain)) found.insert(plain);
    }
    if (count == 1 && found.size() == 1) tests[name] = *found.begin();
  }
  OtherExpectations others;
  for (const auto& [path, text] : texts) {
    TestText file(text);
    bool is_changed = false;
    for (std::size_t i = 0; i < file.lines().size(); ++i) {
      const auto test = tests.find(test_in(file.lines()[i]));
      if (test == tests.end() || !file.change_test(i)) continue;
      others.tests.insert(test->second);
      is_changed = true;
    }
    if (is_changed) others.texts[path] = std::move(file).changed();
  }
  return others;
}

}  // namespace pedro
