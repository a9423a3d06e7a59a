#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pedro {

/// Returns foreign text between two lines with a mark: "[issue 7 1c54d4fa begins]" and "[issue 7
/// 1c54d4fa ends]". The text cannot contain the mark and thus cannot pass as pedrocli's. The mark
/// depends on `what` and changes only if the text contains it. `what` is one line.
std::string marked(std::string_view what, std::string_view text);

/// Truncates a text with such pieces to about `max_bytes`. Shortens the longest pieces and the
/// texts between pieces in the middle (cut_middle() with `how`). Each keeps its marks and at least
/// 512 bytes, or its whole text if that is shorter.
std::string cut_marked(std::string_view text, std::size_t max_bytes, std::string_view how);

}  // namespace pedro
