#pragma once

#include <string>
#include <string_view>

namespace pedro {

/// Returns the reason that a run of a check has tested nothing: a program or the module of a test
/// runner is missing, or there are no tests. "" for a real check, whether it passes or fails.
///
///     tests_nothing("python3 -m pytest -q", "No module named pytest", 1)  // "No module named
///     pytest"
std::string tests_nothing(std::string_view command, std::string_view output, int exit_code);

}  // namespace pedro
