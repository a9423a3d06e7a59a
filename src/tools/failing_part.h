#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace pedro {

/// Extracts the part of a build or test output that is needed for a fix, at most `max_bytes`. Lines
/// with `file:line` and failure words of compilers and test runners come first, with their context;
/// then the tail. Removes durations, so that equal failures have equal texts.
std::string failing_part(std::string_view output, std::size_t max_bytes);

/// Returns true if the line looks like a failure reported by a compiler or test runner.
bool tells_failure(std::string_view line);

/// A position in a file, named in an output.
struct OutputPlace {
  std::string_view path;  ///< points into the line
  long long line = 0;     ///< from 1
};

/// Returns the first position in a line of output: "a.cc:12", "a.cc(12)", "\"a.py\", line 12".
std::optional<OutputPlace> first_place(std::string_view line);

}  // namespace pedro
