#pragma once

#include <string>
#include <string_view>

namespace pedro {

/// The text of an HTML page: without tags, scripts, styles and comments, a line for each block, the
/// common character references read. Takes anything; never longer than `html` by much.
std::string html_to_text(std::string_view html);

}  // namespace pedro
