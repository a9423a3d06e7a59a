#pragma once

#include <string_view>

namespace pedro {

/// The kinds of tests inside sources that the checks run.
enum class InlineTests { kAll, kWithoutExamples };

/// Returns true if each test inside a source file (see test_blocks()) is still there, and nothing
/// was added that could change its meaning: a name that it uses, or statements about its class.
/// Further tests may be added. True for files without tests. The tests cannot be exchanged for
/// those of the base without the source around them.
bool keeps_inline_tests(std::string_view path, std::string_view before, std::string_view now,
                        InlineTests tests = InlineTests::kAll);

}  // namespace pedro
