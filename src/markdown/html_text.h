#pragma once

#include <string>
#include <string_view>

namespace pedro {

/// Returns the text of an HTML page: one line per block, without tags, scripts, styles and
/// comments. Decodes the common character references. Accepts any bytes; the result is never much
/// longer than `html`.
std::string html_to_text(std::string_view html);

}  // namespace pedro
