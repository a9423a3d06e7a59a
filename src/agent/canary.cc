#include "agent/canary.h"

#include <algorithm>
#include <set>

#include "agent/check_names.h"
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

}  // namespace pedro
