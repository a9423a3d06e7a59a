#include "agent/kept_tests.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "agent/check_names.h"
#include "agent/other_literals.h"
#include "agent/test_blocks.h"
#include "agent/word_index.h"
#include "base/text.h"
#include "sys/file_system.h"
#include "tools/function_bodies.h"
#include "tools/source_outline.h"
#include "tools/word_list.h"

namespace pedro {
namespace {

// Texts of programs that report failures themselves.
constexpr std::string_view kReports = "|fail|Fail|FAIL|Fatal|assert|expect|panic|";
constexpr int kMinIfs = 2;  // product code compares results with `if` too

// Returns true if a function belongs to the tests: `main`, helpers of assertions, and their users.
bool is_of_tests(const std::string& name, std::string_view text) {
  const auto lines = split_lines(text);
  return name == "main" || is_assertion(name + "(x == x, x);") ||
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

using SourceWords = std::vector<std::string_view>;

// Calls of CMake and Meson that make or configure one target.
constexpr std::string_view kTargetCalls =
    "|add_executable|add_library|add_test|target_link_libraries|target_include_directories"
    "|target_sources|";
constexpr std::string_view kNoLists = "|#|add_test|COMMAND|test(|$(shell|!=|";

std::string_view source_stem(std::string_view path) {
  const std::string_view name = base_name(path);
  return name.substr(0, name.rfind('.'));
}

SourceWords source_words(std::string_view line) {
  constexpr std::string_view kBetween = " \t\r,'\"()[]";
  SourceWords words;
  for (std::size_t at = line.find_first_not_of(kBetween); at != line.npos;) {
    const std::size_t end = std::min(line.find_first_of(kBetween, at), line.size());
    words.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(kBetween, end);
  }
  return words;
}

// Joins the lines of a list: continued ones of make, and those up to the closing bracket of others.
std::vector<std::string> whole_lines(std::string_view text, bool is_make) {
  std::vector<std::string> lines;
  std::ptrdiff_t open = 0;
  bool is_continued = false;
  for (const std::string_view line : split_lines(text)) {
    if (is_continued) {
      lines.back() += " " + std::string(trim(line));
    } else {
      lines.emplace_back(line);
    }
    const std::string_view code = line.substr(0, line.find('#'));
    for (const char c : {'(', '['}) open += std::ranges::count(code, c);
    for (const char c : {')', ']'}) open -= std::ranges::count(code, c);
    is_continued = is_make ? line.ends_with('\\') : open > 0;
    if (is_make && is_continued) lines.back().pop_back();
  }
  return lines;
}

/// The changes of a build file.
class SourceLists {
 public:
  SourceLists(bool is_make, std::string_view before, const std::set<std::string>& sources)
      : is_make_(is_make), old_words_(source_words(before)), sources_(sources) {}

  bool grow(const std::vector<std::string>& before, const std::vector<std::string>& now) const {
    std::size_t at = 0;
    for (std::size_t i = 0; i < now.size(); ++i) {
      if (at < before.size() && (now[i] == before[at] || grows(before[at], now[i]))) {
        ++at;
      } else if (!is_addition(now[i], i + 1 < now.size() ? now[i + 1] : "")) {
        return false;
      }
    }
    return at == before.size();
  }

 private:
  bool is_source(std::string_view word) const {
    if (word.find_first_of("-@") == 0 || word.find('=') != word.npos) return false;  // options
    const std::string_view end = word.substr(std::min(word.rfind('.'), word.size()));
    return std::ranges::any_of(sources_, [&](const std::string& source) {
      return base_name(source) == base_name(word) ||
             (is_listed("|.o|.obj|.lo|", end) && source_stem(source) == source_stem(word));
    });
  }

  bool are_sources(const SourceWords& words) const {
    return !words.empty() &&
           std::ranges::all_of(words, [this](auto word) { return is_source(word); });
  }

  // Returns true if `now` has the words of `before` in order, the same brackets, and more sources.
  bool grows(std::string_view before, std::string_view now) const {
    if (has_any(now, kNoLists)) return false;
    if (is_make_ && (now.starts_with('\t') || now.find('=') == now.npos)) return false;
    for (const char mark : {'(', ')', '[', ']', '{', '}'}) {
      if (std::ranges::count(now, mark) != std::ranges::count(before, mark)) return false;
    }
    for (const char mark : {'\'', '"'}) {
      if (std::ranges::count(now, mark) % 2 != 0) return false;
    }
    SourceWords added = source_words(now);
    for (auto word = added.begin(); const std::string_view old : source_words(before)) {
      word = std::find(word, added.end(), old);
      if (word == added.end()) return false;
      word = added.erase(word);
    }
    return are_sources(added);
  }

  // Returns true for a new line that makes a target: a rule of make for sources, or a call.
  bool is_addition(std::string_view line, std::string_view next) const {
    const std::string_view text = trim(line);
    if (text.empty()) return true;
    const SourceWords words = source_words(text);
    if (is_make_) {  // "b.o: b.c b.h"
      const std::size_t colon = text.find(": ");
      return !line.starts_with('\t') && !next.starts_with('\t') && colon != text.npos &&
             are_sources(source_words(text.substr(0, colon))) &&
             are_sources(source_words(text.substr(colon + 2)));
    }
    const bool is_call = text.ends_with(')') && std::ranges::count(text, '(') == 1 &&
                         std::ranges::count(text, ')') == 1 &&
                         text.find_first_of("#\"[]") == text.npos;
    if (words.size() < 2 || !is_listed(kTargetCalls, words[0]) || !is_call) return false;
    const std::string_view target = words[1] == "NAME" && words.size() > 2 ? words[2] : words[1];
    return std::ranges::find(old_words_, target) == old_words_.end();
  }

  bool is_make_;
  SourceWords old_words_;
  const std::set<std::string>& sources_;
};

}  // namespace

bool is_test_program(std::string_view path, std::string_view text) {
  if (!has_char_literals(path) || text.find("main(") == text.npos) return false;
  int calls = 0;
  int ifs = 0;
  for (const std::string_view line : split_lines(text)) {
    if (!compares_call(trim(line))) continue;
    const auto statements = statements_of(line);
    const bool has_if = std::ranges::any_of(
        statements, [](std::string_view statement) { return statement.starts_with("if"); });
    ++(has_if ? ifs : calls);
  }
  return calls > 0 || (ifs >= kMinIfs && has_any(text, kReports));
}

bool keeps_test_program(std::string_view path, std::string_view before, std::string_view now) {
  return lines_of_tests(path, before) == lines_of_tests(path, now);
}

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

bool only_adds_sources(std::string_view path, std::string_view before, std::string_view now,
                       const std::set<std::string>& sources) {
  const std::string name = to_lower(base_name(path));
  const bool is_make = is_listed("|makefile|gnumakefile|", name) || name.ends_with(".mk");
  if (!is_make && !is_listed("|cmakelists.txt|meson.build|", name)) return false;
  const SourceLists lists(is_make, before, sources);
  return !before.empty() && lists.grow(whole_lines(before, is_make), whole_lines(now, is_make));
}

}  // namespace pedro
