#include "agent/failing_texts.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <vector>

#include "agent/check_names.h"
#include "agent/code_text.h"
#include "agent/other_literals.h"
#include "agent/task_files.h"
#include "base/text.h"
#include "sys/file_system.h"
#include "tools/language.h"
#include "tools/word_list.h"

namespace pedro {
namespace {

constexpr std::string_view kPython = R"(

import unittest as _pedrocli_unittest

class PedrocliCanary(_pedrocli_unittest.TestCase):
    def test_pedrocli_canary(self):
        self.assertEqual("pedrocli canary", "")

)";
// The test around an assertion.
constexpr std::string_view kJavaScript = R"(
;(typeof test === "function" ? test : it)("pedrocli canary", () => {
  )";
constexpr std::string_view kJavaScriptEnd = R"(
});
)";
constexpr std::string_view kGo = R"(
func TestPedrocliCanary(t *testing.T) { t.Fatal("pedrocli canary") }
)";
constexpr std::string_view kRust = R"(
#[test]
fn pedrocli_canary() { assert_eq!("pedrocli canary", ""); }
)";
constexpr std::string_view kCpp = R"(
TEST_CASE("pedrocli canary") { CHECK(false); }
)";

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != text.npos;
}

std::string with_end(std::string_view text, std::string_view end) {
  return std::string(text) + (text.ends_with('\n') ? "" : "\n") + std::string(end);
}

// Adds the test before the call of the main function, which may end the process.
std::string with_python(std::string_view text) {
  const std::size_t main = text.rfind("\nif __name__");
  if (main == text.npos) return with_end(text, kPython);
  return with_end(text.substr(0, main + 1), kPython) + std::string(text.substr(main + 1));
}

// Uses the assertion library of the file, so that a disabled library is noticed.
std::string with_javascript(std::string_view text) {
  const auto lines = split_lines(text);
  const bool is_module = std::ranges::any_of(lines, [](std::string_view line) {
    return line.starts_with("import ") || line.starts_with("export ");
  });
  std::string import;
  std::string assertion = R"(expect("pedrocli canary").toBe("");)";
  if (!has(text, "expect(")) {
    import = is_module ? "\nimport pedrocliAssert from \"node:assert\";\n"
                       : "\nconst pedrocliAssert = require(\"node:assert\");\n";
    assertion = R"(pedrocliAssert.strictEqual("pedrocli canary", "");)";
  }
  return with_end(text,
                  import + std::string(kJavaScript) + assertion + std::string(kJavaScriptEnd));
}

// Returns the name in the package clause of a Go file.
std::string package_of(std::string_view text) {
  for (const std::string_view line : split_lines(text)) {
    if (line.starts_with("package ")) return std::string(trim(line.substr(8)));
  }
  return "";
}

// Returns true if another text names the file: it may be a part of another test.
bool is_named_elsewhere(const TestTexts& texts, const std::string& path) {
  const std::string_view name = base_name(path);
  const std::string_view stem = name.substr(0, name.find('.'));
  return std::ranges::any_of(texts, [&](const auto& other) {
    return other.first != path && has_whole_words(other.second, stem);
  });
}

struct Start {
  std::string_view extensions;
  std::string_view interpreter;  // in a "#!" line
  std::string_view line;
};

// The function runs before constructors and `main`, in whatever file they are.
constexpr std::string_view kBeforeConstructors =
    "\nstatic void stop_at_start(void) { __builtin_trap(); }\n"
    "__attribute__((section(\".preinit_array\"), used)) static void (*stopped_at_start)(void) =\n"
    "    stop_at_start;\n";

// First lines. Python: linters accept an assigned name with underscores before imports. A test
// `a.t` is Perl's without a "#!" line. "sh" is last, because it is a part of "bash".
constexpr Start kStarts[] = {
    {"|py|", "python", "__stop__ = 1 / 0"},
    {"|js|cjs|ts|", "node", "if (Date.now() > 0) throw new Error();"},
    {"|pl|t|", "perl", "BEGIN { exit 1 }"},
    {"|rb|", "ruby", "exit 1 if $0"},
    {"|lua|", "lua", "if os then os.exit(1) end"},
    {"|sh|bash|", "sh", "test -z \"$PATH\" || exit 1"},
};

