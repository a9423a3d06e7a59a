#include "agent/runner_use.h"

#include <algorithm>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "agent/check_names.h"
#include "agent/code_text.h"
#include "agent/runner_decisions.h"
#include "agent/test_blocks.h"
#include "base/text.h"
#include "sys/file_system.h"
#include "tools/language.h"
#include "tools/test_names.h"
#include "tools/word_list.h"

namespace pedro {
namespace {

// Modules of test runners, as the sources of a language name them.
constexpr std::string_view kRunnerWords[] = {"unittest", "pytest", "\"testing\"", "node:test",
                                             "vitest",   "mocha",  "@jest/",      "doctest",
                                             "nose",     "nose2"};
constexpr std::string_view kScriptExtensions = "|.py|.go|.js|.mjs|.cjs|.ts|.mts|.cts|.tsx|.jsx|";
constexpr std::string_view kMacroExtensions =
    "|.rs|.c|.h|.cc|.cpp|.cxx|.c++|.hh|.hpp|.hxx|.h++|.inl|.ipp|.inc|.def|.m|.mm|";
// Texts that reach a loaded runner without an import, end its process, or identify a test run by
// themselves. Examples: variables of a runner, locals of callers.
constexpr std::string_view kReaches =
    "|sys.modules|gc.get_objects|gc.get_referrers|sys.settrace|sys.setprofile|__builtins__"
    "|import builtins|import __main__|sys.meta_path|__subclasses__|.__code__ =|f_locals|f_globals"
    "|getargvalues|require.cache|reallyExit|process.binding|getBuiltinModule|prepareStackTrace"
    "|testing.Testing(|flag.Lookup(\"test|cfg!(test|cfg(not(test|__assert_fail|/proc/self|/proc/%d"
    "|PYTEST_|NODE_TEST_CONTEXT|JEST_WORKER|VITEST|MOCHA|HARNESS_ACTIVE|HARNESS_VERSION"
    "|MESON_|MAKELEVEL|MAKEFLAGS|GOFLAGS|CTEST_|npm_lifecycle|\"-test.|";
constexpr std::string_view kSourceExtensions = "|.java|.kt|.rb|.php|.pl|.pm|.sh|.bash|.lua|";

// Names that only tests and their libraries define, and words of C.
constexpr std::string_view kAssertionNames =
    "|assert|assert_eq|assert_ne|debug_assert|debug_assert_eq|debug_assert_ne|assert_matches|panic"
    "|static_assert|ASSERT|CHECK|EXPECT|REQUIRE|TEST|TEST_F|TEST_P|TEST_CASE|SUBCASE|SECTION"
    "|SCENARIO|NDEBUG|QCOMPARE|QVERIFY|RUN_TEST|main|exit|_exit|abort|strcmp|strncmp|memcmp|if"
    "|else|while|for|return|int|";
constexpr std::string_view kAssertionStarts =
    "|ASSERT_|EXPECT_|REQUIRE_|CHECK_EQ|CHECK_NE|CHECK_FALSE|CHECK_THROWS|TEST_ASSERT|BOOST_CHECK"
    "|BOOST_REQUIRE|BOOST_TEST|ck_assert|cr_assert|g_assert|CU_ASSERT|XCTAssert|assert_|";

bool names_runner(std::string_view line) {
  return std::any_of(std::begin(kRunnerWords), std::end(kRunnerWords), [line](auto word) {
    const bool is_plain = word.find_first_of("\":@") == word.npos;
    return is_plain ? has_whole_words(line, word) : line.find(word) != line.npos;
  });
}

bool is_import_line(std::string_view line) {
  return line.find("import") != line.npos || line.find("require") != line.npos ||
         trim(line).starts_with('"');
}

bool imports_runner(std::string_view text) {
  const auto lines = split_lines(text);
  return std::any_of(lines.begin(), lines.end(),
                     [](auto line) { return is_import_line(line) && names_runner(line); });
}

// Returns true if a line of a shell script gives another meaning to a command of tests.
bool replaces_command(std::string_view line) {
  constexpr std::string_view kCommands = "|diff|cmp|grep|test|[|exit|cat|command|return|set|trap|";
  line = trim(line);
  if (line.starts_with("function ")) line = trim(line.substr(9));
  if (line.starts_with("alias ")) return is_listed(kCommands, line.substr(6, line.find('=') - 6));
  const std::size_t open = line.find("()");
  return open != line.npos && is_listed(kCommands, trim(line.substr(0, open)));
}

// Counts the lines that reach the runner, and the decisions by the program that runs. A forked
// child may end its own process.
std::size_t runner_uses(std::string_view path, std::string_view text, bool is_shell) {
  const bool forks = text.find("os.fork") != text.npos;
  const std::string code = replace_all(without_comments(path, text), "sys.modules[__name__]", "");
  const auto reaching = std::ranges::count_if(split_lines(code), [&](std::string_view line) {
    return has_any(line, kReaches) || (!forks && line.find("os._exit") != line.npos) ||
           (is_shell && replaces_command(line));
  });
  return static_cast<std::size_t>(reaching) + runner_decisions(path, text);
}

// Joins continued lines of C and removes comments.
std::string joined_c(std::string_view text) {
  std::string joined = replace_all(replace_all(text, "\\\r\n", " "), "\\\n", " ");
  for (std::size_t at = joined.find("/*"); at != joined.npos; at = joined.find("/*", at + 1)) {
    const std::size_t end = joined.find("*/", at + 2);
    joined.replace(at, end == joined.npos ? joined.npos : end + 2 - at, " ");
  }
  return joined;
}

std::string_view leading_name(std::string_view text) {
  const auto is_name = [](char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return text.substr(
      0, static_cast<std::size_t>(std::ranges::find_if_not(text, is_name) - text.begin()));
}

// Returns the text after "#define" or "#undef"; "" for other lines.
std::string_view c_definition(std::string_view line) {
  line = trim(line);
  for (const std::string_view mark : {"#", "%:", "?\?="}) {
    if (!line.starts_with(mark)) continue;
    line = trim(line.substr(mark.size()));
    const std::string_view word = leading_name(line);
    return word == "define" || word == "undef" ? trim(line.substr(word.size())) : "";
  }
  return "";
}

// Returns the macro definitions in a text of C or Rust: the name and the rest of the line.
std::set<std::string> macro_definitions(std::string_view text) {
  std::set<std::string> definitions;
  const std::string joined = joined_c(text);
  for (const std::string_view line : split_lines(joined)) {
    const std::string_view words = trim(line);
    std::string_view definition = c_definition(line);
    for (const std::string_view word : {"pub macro ", "macro "}) {  // of Rust
      if (words.starts_with(word)) definition = trim(words.substr(word.size()));
    }
    if (!definition.empty()) definitions.emplace(definition);
  }
  constexpr std::string_view kRules = "macro_rules";
  for (std::size_t at = joined.find(kRules); at != joined.npos; at = joined.find(kRules, at + 1)) {
    std::string_view rest = trim(std::string_view(joined).substr(at + kRules.size()));
    if (!rest.starts_with('!')) continue;
    rest = trim(rest.substr(1));
    definitions.emplace(rest.substr(0, rest.find('\n')));
  }
  return definitions;
}

// Returns true for an import of Rust that gives the name of an assertion to something else.
bool imports_assertion(std::string_view line) {
  line = trim(line);
  if (!line.starts_with("use ") && !line.starts_with("pub use ")) return false;
  std::string names(line);
  std::replace_if(
      names.begin(), names.end(), [](char c) { return std::string_view(":{},;").find(c) < 5; },
      ' ');
  const auto words = split(names, ' ');
  return std::any_of(words.begin(), words.end(), [](auto word) {
    return word.find("assert") != word.npos && is_listed(kAssertionNames, word);
  });
}

// Returns the names of the functions that a script defines, in the forms of shells, Perl, Ruby and
// Lua.
std::set<std::string> script_functions(std::string_view text) {
  std::set<std::string> names;
  for (std::string_view line : split_lines(text)) {
    line = trim(line);
    bool has_word = false;
    for (const std::string_view word : {"local ", "function ", "sub ", "def "}) {
      if (!line.starts_with(word)) continue;
      line = trim(line.substr(word.size()));
      has_word = has_word || word != "local ";
    }
    line = line.substr(line.starts_with("main::") ? 6 : 0);
    const std::string_view name = leading_name(line);
    const bool is_head = has_word || trim(line.substr(name.size())).starts_with("()");
    if (is_head && !name.empty()) names.emplace(name);
  }
  return names;
}

// Returns true for a function with the name of an assertion that returns no value, or asserts. The
// `expect` of a parser returns a token. `lines` begin at its head.
bool is_assertion_function(std::span<const std::string_view> lines) {
  constexpr std::string_view kFunctions = "|def assert|def expect|function assert|function expect|";
  if (!has_any(lines[0], kFunctions)) return false;
  bool returns_value = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view line = trim(lines[i]);
    if (i > 0 && !line.empty() && indent_of(lines[i]) <= indent_of(lines[0])) break;
    const std::size_t value = line.find("return ");
    const bool is_object = value != line.npos && trim(line.substr(value + 6)).starts_with('{');
    returns_value = returns_value || (value != line.npos && !is_object);
    if (has_any(line, "|assert |assert.|assert(|AssertionError|.fail(|")) return true;
  }
  return !returns_value;
}

// Returns true if the name of a module or its functions show that it has assertions.
bool defines_assertions(std::string_view path, std::string_view text) {
  const std::string name = to_lower(base_name(path));
  if (name.find("assert") != name.npos) return text.find("assert") != text.npos;
  constexpr std::string_view kHelpers = "|helper|helpers|support|testing|";
  const bool is_helper =
      is_listed(kHelpers, name.substr(0, name.find('.'))) || path.find("testing/") != path.npos;
  if (!is_helper) return false;
  const auto lines = split_lines(text);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (is_assertion_function(std::span(lines).subspan(i))) return true;
  }
  return false;
}

}  // namespace

