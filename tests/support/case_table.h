#pragma once

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "support/read_file.h"

namespace pedro {

/// A row of a table of cases. The line end before "----" and the empty line after the expected
/// lines do not belong to the row:
///
///   ==== NAME
///   INPUT, any bytes without such lines
///   ----
///   EXPECTED, lines of JSON
///
struct TableCase {
  std::string name;
  std::string input;
  std::vector<std::string> expected;  // non-empty lines
};

/// Reads a table. Throws, like read_file(), if a row has no "----".
inline std::vector<TableCase> read_case_table(const std::filesystem::path& path) {
  constexpr std::string_view kRow = "\n==== ";
  constexpr std::string_view kExpected = "\n----\n";
  const std::string text = "\n" + read_file(path);
  std::vector<TableCase> cases;
  for (std::size_t at = text.find(kRow); at < text.size();) {
    const std::size_t end = std::min(text.find(kRow, at + 1), text.size());
    const std::size_t input = text.find('\n', at + 1);
    const std::size_t expected = text.find(kExpected, input);
    if (expected >= end) throw std::runtime_error(path.string() + ": a row has no ----");
    TableCase one;
    one.name = text.substr(at + kRow.size(), input - at - kRow.size());
    if (expected > input) one.input = text.substr(input + 1, expected - input - 1);
    for (std::size_t line = expected + kExpected.size(); line < end;) {
      const std::size_t line_end = std::min(text.find('\n', line), end);
      if (line_end > line) one.expected.push_back(text.substr(line, line_end - line));
      line = line_end + 1;
    }
    cases.push_back(std::move(one));
    at = end;
  }
  return cases;
}

}  // namespace pedro
