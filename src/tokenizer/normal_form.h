#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace pedro {

/// What a text is brought into before it is cut, so that one text has one spelling.
enum class NormalForm : std::uint8_t {
  kNone,  ///< text stays as it is
  kC,     ///< Unicode's normal form C: characters composed
  kKC,    ///< KC: also what only looks different made the same (fullwidth letters, ligatures)
};

/// True where normalized() may change the text; where it is false, it does not.
bool may_change(std::string_view text, NormalForm form);

/// The text in the normal form. What is no UTF-8 stays as it is. Linear in the text, also where
/// marks pile up.
std::string normalized(std::string_view text, NormalForm form);

}  // namespace pedro
