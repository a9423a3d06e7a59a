#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/language.h"
#include "tools/line_table.h"

namespace pedro {

/// A function of a source file.
struct FunctionBody {
  std::string name;
  std::size_t head = 0;  ///< line of its name, from 1
  LineRange body;        ///< after the head and a docstring; never empty
  LineRange whole;       ///< from the head to the end
};

/// Finds a text's functions in order: by indentation in Python, by braces in other languages
/// (kUnknown: also shell functions). Misses heads over ten lines and one-line functions. Nested
/// functions follow the outer one. O(bytes).
std::vector<FunctionBody> function_bodies(Language language, const LineTable& table);

}  // namespace pedro
