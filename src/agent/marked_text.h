#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pedro {

/// What others wrote, between two lines with a mark that cannot stand in it, so that none of it
/// looks like ours: "[issue 7 1c54d4fa begins]" and "[issue 7 1c54d4fa ends]". Another text has
/// another mark only where it has to. `what` is one line.
std::string marked(std::string_view what, std::string_view text);

/// A text in which such pieces may stand, cut to about `max_bytes`: the longest pieces, and what
/// stands between pieces, give up their middles (cut_middle(), with `how`). No piece loses its
/// marks, nor more than all but 512 bytes.
std::string cut_marked(std::string_view text, std::size_t max_bytes, std::string_view how);

}  // namespace pedro