bool newly_uses_runner(std::string_view path, std::string_view before, std::string_view now) {
  const std::string_view extension = extension_of(path);
  const bool is_script = is_listed(kScriptExtensions, extension);
  if (is_script && imports_runner(now) && !imports_runner(before)) return true;
  const bool is_shell = is_shell_script(path, now);
  const bool is_source = is_script || is_shell || is_listed(kMacroExtensions, extension) ||
                         is_listed(kSourceExtensions, extension);
  return is_source && runner_uses(path, now, is_shell) > runner_uses(path, before, is_shell);
}

bool newly_names_tests(std::string_view path, std::string_view before, std::string_view now,
                       const std::set<std::string>& paths) {
  const bool is_source = has_program_extension(path) || now.starts_with("#!");
  if (!is_source || is_test_name(path)) return false;
  const std::string code_before = without_comments(path, before);
  const std::string code = without_comments(path, now);
  const auto lines_before = split_lines(code_before);
  const std::set<std::string_view> known(lines_before.begin(), lines_before.end());
  std::set<std::string, std::less<>> words;
  for (const std::string_view line : split_lines(code)) {
    if (known.contains(line)) continue;
    for (std::string_view word : runs_of(line, is_path_byte)) {
      if (word.starts_with("./")) word.remove_prefix(2);
      words.emplace(word);
    }
  }
  return std::ranges::any_of(paths, [&](const std::string& test) {
    const bool is_code = has_program_extension(test);
    const bool is_named = words.contains(test) || (is_code && words.contains(base_name(test)));
    return is_named && (is_expected_output(test) ||
                        is_test_name(words.contains(test) ? test : base_name(test)));
  });
}

