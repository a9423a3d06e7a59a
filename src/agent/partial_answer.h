#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace pedro {

/// Completes an answer with only a part of a file's functions, which small models write instead of
/// the whole file. Its functions replace those of the same names and types (classes, receivers).
/// New functions, and imports and constants that the file lacks, are added. Returns nullopt if the
/// answer has all functions of the file, or none at all.
///
///     completed_answer("a.py", "def f():\n    pass\n\n\ndef g():\n    return 1\n",
///                      "def f():\n    return 2\n")
///     // "def f():\n    return 2\n\n\ndef g():\n    return 1\n"
///
/// O(bytes), and O(functions) of both for each new or repeated name.
std::optional<std::string> completed_answer(std::string_view path, std::string_view file,
                                            std::string_view answer);

}  // namespace pedro
