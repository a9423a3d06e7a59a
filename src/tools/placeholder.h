#pragma once

#include <string_view>

#include "base/result.h"

namespace pedro {

/// Text that a tool shows instead of a file's own: U+FFFD for unprintable bytes, and notes such as
/// "[... 952 more bytes in this line]". It must not get into a file.

/// Refuses `content` that would replace `replaced` if only `content` has such text.
Status without_placeholders(std::string_view content, std::string_view replaced);

/// The kinds of text that are shown as U+FFFD, after "; ", for the heading of a view; "" for none.
std::string_view unprintable_note(std::string_view text);

}  // namespace pedro
