#pragma once

#include <map>
#include <string>

namespace pedro {

/// Test files by path.
using TestTexts = std::map<std::string, std::string>;

/// Returns tests that must fail, by path: with other literals in their assertions, or without
/// assertions, with a failing end. With `has_canary`, omits tests that can have one, see canary.h.
TestTexts failing_texts(const TestTexts& texts, bool has_canary);

/// Returns the files with a failing start, or with a text that is no program. Checks that pass with
/// them do not run them.
TestTexts stopped_texts(const TestTexts& texts);

}  // namespace pedro
