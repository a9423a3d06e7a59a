#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace pedro {

// The text that a model means where it writes lines as a tool or a chat shows them.

struct MeantText {
  std::string text;
  std::string repair;  ///< what was removed; "" if nothing was
};

/// Returns the content for the lines from `first_line` of a file with the text `before`. Removes:
///
/// - the numbers of shown lines, if they count from `first_line` and the file has none
/// - the fence of a code block around the whole text, unless the file is Markdown
/// - the escapes of line ends, if there is no other line end and the file has several lines
MeantText meant_content(std::string_view content, std::string_view before, std::size_t first_line,
                        std::string_view path);

/// An old text and its replacement in another form.
struct OtherForm {
  std::string old_text;
  std::string new_text;
  std::string repair;
};

/// Returns the forms of an old text that does not occur: without line numbers before a tab, a colon
/// or a bar, without escapes of line ends, and without entities of XML. O(bytes).
std::vector<OtherForm> other_forms(std::string_view old_text, std::string_view new_text);

}  // namespace pedro
