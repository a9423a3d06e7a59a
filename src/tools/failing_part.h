#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace pedro {

/// Extracts the part of a build or test output that a fix needs, at most `max_bytes`: lines with
/// `file:line` and the words that compilers and test runners use for failure come first, with the
/// lines around them; then the tail. Removes durations, so that the same failure has the same text.
std::string failing_part(std::string_view output, std::size_t max_bytes);

/// True if compilers and test runners report a failure in this line.
bool tells_failure(std::string_view line);

/// A place in a file, as an output names it.
struct OutputPlace {
  std::string_view path;  ///< points into the line
  long long line = 0;     ///< from 1
};

/// Finds the first place in a line of output: "a.cc:12", "a.cc(12)", "\"a.py\", line 12".
std::optional<OutputPlace> first_place(std::string_view line);

}  // namespace pedro
