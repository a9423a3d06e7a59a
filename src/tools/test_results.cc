#include "tools/test_results.h"

#include <algorithm>
#include <cassert>
#include <charconv>

#include "base/text.h"
#include "base/text_pattern.h"
#include "base/utf8.h"
#include "tools/run_noise.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxNames = 2000;
constexpr std::size_t kMaxNameBytes = 200;

// A match is the name of a failed test.
constexpr std::string_view kFailed =
    R"((?m)^(?:(?:FAILED|ERROR) \K[^\s:]+\.py\S*)"                 // pytest
    R"(|(?:FAIL|ERROR): \K\w+ \([\w.]+\))"                         // unittest
    R"(|\s{1,8}\d+ - \K\S+(?= \(\w))"                              // CTest
    R"(|\s{0,8}\d+/\d+ \K\S.*?(?=\s+(?:FAIL|ERROR|TIMEOUT)\b))"    // Meson
    R"(|\s{0,40}--- FAIL: \K\S+|FAIL\t\K\S+(?: \[\w+ failed\])?)"  // Go
    R"(|test \K\S+(?= \.\.\. FAILED$))"                            // Cargo
    R"(|\s{0,40}not ok \d+ (?:- )?\K\S.*)"                         // TAP
    R"(|\s{1,8}\d+\) \K\S.*)"                                      // Mocha
    R"(|\s{0,8}● \K\S.* › .*)"                                     // Jest
    R"(|\[ERROR\]\s+\K[\w.$]+\.\w+(?=[:» ]\d*))"                   // Surefire
    R"(|\S+ > \K\S.*(?= FAILED$))"                                 // Gradle
    R"(|rspec \K\S+))";

// A match shows that a test passed.
constexpr std::string_view kPassed =
    R"((?m)^(?:.*\b[1-9]\d* (?:passed|passing)\b)"              // pytest, Cargo, Jest, Mocha
    R"(|[1-9]\d?% tests passed)"                                // CTest
    R"(|Ok:\s+[1-9])"                                           // Meson
    R"(|\s{0,40}--- PASS: |ok\s+\S+\s+(?:[\d.]+s|\(cached\)))"  // Go
    R"(|\s{0,40}ok \d+|(?:#|ℹ) pass [1-9]))";                   // TAP

// A match is the number of all tests that ran: unittest, Surefire, Gradle, RSpec.
constexpr std::string_view kTotal =
    R"((?m)^(?:Ran \K\d+(?= tests? in)|.*Tests run: \K\d+|\K\d+(?= (?:tests? completed|examples?),)))";

TextPattern compiled(std::string_view pattern) {
  Result<TextPattern> made = TextPattern::compile(pattern, TextPattern::Unit::kByte);
  assert(made.ok());
  return *std::move(made);
}

std::vector<std::string_view> matches(const TextPattern& pattern, std::string_view text) {
  std::vector<TextRange> ranges;
  (void)pattern.find_all(text, ranges);  // the matches before a limit count
  std::vector<std::string_view> found;
  for (const TextRange& range : ranges) {
    found.push_back(text.substr(range.begin, range.end - range.begin));
  }
  return found;
}

long long largest_number(const std::vector<std::string_view>& texts) {
  long long largest = 0;
  for (const std::string_view text : texts) {
    long long number = 0;
    (void)std::from_chars(text.data(), text.data() + text.size(), number);
    largest = std::max(largest, number);
  }
  return largest;
}

}  // namespace

TestResults read_test_results(std::string_view output) {
  static const TextPattern failed = compiled(kFailed);
  static const TextPattern passed = compiled(kPassed);
  static const TextPattern total = compiled(kTotal);
  TestResults results;
  for (const std::string_view match : matches(failed, output)) {
    results.failed.push_back(without_run_noise(truncate_utf8(match, kMaxNameBytes)));
  }
  std::sort(results.failed.begin(), results.failed.end());
  results.failed.erase(std::unique(results.failed.begin(), results.failed.end()),
                       results.failed.end());
  results.any_passed =
      !matches(passed, output).empty() ||
      largest_number(matches(total, output)) > static_cast<long long>(results.failed.size());
  if (results.failed.size() > kMaxNames) results.failed.clear();
  return results;
}

}  // namespace pedro
