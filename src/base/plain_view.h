#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pedro {

/// A text as a reader takes it.
struct PlainView {
  std::string text;
  std::vector<std::size_t> from;  ///< where each byte begins in the original
  std::vector<std::size_t> to;    ///< and where it ends there
};

/// `text` without the sequences that steer a terminal, also where make_printable() has been over
/// them, and without a '\' and the line end behind it; with what JSON, C and addresses escape in
/// ASCII as it is: `\u0041`, `\/`, `\n`, `\x41`, `%41`. Each once: what is escaped twice stays so.
/// Nothing where it has none of these.
std::optional<PlainView> plain_view(std::string_view text);

}  // namespace pedro
