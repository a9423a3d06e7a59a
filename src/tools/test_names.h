#pragma once

#include <string_view>

namespace pedro {

/// Returns true for a test by its name or folders, as each language's common runners find them.
/// Examples: "test_a.py", "a.spec.js", "t/a.t", "CartTest.java", "src/integrationTest/", "tests/".
bool is_test_name(std::string_view path);

}  // namespace pedro
