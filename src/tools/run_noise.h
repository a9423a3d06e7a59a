#pragma once

#include <string>
#include <string_view>

namespace pedro {

/// Removes parts of an output line that differ between runs or only control the terminal. These are
/// colors (ECMA-48 control sequences), text overwritten after a carriage return, and trailing
/// blanks. Also durations printed by build tools and test runners ("(0.02 s)", "in 1.3s",
/// "   0.01 sec"). Keeps durations inside sentences: the failure may be about them.
std::string without_run_noise(std::string_view line);

}  // namespace pedro
