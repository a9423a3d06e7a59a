#include "tools/failing_part.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "base/text.h"
#include "base/utf8.h"
#include "tools/run_noise.h"

using namespace pedro;

TEST_CASE("failing_part: durations, colours and overwritten text are not part of a failure") {
  struct Row {
    const char* name;
    std::string line;
    std::string expected;
  };
  const Row rows[] = {
      {"ctest", "1/2 Test #1: parser ...........***Failed    0.01 sec",
       "1/2 Test #1: parser ...........***Failed"},
      {"ctest's sum", "Total Test time (real) =   0.02 sec", "Total Test time (real) ="},
      {"go", "--- FAIL: TestParse (0.00s)", "--- FAIL: TestParse"},
      {"go's package", "FAIL\texample.org/x\t0.003s", "FAIL\texample.org/x"},
      {"cargo", "test result: FAILED. 1 failed; finished in 0.03s",
       "test result: FAILED. 1 failed; finished in"},
      {"pytest", "===== 1 failed, 2 passed in 0.12s =====", "===== 1 failed, 2 passed in  ====="},
      {"googletest", "[  FAILED  ] Parser.Empty (12 ms)", "[  FAILED  ] Parser.Empty"},
      {"jest", "Time:        1.204 s", "Time:"},
      {"Maven", "Tests run: 1, Time elapsed: 0.05 s", "Tests run: 1, Time elapsed:"},
      {"a duration that is the failure", "expected 1.5s but got 2.5s",
       "expected 1.5s but got 2.5s"},
      {"a deadline in a sentence", "timeout after 30 s", "timeout after 30 s"},
      {"a number without a unit", "a.cc:12: exit 3", "a.cc:12: exit 3"},
      {"colours", "\x1b[31merror\x1b[0m: x", "error: x"},
      {"a progress line", "10%\r50%\rdone\r", "done"},
      {"a control character", "a\x07z", "a\xEF\xBF\xBDz"},
      {"a sequence that does not end", "a\x1b[12", "a"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    CHECK(without_run_noise(row.line) == row.expected);
  }
}

TEST_CASE("failing_part: a short output stays whole") {
  CHECK(failing_part("", 100) == "");
  CHECK(failing_part("\n\nbuilding\n\n\na.cc:1:2: error: x\n\n", 100) ==
        "building\n\na.cc:1:2: error: x");
}

namespace {

/// Surrounds `text` with `count` irrelevant lines before and after it.
std::string buried(std::string_view text, int count = 400) {
  std::string noise;
  for (int i = 0; i < count; ++i) noise += fmt::format("[{}/400] Building CXX object {}\n", i, i);
  return noise + std::string(text) + noise + "make: stopping\n";
}

}  // namespace

TEST_CASE("failing_part: finds the line with location and fault, at any position") {
  const char* lines[] = {
      "src/parser.cc:41:7: error: expected ';' before 'return'",
      "tests/parser_test.cc(12): ERROR: CHECK( 1 == 2 ) is NOT correct!",
      "  File \"tests/test_a.py\", line 3, in test_a",
      "E       assert 1 == 2",
      "    parser_test.go:10: got 1, want 2",
      "thread 'tests::a' panicked at src/lib.rs:5:9:",
      "/usr/bin/ld: a.o: undefined reference to `parse'",
      "    at Object.<anonymous> (src/a.test.js:4:17)",
      "AddressSanitizer: heap-use-after-free",
      "not ok 3 - parses an empty file",
      "***Exception: SegFault",
  };
  for (const char* line : lines) {
    CAPTURE(line);
    const std::string part = failing_part(buried(std::string(line) + "\n"), 1000);
    CHECK(part.size() <= 1000);
    CHECK(part.find(line) != std::string::npos);
    CHECK(part.ends_with("make: stopping"));
  }
}

TEST_CASE("failing_part: lines around a failure come with it, and gaps are marked") {
  const std::string part = failing_part(
      buried("a.cc: In function 'f':\na.cc:3:5: error: x\n    3 | y\n      | ^\n"), 400);
  CHECK(part.starts_with(
      "[...]\na.cc: In function 'f':\na.cc:3:5: error: x\n    3 | y\n      | ^\n"));
}

TEST_CASE("failing_part: warnings give way to errors, and the first errors come first") {
  std::string output;
  for (int i = 1; i <= 200; ++i) output += fmt::format("w.cc:{}:1: warning: unused\n", i);
  for (int i = 1; i <= 200; ++i) output += fmt::format("e.cc:{}:1: error: broken\n", i);
  const std::string part = failing_part(output, 1000);
  CHECK(part.find("e.cc:1:1: error") != std::string::npos);
  CHECK(part.find("e.cc:2:1: error") != std::string::npos);
  CHECK(part.find("e.cc:200:1: error") != std::string::npos);
  CHECK(part.find("w.cc:1:1") == std::string::npos);
}

TEST_CASE("failing_part: the same failure has the same text") {
  const auto run = [](const char* time) {
    return failing_part(buried(fmt::format("1/1 Test #1: a ...***Failed    {} sec\n", time)), 800);
  };
  CHECK(run("0.01") == run("12.50"));
}

TEST_CASE("failing_part: hostile output stays within its bound and its encoding") {
  const std::string outputs[] = {
      std::string(1 << 20, 'x'),
      std::string(1 << 20, '\n'),
      std::string(1 << 20, '\x1b'),
      std::string(1 << 19, '\xff'),
      buried(std::string(100000, ':') + "1"),
      [] {
        std::string text;
        while (text.size() < (1u << 20)) text += "(1s) error: \xE2\x82\xAC ";
        return text;
      }(),
  };
  for (const std::string& output : outputs) {
    for (const std::size_t limit : {std::size_t{0}, std::size_t{7}, std::size_t{500}}) {
      const std::string part = failing_part(output, limit);
      CHECK(part.size() <= limit);
      CHECK(is_valid_utf8(part));
    }
  }
}
