#include "agent/inline_tests.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "agent/test_blocks.h"
#include "base/text.h"
#include "tools/word_list.h"

namespace pedro {
namespace {

using Blocks = std::vector<TestBlock>;
using NameSet = std::set<std::string_view>;

// Methods that runners call, apart from tests.
constexpr std::string_view kHooks =
    "|setUp|tearDown|setUpClass|tearDownClass|asyncSetUp|asyncTearDown|setup_method"
    "|teardown_method|setup_class|teardown_class|setup|teardown|run|debug|countTestCases|skipTest"
    "|subTest|fail|";
// Words that begin an item of Rust which only adds a name.
constexpr std::string_view kRustItems = "|fn|struct|enum|const|static|type|trait|mod|macro_rules|";
constexpr std::string_view kRustPrefixes = "|pub|async|unsafe|extern|crate|";
constexpr std::string_view kRustRoots = "|use|pub|std|core|alloc|crate|self|super|";

std::vector<std::string_view> identifiers_of(std::string_view text) {
  std::vector<std::string_view> names;
  for (std::size_t at = 0; at < text.size(); ++at) {
    std::size_t end = at;
    while (end < text.size() && is_word_byte(text[end])) ++end;
    if (end > at && !is_digit(text[at])) names.push_back(text.substr(at, end - at));
    at = end;
  }
  return names;
}

bool has_none_of(const std::vector<std::string_view>& names, const NameSet& known) {
  return std::none_of(names.begin(), names.end(),
                      [&known](auto name) { return known.contains(name); });
}

// Returns the first line that is no attribute or decorator.
std::string_view item_head(std::string_view text) {
  for (const std::string_view line : split_lines(text)) {
    if (!line.starts_with('@') && !(line.starts_with('#') && line.ends_with(']'))) return line;
  }
  return "";
}

// Returns true if a new item of a test module adds only names that the known tests do not use.
bool may_add_rust(std::string_view text, const NameSet& used) {
  if (text.find("#![") != text.npos) return false;
  const std::string_view line = item_head(text);
  std::vector<std::string_view> names = identifiers_of(line);
  if (names.empty()) return trim(line) == "}";
  if (line.starts_with("use ") || line.starts_with("pub use ")) {
    std::erase_if(names, [](auto name) { return is_listed(kRustRoots, name); });
    return text.find('*') == text.npos && has_none_of(names, used);
  }
  auto word = names.begin();
  while (word != names.end() && is_listed(kRustPrefixes, *word)) ++word;
  if (word == names.end() || !is_listed(kRustItems, *word) || ++word == names.end()) return false;
  return !used.contains(*word);
}

bool may_add_python(const TestBlock& block, const NameSet& used) {
  const std::string_view line = item_head(block.text);
  const std::vector<std::string_view> names = identifiers_of(line);
  auto word = names.begin();
  if (word != names.end() && *word == "async") ++word;
  if (word == names.end() || !is_listed("|def|class|", *word) || ++word == names.end())
    return false;
  if (used.contains(*word) || is_listed(kHooks, *word)) return false;
  return !word->starts_with("__") && !word->starts_with("assert");
}

// Returns true if a new example defines no name that the known ones use.
bool may_add_example(std::string_view text, const NameSet& used) {
  for (std::string_view line : split_lines(text)) {
    const std::size_t blank = line.find(' ');
    const bool is_code =
        line.starts_with(">>>") || line.starts_with("...") || line.starts_with("iex");
    if (!is_code || blank == line.npos) continue;
    line = trim(line.substr(blank));
    const std::size_t equal = line.find('=');
    const std::vector<std::string_view> names = identifiers_of(line);
    constexpr std::string_view kStatements =
        "|import|from|def|class|for|with|del|global|exec|eval|setattr|globals|defmodule|alias|";
    const bool is_statement = !names.empty() && is_listed(kStatements, names.front());
    const bool assigns = equal != line.npos && line.find_first_of("(\"'") > equal;
    if (is_statement && !has_none_of(names, used)) return false;
    if (assigns && !has_none_of(identifiers_of(line.substr(0, equal)), used)) return false;
  }
  return true;
}

bool may_add(std::string_view path, const TestBlock& block, const NameSet& used) {
  if (block.kind == TestBlock::Kind::kRegion) return true;
  if (block.kind == TestBlock::Kind::kExample)
    return path.ends_with(".rs") || may_add_example(block.text, used);
  return path.ends_with(".rs") ? may_add_rust(block.text, used) : may_add_python(block, used);
}

// Returns true for a part of a new test module or class.
bool is_in_new_group(const TestBlock& block, const Blocks& known) {
  return !block.group.empty() && std::none_of(known.begin(), known.end(), [&](const auto& other) {
    return other.text == block.group || other.group == block.group;
  });
}

// Returns true if a new line of Python, outside of tests, names a test class or the runner.
bool touches_tests(const Blocks& known, const Blocks& later, std::string_view before,
                   std::string_view now) {
  NameSet names = {"unittest", "pytest", "TestCase"};
  std::set<std::string_view> old;
  for (const TestBlock& block : known) {
    const auto words = identifiers_of(item_head(block.text));
    const auto keyword = std::find_if(words.begin(), words.end(),
                                      [](auto word) { return word == "class" || word == "def"; });
    const bool is_named = block.kind == TestBlock::Kind::kItem && keyword != words.end();
    if (is_named && keyword + 1 != words.end()) names.insert(*(keyword + 1));
  }
  std::vector<std::string_view> lines = split_lines(before);
  constexpr std::string_view kPlain = "|class |def |async |self.|assert |with |@|#|";
  for (const TestBlock& block : later) {
    for (const std::string_view line : split_lines(block.text)) {
      const auto begins = [line](std::string_view word) { return line.starts_with(word); };
      if (any_listed(kPlain, begins)) lines.push_back(line);
    }
  }
  for (const std::string_view line : lines) old.insert(trim(line));
  lines = split_lines(now);
  return std::any_of(lines.begin(), lines.end(), [&](std::string_view line) {
    const bool is_new = !old.contains(trim(line)) && !trim(line).starts_with('#');
    return is_new && !has_none_of(identifiers_of(line), names);
  });
}

Blocks blocks_of(std::string_view path, std::string_view text, InlineTests tests) {
  Blocks blocks = test_blocks(path, text);
  if (tests == InlineTests::kWithoutExamples) {
    std::erase_if(blocks,
                  [](const TestBlock& block) { return block.kind == TestBlock::Kind::kExample; });
  }
  return blocks;
}

}  // namespace

bool keeps_inline_tests(std::string_view path, std::string_view before, std::string_view now,
                        InlineTests tests) {
  const Blocks known = blocks_of(path, before, tests);
  if (known.empty()) return true;
  const Blocks later = blocks_of(path, now, tests);
  NameSet used;
  for (const TestBlock& block : known) {
    for (const std::string_view name : identifiers_of(block.text)) used.insert(name);
  }
  // The known tests stay in order, so each new one is compared with the next of them.
  std::size_t at = 0;
  for (const TestBlock& block : later) {
    if (at < known.size() && block == known[at]) {
      ++at;
    } else if (!is_in_new_group(block, known) && !may_add(path, block, used)) {
      return false;
    }
  }
  if (at < known.size()) return false;
  const bool has_items = std::any_of(known.begin(), known.end(), [](const TestBlock& block) {
    return block.kind == TestBlock::Kind::kItem;
  });
  return !path.ends_with(".py") || !has_items || !touches_tests(known, later, before, now);
}

}  // namespace pedro
