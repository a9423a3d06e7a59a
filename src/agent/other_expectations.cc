#include "agent/other_expectations.h"

#include <algorithm>
#include <string_view>

#include "agent/other_literals.h"
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
// Statements whose blocks belong to the test.
constexpr std::string_view kLoops[] = {"for ", "for(", "async for ", "with self.subTest",
                                       "with subTest"};
constexpr std::string_view kLoopCalls[] = {".forEach(", ".Run(", "t.test(", ".each("};
constexpr std::string_view kAssigns[] = {" = ", " := ", ": "};
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

// Returns true for the message of an assertion, which does not change.
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
  std::string_view text = trim(line);
  while (text.starts_with("#[") && text.find(']') != text.npos) {  // attributes of Rust
    text = trim(text.substr(text.find(']') + 1));
  }
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
  TestText(std::string_view path, std::string_view text)
      : text_(text), lines_(split_lines(text)), has_chars_(has_char_literals(path)) {}

  const Views& lines() const { return lines_; }

  // Changes the test that begins in a line. Returns true if it has values that can be changed.
  bool change_test(std::size_t first) {
    const std::size_t before = edits_.size();
    if (const std::string_view body = body_in(lines_[first]); !body.empty()) {
      change_body(body);
      return edits_.size() > before;
    }
    const std::size_t end = end_of(first);
    scope_begin_ = decorated_from(first);
    scope_end_ = end;
    body_begin_ = first;
    scope_ = view(scope_begin_, scope_end_);
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
  // Returns the body of a test that is in one line: after "{", "=>" or the ":" of Python.
  static std::string_view body_in(std::string_view line) {
    const std::string_view text = trim(line);
    if (text.ends_with('{')) return "";
    if (text.starts_with("def ") || text.starts_with("async def ")) {
      const std::size_t open = std::min(text.find('('), text.size() - 1);
      const auto parameters = call_arguments(text.substr(open + 1));
      const std::size_t end =
          parameters.empty() ? open
                             : static_cast<std::size_t>(parameters.back().data() +
                                                        parameters.back().size() - text.data());
      const std::size_t colon = text.find(':', text.find(')', end));
      return colon == text.npos ? "" : trim(text.substr(colon + 1));
    }
    const std::size_t arrow = text.find("=> ");
    const std::size_t brace = text.find('{');
    const std::size_t body =
        std::min(brace == text.npos ? brace : brace + 1, arrow == text.npos ? arrow : arrow + 3);
    if (body == text.npos) return "";
    const std::string_view rest = trim(text.substr(body));
    return rest.starts_with('{') ? trim(rest.substr(1)) : rest;
  }

  // Changes the statements of a body in one line. An `if` reaches to its opening brace.
  void change_body(std::string_view body) {
    const std::size_t last_brace = body.rfind('{');
    std::size_t done = 0;
    for (std::string_view statement : statements_of(body)) {
      const auto begin = static_cast<std::size_t>(statement.data() - body.data());
      if (begin < done) continue;
      done = begin + statement.size();
      if (statement.starts_with("if ") && last_brace != body.npos && begin < last_brace) {
        done = body.find('{', begin) + 1;
      }
      change(body.substr(begin, done - begin), body.substr(done), body.substr(begin, done - begin));
    }
  }

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
    Views values = compared_values(statement, next);
    std::erase_if(values, [](auto value) { return value.empty(); });
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

  // Changes all literals of the assignment or table that a name comes from. Only this assertion may
  // use the name.
  void change_table(std::string_view name, std::string_view assertion) {
    if (scope_.empty() || ++tables_ > kMaxTables || is_used_elsewhere(name, assertion)) return;
    const std::string_view variable = name.substr(0, name.find('.'));
    for (std::size_t i = scope_begin_; i < scope_end_; ++i) {
      const std::string_view head = trim(lines_[i]);
      if (i >= body_begin_ && is_assignment(head, variable)) return change_assigned(i);
      if (i < body_begin_ && head.starts_with('@')) {
        const std::string_view decorator = view(i, decorator_end(i));
        const std::size_t names = after_quoted(decorator, decorator.find_first_of("\"'"));
        if (!has_whole_words(decorator.substr(0, names), variable)) continue;
        return change_lines(decorator.substr(names));
      }
      const auto begins = [&](auto word) { return head.starts_with(word); };
      if (!std::ranges::any_of(kLoops, begins) || !has_whole_words(head, variable)) continue;
      return change_source(view(i, loop_body(i)));
    }
    for (std::size_t i = 0; i < lines_.size(); ++i) {  // a constant of the file
      if (indent_of(lines_[i]) == 0 && is_assignment(lines_[i], variable)) {
        return change_assigned(i);
      }
    }
  }

  // Returns true for `name = ...`, with a keyword or a type before the name.
  static bool is_assignment(std::string_view line, std::string_view name) {
    const std::size_t at = std::min(line.find(" = "), line.find(" := "));
    if (at == line.npos) return false;
    std::string_view target = line.substr(0, at);
    target = target.substr(0, target.find(':'));  // a type of Python or TypeScript
    return target.find('(') == target.npos && target.find(',') == target.npos &&
           target.substr(target.find_last_of(" *&") + 1) == name;
  }

  // Changes the value of an assignment that calls nothing.
  void change_assigned(std::size_t line) {
    const std::string_view block = view(line, block_end(line));
    const std::size_t open = block.find('(');
    const bool calls = open != block.npos && open > 0 && is_word_byte(block[open - 1]);
    if (!calls) change_lines(block);
  }

  std::size_t decorator_end(std::size_t line) const {
    std::size_t end = line + 1;
    while (end < body_begin_ && !trim(lines_[end]).starts_with('@')) ++end;
    return end;
  }

  // Returns the first line of a loop's body.
  std::size_t loop_body(std::size_t line) const {
    std::size_t end = line;
    while (end < std::min(scope_end_, line + kMaxDecoratorLines) &&
           !trim(lines_[end]).ends_with(':') && !trim(lines_[end]).ends_with('{')) {
      ++end;
    }
    return std::min(end + 1, scope_end_);
  }

  // Changes the table of a loop: a list in its head, or the block of a variable.
  void change_source(std::string_view head) {
    for (const std::string_view before : {" in ", " of ", " range "}) {
      const std::size_t at = head.find(before);
      if (at == head.npos) continue;
      std::string_view source = head.substr(at + before.size());
      if (source.starts_with('&')) source.remove_prefix(1);
      const auto end = std::ranges::find_if_not(source, is_word_byte);
      const std::string variable(source.begin(), end);
      if (variable.empty() || variable == "vec") return change_lines(source);
      for (std::size_t i = 0; i < lines_.size(); ++i) {
        const auto assigns = [&](std::string_view mark) {
          return lines_[i].find(variable + std::string(mark)) != text_.npos;
        };
        if (!has_whole_words(lines_[i], variable) || !std::ranges::any_of(kAssigns, assigns))
          continue;
        return change_lines(view(i, block_end(i)));
      }
    }
  }

  // Returns the end of a line's block, with the lines that close and continue it.
  std::size_t block_end(std::size_t line) const {
    std::size_t end = end_of(line);
    while (end < lines_.size() && trim(lines_[end]).find_first_of(")]}") == 0) end = end_of(end);
    return end;
  }

  void change_lines(std::string_view range) {
    for (const std::string_view line : split_lines(range)) {
      std::string other = other_literals_in(line, has_chars_);
      if (other != line) edits_.push_back({offset(line), line.size(), std::move(other)});
    }
  }

  // Returns true if other lines than the assertion, its message and the heads of loops have a name.
  bool is_used_elsewhere(std::string_view name, std::string_view assertion) const {
    for (const std::string_view line : split_lines(scope_)) {
      const std::string_view text = trim(line);
      const auto begins = [&](auto word) { return text.starts_with(word); };
      const bool is_head = std::ranges::any_of(kLoops, begins) ||
                           line.data() < lines_[body_begin_].data() || !test_in(text).empty() ||
                           is_assignment(text, name) || text.find(".Error") != text.npos ||
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

  std::string_view text_;
  Views lines_;
  std::vector<TextEdit> edits_;
  bool has_chars_;
  int tables_ = 0;          // assertions with a name
  std::string_view scope_;  // the test with its decorators
  std::size_t scope_begin_ = 0;
  std::size_t body_begin_ = 0;  // the line after the decorators
  std::size_t scope_end_ = 0;
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
    TestText file(path, text);
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