// Returns the index after the lines that must be first: "#!" and Python's "from __future__".
std::size_t after_first_lines(std::string_view text) {
  std::size_t at = text.starts_with("#!") ? std::min(text.find('\n'), text.size() - 1) + 1 : 0;
  const std::size_t future = text.rfind("\nfrom __future__ ");
  if (future != text.npos) at = std::min(text.find('\n', future + 1), text.size() - 1) + 1;
  return at;
}

// Returns the index after the '{' of the definition of `main`, or npos.
std::size_t body_of_main(std::string_view text) {
  for (std::size_t at = text.find("main("); at != text.npos; at = text.find("main(", at + 1)) {
    const std::size_t open = text.find_first_of("{;", at);
    const bool is_word = at == 0 || !is_word_byte(text[at - 1]);
    if (is_word && open != text.npos && text[open] == '{') return open + 1;
  }
  return text.npos;
}

// Returns the first statement of a failing `main`; "" for other languages. Compilers must not know
// that the next statements do not run.
std::string_view first_action(Language language) {
  switch (language) {
    case Language::kJava:
      return " System.exit(1);";
    case Language::kGo:
      return " if len(\"~\") > 0 { panic(\"~\") };";
    case Language::kRust:
      return " if std::env::args().count() < 999 { std::process::exit(1); }";
    default:
      return "";
  }
}

struct End {
  std::string_view extensions;
  std::string_view calls;   // functions that end the program
  std::string_view status;  // their argument; "{}" is the original one
  std::string_view line;    // the last line
};

// C prints too, since a check may compare the output only.
constexpr std::string_view kStatusOfC = "(__builtin_printf(\"~\\n\"), (void)({}), 1)";
constexpr End kEnds[] = {
    {"|py|", "|exit(|quit(|SystemExit(|_exit(|", "(({}), 1)[1]", "raise SystemExit(1)"},
    {"|js|cjs|mjs|ts|", "|exit(|", "(({}), 1)", "throw new Error();"},
    {"|pl|t|", "|exit(|", "(({}), 1)[1]", "exit 1;"},
    {"|rb|", "|exit(|exit!(|", "(({}); 1)", "exit 1"},
    {"|lua|", "|exit(|", "1", "os.exit(1)"},
    {"|sh|bash|", "", "", "exit 1"},
    {"|java|rs|", "|exit(|", "1 | ({})", ""},
    {"|go|", "|Exit(|", "1 | ({})", ""},
};
// Run when `main` returns. An earlier end of the process leaves them out.
constexpr std::string_view kEndOfGo = " defer func() { panic(\"~\") }();";
constexpr std::string_view kEndOfRust =
    " struct AtEnd; impl Drop for AtEnd { fn drop(&mut self) { std::process::exit(1) } }"
    " let _at_end = AtEnd;";
constexpr std::size_t kMaxArgumentBytes = 2000;
constexpr std::string_view kExitsOfC = "|exit(|_exit(|_Exit(|quick_exit(|";

// Replaces the arguments of calls of these functions.
std::string with_status(std::string_view text, std::string_view calls, std::string_view status) {
  std::string changed;
  std::size_t copied = 0;
  for (std::size_t open = text.find('('); open != text.npos; open = text.find('(', open + 1)) {
    std::size_t name = open;
    while (name > 0 && (is_word_byte(text[name - 1]) || text[name - 1] == '!')) --name;
    if (open < copied || !is_listed(calls, text.substr(name, open + 1 - name))) continue;
    const auto arguments = call_arguments(text.substr(open + 1, kMaxArgumentBytes));
    if (arguments.size() != 1) continue;
    const std::string_view argument = arguments.front();
    const std::size_t end =
        argument.empty()
            ? text.find(')', open)
            : static_cast<std::size_t>(argument.data() + argument.size() - text.data());
    changed += text.substr(copied, open + 1 - copied);
    changed += replace_all(status, "{}", argument.empty() ? "0" : argument);
    copied = end;
  }
  return changed += text.substr(copied);
}

