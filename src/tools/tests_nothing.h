#pragma once

#include <string>
#include <string_view>

namespace pedro {

/// Returns the reason why a run of a check tested nothing: a missing program or test runner module,
/// or no tests. "" for a real check, whether it passes or fails.
///
///     tests_nothing("pytest -q", "collected 0 items", 5)  // "collected 0 items"
std::string tests_nothing(std::string_view command, std::string_view output, int exit_code);

}  // namespace pedro
