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
  std::size_t head = 0;  ///< the line that names it, from 1
  LineRange body;        ///< after the head and a docstring; never empty
  LineRange whole;       ///< from the head to the end
};

/// The functions of a text, in order: by indentation in Python, by braces in other languages (a
/// shell's functions too, for kUnknown). Looks at lines, not at grammar: heads over more than ten
/// lines and functions of one line are missed, nested ones come after those around them. O(bytes).
std::vector<FunctionBody> function_bodies(Language language, const LineTable& table);

}  // namespace pedro