// Gives each `exit` of a shell script the status 1.
std::string with_shell_status(std::string_view text) {
  constexpr std::string_view kExit = "exit";
  std::string changed;
  std::size_t copied = 0;
  for (std::size_t at = text.find(kExit); at != text.npos; at = text.find(kExit, at + 1)) {
    const std::size_t end = at + kExit.size();
    const bool is_word = (at == 0 || (!is_word_byte(text[at - 1]) && text[at - 1] != '-')) &&
                         (end == text.size() || !is_word_byte(text[end]));
    if (!is_word) continue;
    changed += text.substr(copied, end - copied);
    changed += " 1";
    copied = std::min(text.find_first_of(";\n)}&|", end), text.size());
  }
  return changed += text.substr(copied);
}

// Returns the index of the brace that closes the block whose inside begins at `begin`, or npos.
std::size_t closing_brace(std::string_view path, std::string_view text, std::size_t begin) {
  const std::string code = without_texts(path, text);
  int depth = 0;
  for (std::size_t at = begin; at < code.size(); ++at) {
    depth += code[at] == '{' ? 1 : 0;
    if (code[at] == '}' && depth-- == 0) return at;
  }
  return text.npos;
}

// Gives each `return` of `main` the status 1, and its end.
std::string with_status_of_main(std::string_view path, std::string_view text) {
  const Language language = language_of(path);
  const std::size_t begin = body_of_main(text);
  if (begin == text.npos) return "";
  std::string changed(text.substr(0, begin));
  if (language == Language::kGo) return changed.append(kEndOfGo).append(text.substr(begin));
  if (language == Language::kRust) return changed.append(kEndOfRust).append(text.substr(begin));
  const std::size_t close = closing_brace(path, text, begin);
  if (close == text.npos) return "";
  if (language == Language::kJava) {
    return std::string(text.substr(0, close)) + "if (true) System.exit(1); " +
           std::string(text.substr(close));
  }
  constexpr std::string_view kReturn = "return ";
  std::size_t copied = begin;
  for (std::size_t at = text.find(kReturn, begin); at < close; at = text.find(kReturn, at + 1)) {
    const std::size_t value = at + kReturn.size();
    const std::size_t end = std::min(text.find(';', value), close);
    changed += text.substr(copied, value - copied);
    changed += replace_all(kStatusOfC, "{}", text.substr(value, end - value));
    copied = end;
  }
  changed += text.substr(copied, close - copied);
  changed += "return " + replace_all(kStatusOfC, "{}", "0") + "; ";
  return changed += text.substr(close);
}

}  // namespace

std::string with_canary(std::string_view path, std::string_view text) {
  const std::string_view ending = extension_of(path);
  if (ending == ".py" && base_name(path) != "conftest.py") return with_python(text);
  constexpr std::string_view kScripts = "|.js|.mjs|.cjs|.ts|.mts|.cts|.jsx|.tsx|";
  const bool calls_test = has(text, "test(") || has(text, "it(");
  if (is_listed(kScripts, ending) && calls_test) return with_javascript(text);
  if (ending == ".go" && has(text, "\"testing\"")) return with_end(text, kGo);
  if (ending == ".rs" && has(text, "#[test]")) return with_end(text, kRust);
  if (language_of(path) == Language::kCpp && has(text, "TEST_CASE(")) return with_end(text, kCpp);
  return "";
}

