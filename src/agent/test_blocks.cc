#include "agent/test_blocks.h"

#include <algorithm>
#include <span>

#include "agent/check_names.h"
#include "base/text.h"
#include "tools/word_list.h"

namespace pedro {
namespace {

using LineSpan = std::span<const std::string_view>;

constexpr int kMaxModules = 8;  // of modules in modules
constexpr std::string_view kRustTests =
    "|#[cfg(test)]|#[cfg(all(test|#[test]|#[test_case|#[rstest|#[quickcheck|#[proptest"
    "|#[wasm_bindgen_test|proptest!|quickcheck!|#[should_panic|#[ignore|";

// Returns the number of opened brackets minus closed ones, outside of strings and comments.
int depth_change(std::string_view line) {
  int depth = 0;
  char quote = '\0';
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '\\') {
      ++i;
    } else if (quote != '\0') {
      if (c == quote) quote = '\0';
    } else if (c == '"') {
      quote = c;
    } else if (c == '\'' && i + 2 < line.size() && line[i + 2] == '\'') {
      i += 2;  // a character; a lone ' is a lifetime
    } else if (line.substr(i).starts_with("//")) {
      break;
    } else {
      depth += c == '{' || c == '(' || c == '[' ? 1 : 0;
      depth -= c == '}' || c == ')' || c == ']' ? 1 : 0;
    }
  }
  return depth;
}

std::string block_text(LineSpan lines) {
  std::string text;
  for (const std::string_view whole : lines) {
    const std::string_view line = trim(whole);
    if (!line.empty() && !line.starts_with("//")) text += std::string(line) + "\n";
  }
  return text;
}

std::string_view without_comment(std::string_view line) {
  const std::size_t comment = line.find("//");
  return line.find('"') < comment ? line : trim(line.substr(0, comment));
}

bool is_attribute(std::string_view line) {
  return line.starts_with('#') && line.ends_with(']');
}

// Splits code with braces into its outer items. Attributes and comments belong to the next item.
std::vector<LineSpan> braced_items(LineSpan lines) {
  std::vector<LineSpan> items;
  std::size_t first = 0;
  int depth = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view line = without_comment(trim(lines[i]));
    depth += depth_change(line);
    const bool ends = line.ends_with('}') || line.ends_with(';');
    if (depth > 0 || line.empty() || is_attribute(line) || !ends) continue;
    items.push_back(lines.subspan(first, i + 1 - first));
    first = i + 1;
    depth = 0;
  }
  if (first < lines.size()) items.push_back(lines.subspan(first));
  return items;
}

// Returns the index of the first line that is no attribute, decorator, comment or blank line.
std::size_t item_line(LineSpan item) {
  std::size_t i = 0;
  for (; i + 1 < item.size(); ++i) {
    const std::string_view line = without_comment(trim(item[i]));
    if (!line.empty() && !line.starts_with('@') && !line.starts_with('#')) break;
  }
  return i;
}

bool is_rust_test(LineSpan item) {
  const LineSpan attributes = item.first(std::min(item.size(), item_line(item) + 1));
  return std::any_of(attributes.begin(), attributes.end(), [](std::string_view whole) {
    const std::string_view line = trim(whole);
    return any_listed(kRustTests, [line](auto start) { return line.starts_with(start); }) ||
           (line.starts_with("#[") && line.find("::test") != line.npos);
  });
}

bool opens_module(std::string_view line) {
  return line.ends_with('{') && has_whole_words(line, "mod");
}

void add_rust_items(LineSpan lines, bool are_tests, const std::string& group, int depth,
                    std::vector<TestBlock>& blocks) {
  for (const LineSpan item : braced_items(lines)) {
    const bool is_test = are_tests || is_rust_test(item);
    const std::size_t opening = item_line(item);
    const bool is_module = depth < kMaxModules && opening + 1 < item.size() &&
                           opens_module(without_comment(trim(item[opening])));
    std::string text = block_text(is_module ? item.first(opening + 1) : item);
    if (is_test && !text.empty()) blocks.push_back({TestBlock::Kind::kItem, group, text});
    if (!is_module) continue;
    const LineSpan inner = item.subspan(opening + 1, item.size() - opening - 2);
    add_rust_items(inner, is_test, text, depth + 1, blocks);
  }
}