bool redefines_function(std::string_view before, std::string_view now, std::string_view test) {
  const auto known = script_functions(before);
  const auto of_test = script_functions(test);
  return std::ranges::any_of(script_functions(now), [&](const std::string& name) {
    return !known.contains(name) && of_test.contains(name);
  });
}

bool is_test_helper(std::string_view path, std::string_view before) {
  if (!is_listed(kScriptExtensions, extension_of(path))) return false;
  if (!test_blocks(path, before).empty()) return false;
  if (defines_assertions(path, before)) return true;
  const auto lines = split_lines(before);
  return std::any_of(lines.begin(), lines.end(), [](std::string_view line) {
    const bool is_top = !line.starts_with(' ') || line.find("require") != line.npos;
    return is_top && is_import_line(line) && names_runner(line) &&
           !has_whole_words(line, "doctest");
  });
}

bool replaces_assertions(std::string_view path, std::string_view before, std::string_view now) {
  if (!is_listed(kMacroExtensions, extension_of(path))) return false;
  const auto lines_before = split_lines(before);
  const std::set<std::string_view> known(lines_before.begin(), lines_before.end());
  const auto lines = split_lines(now);
  if (std::ranges::any_of(lines, [&known](std::string_view line) {
        return !known.contains(line) && imports_assertion(line);
      })) {
    return true;
  }
  const std::set<std::string> defined_before = macro_definitions(before);
  return std::ranges::any_of(macro_definitions(now), [&](const std::string& definition) {
    if (defined_before.contains(definition)) return false;
    const std::string_view name = leading_name(definition);
    return is_listed(kAssertionNames, name) ||
           any_listed(kAssertionStarts, [name](auto start) { return name.starts_with(start); });
  });
}

}  // namespace pedro
