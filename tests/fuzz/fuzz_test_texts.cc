// Reads any bytes as a test file, and its halves as two versions of one, in each language. Changed
// literals keep the number of lines. A file that does not change keeps its tests.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "agent/asked_tests.h"
#include "agent/failing_texts.h"
#include "agent/kept_tests.h"
#include "agent/known_failures.h"
#include "agent/other_expectations.h"
#include "agent/other_literals.h"
#include "agent/runner_use.h"
#include "base/text.h"
#include "fuzz/require.h"

namespace {

using namespace pedro;

constexpr const char* kPaths[] = {"test_a.py", "a_test.go", "a.test.js",     "tests/a.rs",
                                  "a_test.cc", "t.c",       "ATest.java",    "t/a.t",
                                  "test.sh",   "Makefile",  "CMakeLists.txt"};
constexpr std::size_t kMaxNames = 50;

// Returns names as a test runner prints them.
std::vector<std::string> names_in(std::string_view text) {
  std::vector<std::string> names;
  for (std::size_t at = 0; at < text.size() && names.size() < kMaxNames; ++at) {
    std::size_t end = at;
    while (end < text.size() && is_word_byte(text[end])) ++end;
    if (end > at) names.emplace_back(text.substr(at, end - at));
    at = end;
  }
  return names;
}

void require_same_lines(const std::map<std::string, std::string>& others, std::string_view text) {
  for (const auto& [path, other] : others) {
    require(other != text, "a changed text is the same", text);
    require(std::ranges::count(other, '\n') == std::ranges::count(text, '\n'),
            "a change of literals has other lines", text);
  }
}

void change(const std::string& path, const std::string& text) {
  const std::map<std::string, std::string> texts = {{path, text}};
  require_same_lines(other_expectations(texts, names_in(text)).texts, text);
  require_same_lines(other_literals(texts), text);
  (void)canary_texts(texts);
  (void)failing_start(path, text);
  (void)is_test_program(path, text);
  (void)is_test_helper(path, text);
  const auto base = [&text](const std::string&) { return text; };
  (void)are_asked_tests(text, {path}, base);
  (void)are_named_helpers(text, {path}, base);
  require(keeps_inline_tests(path, text, text), "an equal file has lost tests", text);
  require(!newly_uses_runner(path, text, text), "an equal file newly uses a runner", text);
}

void compare(const std::string& path, std::string_view before, std::string_view now) {
  (void)keeps_inline_tests(path, before, now);
  (void)keeps_inline_tests(path, before, now, InlineTests::kWithoutExamples);
  (void)keeps_test_program(path, before, now);
  (void)newly_uses_runner(path, before, now);
  (void)replaces_assertions(path, before, now);
  (void)only_adds_sources(path, before, now, {"a.c"});
  (void)FailingLines(now).improves(FailingLines(before));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const std::string_view view = text;
  for (const char* path : kPaths) {
    change(path, text);
    compare(path, view.substr(0, size / 2), view.substr(size / 2));
    compare(path, view.substr(0, size / 2), view);
  }
  return 0;
}
