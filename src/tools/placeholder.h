#pragma once

#include <string_view>

#include "base/result.h"

namespace pedro {

/// Text that a tool shows instead of a file's bytes: U+FFFD for unprintable bytes, and notes such
/// as "[... 952 more bytes in this line]". It must not be written to a file.

/// Refuses `content` with such text, unless the text is also in `replaced`.
Status without_placeholders(std::string_view content, std::string_view replaced);

/// Returns a note for the heading of a view about text shown as U+FFFD, starting with "; "; "" if
/// there is none.
std::string_view unprintable_note(std::string_view text);

}  // namespace pedro
