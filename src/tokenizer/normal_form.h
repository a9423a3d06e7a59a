#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace pedro {

/// A Unicode normalization form, applied before the text is cut.
enum class NormalForm : std::uint8_t {
  kNone,  ///< text is unchanged
  kC,     ///< form C: composed characters
  kKC,    ///< form KC: also replaces compatibility characters (fullwidth letters, ligatures)
};

/// Returns true if normalized() may change the text. If false, it does not.
bool may_change(std::string_view text, NormalForm form);

/// Normalizes the text. Bytes that are not UTF-8 stay unchanged. Takes linear time, even for long
/// runs of combining marks.
std::string normalized(std::string_view text, NormalForm form);

}  // namespace pedro