// Adds the code of doc comments that `cargo test` runs.
void add_rust_examples(LineSpan lines, std::vector<TestBlock>& blocks) {
  std::string text;
  bool is_inside = false;
  for (const std::string_view whole : lines) {
    const std::string_view line = trim(whole);
    const bool is_doc = line.starts_with("///") || line.starts_with("//!");
    const std::string_view code = is_doc ? trim(line.substr(3)) : "";
    if (is_doc && code.starts_with("```")) {
      is_inside = !is_inside;
      if (is_inside) text = std::string(code) + "\n";
      if (!is_inside) blocks.push_back({TestBlock::Kind::kExample, "", text});
    } else if (is_inside && is_doc) {
      text += std::string(code) + "\n";
    } else {
      is_inside = false;
    }
  }
}

// Splits code with indentation into its outer statements. Decorators belong to the next one.
std::vector<LineSpan> indented_items(LineSpan lines) {
  std::vector<LineSpan> items;
  std::size_t indent = std::string_view::npos;
  for (const std::string_view line : lines) {
    if (!trim(line).empty()) indent = std::min(indent, indent_of(line));
  }
  std::size_t first = 0;
  bool is_begun = false;  // has more than decorators
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view line = trim(lines[i]);
    if (line.empty() || indent_of(lines[i]) > indent) continue;
    const bool continues = std::string_view(")]}").find(line.front()) != line.npos ||
                           line.starts_with("else") || line.starts_with("elif") ||
                           line.starts_with("except") || line.starts_with("finally");
    if (continues) continue;
    if (is_begun) {
      items.push_back(lines.subspan(first, i - first));
      first = i;
    }
    is_begun = !line.starts_with('@') && !line.starts_with('#');
  }
  if (first < lines.size()) items.push_back(lines.subspan(first));
  return items;
}

bool is_test_class(std::string_view line) {
  return line.starts_with("class ") &&
         (line.find("TestCase") != line.npos || line.starts_with("class Test"));
}

bool is_test_function(std::string_view line) {
  return line.starts_with("def test") || line.starts_with("async def test");
}

bool names_python_runner(LineSpan lines) {
  return std::any_of(lines.begin(), lines.end(), [](std::string_view line) {
    return line.find("import") != line.npos &&
           (has_whole_words(line, "unittest") || has_whole_words(line, "pytest"));
  });
}

void add_python_items(LineSpan lines, std::vector<TestBlock>& blocks) {
  const bool has_runner = names_python_runner(lines);
  for (const LineSpan item : indented_items(lines)) {
    const std::size_t first = item_line(item);
    const std::string_view line = item.empty() ? "" : item[first];
    std::string text = block_text(item);
    const bool has_assertion = line.ends_with("():") && text.find("assert ") != text.npos;
    if (is_test_function(line) && (has_runner || has_assertion))
      blocks.push_back({TestBlock::Kind::kItem, "", std::move(text)});
    if (!has_runner || !is_test_class(line)) continue;
    const std::string group = block_text(item.first(first + 1));
    blocks.push_back({TestBlock::Kind::kItem, "", group});
    for (const LineSpan inner : indented_items(item.subspan(first + 1))) {
      if (std::string method = block_text(inner); !method.empty())
        blocks.push_back({TestBlock::Kind::kItem, group, std::move(method)});
    }
  }
}

// Adds examples that begin with a prompt. Each ends at the next prompt, a blank line, or the end of
// the docstring.
void add_prompts(LineSpan lines, std::string_view prompt, std::vector<TestBlock>& blocks) {
  bool is_inside = false;
  for (const std::string_view whole : lines) {
    const std::string_view line = trim(whole);
    if (line.starts_with(prompt)) {
      blocks.push_back({TestBlock::Kind::kExample, "", std::string(line) + "\n"});
      is_inside = true;
    } else if (line.empty() || line.starts_with("\"\"\"") || line.starts_with("'''")) {
      is_inside = false;
    } else if (is_inside) {
      blocks.back().text += std::string(line) + "\n";
    }
  }
}

