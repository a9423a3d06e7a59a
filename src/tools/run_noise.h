#pragma once

#include <string>
#include <string_view>

namespace pedro {

/// A line of a program's output without what differs from run to run or only steers a terminal:
/// colours (ECMA-48 control sequences), what a carriage return has overwritten, durations where
/// build tools and test runners print them ("(0.02 s)", "in 1.3s", "   0.01 sec"), and blanks at
/// the end. A duration inside a sentence stays: it may be what the failure is about.
std::string without_run_noise(std::string_view line);

}  // namespace pedro
