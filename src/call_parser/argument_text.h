#pragma once

#include <string>
#include <string_view>

namespace pedro {

/// Returns the JSON object that the arguments of a call contain for certain; "" if there is none.
/// Servers and models put more around it:
///
/// - nothing at all, which is {}
/// - {} before it, or the same object again
/// - its own beginnings before it, from a server that repeats a stream
/// - a fence of a code block, a list with one element
/// - after it: closing tags, tokens like <|end|>, brackets without an opening one
///
/// O(bytes) for each beginning, of which at most 64 are tried.
std::string only_object_in(std::string_view arguments);

}  // namespace pedro