// Self-tests of a language: the texts of the line that begins one, and the rule for its end.
enum class SelfTestEnd { kBrackets, kIndent, kEndif };
struct SelfTest {
  std::string_view extensions;
  std::string_view begins;  // any of these is in the line
  SelfTestEnd end;
  bool is_always_test;  // else only with an assertion
};
constexpr SelfTest kSelfTests[] = {
    {"|.c|.h|.cc|.cpp|.cxx|.hpp|.hh|.m|", "|#if* TEST|#if*_TEST|#if*(TEST|#if*SELFTEST|",
     SelfTestEnd::kEndif, false},
    {"|.pl|.pm|", "|unless (caller|unless(caller|unless caller|if (!caller|if (not caller|",
     SelfTestEnd::kBrackets, false},
    {"|.js|.mjs|.cjs|.ts|.mts|.tsx|.jsx|",
     "|require.main === module|require.main == module|import.meta.vitest|import.meta.main|",
     SelfTestEnd::kBrackets, false},
    {"|.rb|", "|if __FILE__ == $0|if __FILE__ == $PROGRAM_NAME|if $0 == __FILE__|",
     SelfTestEnd::kIndent, false},
    {"|.py|", "|if __name__ == |", SelfTestEnd::kIndent, false},
    {"|.nim|", "|when isMainModule|", SelfTestEnd::kIndent, false},
    {"|.jl|", "|if abspath(PROGRAM_FILE) == |", SelfTestEnd::kIndent, false},
    {"|.zig|", "|test \"|test {|", SelfTestEnd::kBrackets, true},
    {"|.d|", "|unittest|", SelfTestEnd::kBrackets, true},
    {"|.rkt|", "|(module+ test|", SelfTestEnd::kBrackets, true},
};
constexpr std::string_view kAssertionWords = "|assert|expect(|die |abort|fail|ok(|is(|throw |";

// Returns true if a line contains the parts of a text, separated by "*", in order.
bool has_parts(std::string_view line, std::string_view text) {
  std::size_t at = 0;
  for (const std::string_view part : split(text, '*')) {
    at = line.find(part, at);
    if (at == line.npos) return false;
    at += part.size();
  }
  return true;
}

// Returns the number of lines of a self-test that begins in the first line.
std::size_t length_of(LineSpan lines, SelfTestEnd end) {
  int depth = 0;
  bool is_open = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view line = trim(lines[i]);
    if (end == SelfTestEnd::kIndent) {
      const bool is_outside = i > 0 && !line.empty() && indent_of(lines[i]) <= indent_of(lines[0]);
      if (is_outside) return i;
    } else if (end == SelfTestEnd::kEndif) {
      depth += line.starts_with("#if") ? 1 : 0;
      if (line.starts_with("#endif") && --depth <= 0) return i + 1;
    } else {
      depth += depth_change(line);
      is_open = is_open || line.find_first_of("{(") != line.npos;
      if (depth <= 0 && (is_open || line.ends_with(';'))) return i + 1;
    }
  }
  return lines.size();
}

bool has_assertion(std::string_view text) {
  return has_any(to_lower(text), kAssertionWords);
}

void add_self_tests(LineSpan lines, const SelfTest& rule, std::vector<TestBlock>& blocks) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view line = trim(lines[i]);
    const bool begins = any_listed(rule.begins, [&](std::string_view text) {
      return rule.is_always_test ? line.starts_with(text) : has_parts(line, text);
    });
    if (!begins) continue;
    const std::size_t length = length_of(lines.subspan(i), rule.end);
    std::string text = block_text(lines.subspan(i, length));
    i += length - 1;
    if (rule.is_always_test || has_assertion(text))
      blocks.push_back({TestBlock::Kind::kRegion, "", std::move(text)});
  }
}

}  // namespace

std::vector<TestBlock> test_blocks(std::string_view path, std::string_view text) {
  const std::vector<std::string_view> lines = split_lines(text);
  const std::string_view extension = extension_of(path);
  std::vector<TestBlock> blocks;
  if (extension == ".rs") {
    add_rust_items(lines, false, "", 0, blocks);
    // Cargo runs the examples of libraries only.
    const bool is_program = path.ends_with("main.rs") || path.find("/bin/") != path.npos;
    if (!is_program) add_rust_examples(lines, blocks);
  }
  if (extension == ".py") {
    add_python_items(lines, blocks);
    add_prompts(lines, ">>> ", blocks);
  }
  if (extension == ".ex") add_prompts(lines, "iex>", blocks);
  for (const SelfTest& rule : kSelfTests) {
    if (is_listed(rule.extensions, extension)) add_self_tests(lines, rule, blocks);
  }
  return blocks;
}

}  // namespace pedro
