#include "agent/inline_tests.h"

#include <algorithm>
#include <set>

#include "base/text.h"

namespace pedro {
namespace {

// Modules of test runners, as the sources of a language name them.
constexpr std::string_view kRunnerWords[] = {"unittest",  "pytest", "_pytest", "\"testing\"",
                                             "node:test", "vitest", "mocha",   "@jest/",
                                             "doctest",   "nose"};

bool is_python(std::string_view path) {
  return path.ends_with(".py");
}

bool imports_runner(std::string_view text) {
  for (const std::string_view line : split_lines(text)) {
    const bool is_import = line.find("import") != line.npos || line.find("require") != line.npos ||
                           trim(line).starts_with('"');
    if (!is_import) continue;
    for (const std::string_view word : kRunnerWords) {
      if (line.find(word) != line.npos) return true;
    }
  }
  return false;
}

// Returns the lines of tests. Rust's go from the first test attribute on, Python's from a prompt to
// the next blank line.
std::multiset<std::string> inline_test_lines(std::string_view path, std::string_view text) {
  std::multiset<std::string> lines;
  bool is_inside = false;
  for (const std::string_view whole : split_lines(text)) {
    const std::string_view line = trim(whole);
    if (is_python(path)) {
      is_inside = line.starts_with(">>> ") || (is_inside && !line.empty());
    } else {
      is_inside = is_inside || line.starts_with("#[cfg(test)]") || line.starts_with("#[test]") ||
                  line.starts_with("#[tokio::test");
    }
    if (is_inside && !line.empty()) lines.emplace(line);
  }
  return lines;
}

}  // namespace

bool keeps_inline_tests(std::string_view path, std::string_view before, std::string_view now) {
  if (!path.ends_with(".rs") && !is_python(path)) return true;
  const auto earlier = inline_test_lines(path, before);
  const auto later = inline_test_lines(path, now);
  return std::includes(later.begin(), later.end(), earlier.begin(), earlier.end());
}

bool newly_uses_runner(std::string_view path, std::string_view before, std::string_view now) {
  constexpr std::string_view kExtensions[] = {".py", ".go", ".js", ".mjs", ".cjs", ".ts"};
  const bool is_known = std::any_of(std::begin(kExtensions), std::end(kExtensions),
                                    [&](auto extension) { return path.ends_with(extension); });
  return is_known && imports_runner(now) && !imports_runner(before);
}

}  // namespace pedro
