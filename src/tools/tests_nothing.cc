#include "tools/tests_nothing.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "base/utf8.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxReasonBytes = 200;
constexpr int kNotExecutable = 126;  // exit codes of a shell
constexpr int kNotFound = 127;

// Messages of test runners that found no tests.
constexpr std::string_view kNoTests[] = {
    "no tests were found", "collected 0 items", "no tests ran",    "ran 0 tests",
    "no tests found",      "missing script",    "no tests defined"};
// Ends of messages about commands that a Makefile or a script could not start.
constexpr std::string_view kNotStarted[] = {"error 127", "error 126", ": command not found",
                                            "no rule to make target 'test'",
                                            "no rule to make target 'check'"};

std::string line_with(std::string_view output, std::string_view words) {
  for (const std::string_view line : split_lines(output)) {
    if (to_lower(line).find(words) == std::string::npos) continue;
    return std::string(trim(truncate_utf8(line, kMaxReasonBytes)));
  }
  return "";
}

// Returns true if `line` reports a missing module that the command names after "-m".
bool misses_runner(std::string_view command, std::string_view line) {
  const std::vector<std::string_view> words = split(command, ' ');
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (words[i] == "-m" && line.find(words[i + 1]) != line.npos) return true;
  }
  return false;
}

// Returns true if go or cargo found packages, but no tests.
bool has_only_empty_packages(std::string_view output) {
  bool is_empty = false;
  for (const std::string_view line : split_lines(output)) {
    const std::string_view text = trim(line);
    if (text.ends_with("[no test files]") || text == "running 0 tests") {
      is_empty = true;
    } else if (text.starts_with("ok ") || text.starts_with("FAIL") || text.starts_with("--- ") ||
               text.starts_with("running ") || text.starts_with("error")) {
      return false;
    }
  }
  return is_empty;
}

// Returns the only line of make if a file or folder with the target's name hides the target.
std::string hidden_target(std::string_view command, std::string_view output) {
  const std::string_view target = command.substr(command.rfind(' ') + 1);
  const std::string_view line = trim(output);
  const std::string end = fmt::format("'{}' is up to date.", target);
  return line.starts_with("make") && line.ends_with(end) && line.find('\n') == line.npos
             ? std::string(line)
             : "";
}

}  // namespace

std::string tests_nothing(std::string_view command, std::string_view output, int exit_code) {
  if (exit_code == kNotFound || exit_code == kNotExecutable) {
    const std::string line = line_with(output, "not found");
    return line.empty() ? fmt::format("exit {}", exit_code) : line;
  }
  for (const std::string_view words : kNoTests) {
    std::string line = line_with(output, words);
    // pytest collects nothing from a file that it cannot import.
    const bool is_broken = words.starts_with("collected") && line.find("error") != line.npos;
    if (!line.empty() && !is_broken) return line;
  }
  if (exit_code != 0) {
    for (const std::string_view words : kNotStarted) {
      if (std::string line = line_with(output, words); !line.empty()) return line;
    }
    std::string line = line_with(output, "no module named ");
    if (!line.empty() && misses_runner(command, line)) return line;
  }
  if (std::string line = hidden_target(command, output); !line.empty()) return line;
  return has_only_empty_packages(output) ? "no test files" : "";
}

}  // namespace pedro
