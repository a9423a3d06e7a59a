#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace pedro {

/// A part of a text.
struct TextRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// The private key in PEM of which a line stands at `at`, which is where "-----" does: from its
/// first line to its last. Without an end, as where a text was cut, it goes on as long as lines
/// could be a key's; without a beginning it goes back as far, but not before `from`. Lines may have
/// numbers, quotes or the marks of a diff beside them. Nothing where there is no private key.
std::optional<TextRange> private_key_at(std::string_view text, std::size_t at, std::size_t from);

/// The lines of base64 between the first and the last line of the private keys in `text`. What is
/// public there, as a certificate, has none.
std::vector<std::string_view> private_key_lines(std::string_view text);

}  // namespace pedro