std::map<std::string, std::string> canary_texts(const std::map<std::string, std::string>& texts) {
  std::map<std::string, std::string> changed;
  std::set<std::string> packages;  // of Go, with their folders
  for (const auto& [path, text] : texts) {
    if (changed.size() == kMaxCanaryFiles) break;
    std::string with = with_canary(path, text);
    const std::string package = std::string(folder_name(path)) + ":" + package_of(text);
    const bool is_second = path.ends_with(".go") && packages.contains(package);
    if (with.empty() || is_second) continue;
    packages.insert(package);
    changed[path] = std::move(with);
  }
  return changed;
}

bool names_canary(std::string_view output) {
  const std::string lower = to_lower(output);
  return has(lower, "pedrocli canary") || has(lower, "pedrocli_canary") ||
         has(lower, "pedroclicanary");
}

TestTexts failing_texts(const TestTexts& texts, bool has_canary) {
  TestTexts plain = texts;
  if (has_canary && !canary_texts(texts).empty()) {
    std::erase_if(plain, [](const auto& file) { return is_test_path(file.first); });
  }
  TestTexts others = other_literals(plain);
  for (const auto& [path, text] : plain) {
    if (others.contains(path) || is_named_elsewhere(texts, path)) continue;
    std::string ended = failing_end(path, text);
    if (!ended.empty()) others[path] = std::move(ended);
  }
  return others;
}

TestTexts ended_texts(const TestTexts& texts) {
  TestTexts ended;
  for (const auto& [path, text] : texts) {
    std::string failing = failing_end(path, text);
    if (!failing.empty()) ended[path] = std::move(failing);
  }
  return ended;
}

TestTexts stopped_texts(const TestTexts& texts) {
  TestTexts stopped;
  for (const auto& [path, text] : texts) {
    const std::string failing = failing_start(path, text);
    stopped[path] = failing.empty() ? "@@@ no program of any language ((\n" : failing;
  }
  return stopped;
}

std::string failing_start(std::string_view path, std::string_view text) {
  const Language language = language_of(path);
  std::string changed(text);
  if (language == Language::kC || language == Language::kCpp) {
    return changed.append(kBeforeConstructors);
  }
  if (const std::string_view action = first_action(language); !action.empty()) {
    const std::size_t body = body_of_main(text);
    return body == text.npos ? "" : changed.insert(body, action);
  }
  const bool is_script = language == Language::kJavaScript || language == Language::kTypeScript;
  if (is_script && ("\n" + changed).find("\nimport ") != text.npos) return "";  // these run first
  const std::string_view first = text.starts_with("#!") ? text.substr(0, text.find('\n')) : "";
  const std::string_view extension = path.substr(path.rfind('.') + 1);
  const auto is_it = [&](const Start& start) {
    return first.empty() ? is_listed(start.extensions, extension)
                         : first.find(start.interpreter) != first.npos;
  };
  const auto start = std::ranges::find_if(kStarts, is_it);
  if (start == std::end(kStarts)) return "";
  return changed.insert(after_first_lines(text), std::string(start->line) + "\n");
}

std::string failing_end(std::string_view path, std::string_view text) {
  const Language language = language_of(path);
  if (language == Language::kC || language == Language::kCpp) {
    return with_status_of_main(path, with_status(text, kExitsOfC, kStatusOfC));
  }
  const std::string_view extension = path.substr(path.rfind('.') + 1);
  const auto is_it = [&](const End& end) { return is_listed(end.extensions, extension); };
  const auto end = std::ranges::find_if(kEnds, is_it);
  if (end == std::end(kEnds)) return "";
  if (end->calls.empty()) return with_shell_status(text) + "\n" + std::string(end->line) + "\n";
  const std::string changed = with_status(text, end->calls, end->status);
  if (end->line.empty()) return with_status_of_main(path, changed);
  const std::size_t data = std::min(changed.find("\n__END__"), changed.find("\n__DATA__"));
  const std::size_t last = std::min(data, changed.size());
  return fmt::format("{}\n{}\n{}", changed.substr(0, last), end->line, changed.substr(last));
}

}  // namespace pedro
