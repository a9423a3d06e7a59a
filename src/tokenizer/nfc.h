#pragma once

#include <string>
#include <string_view>

namespace pedro {

/// True where to_nfc() may change the text; where it is false, it does not.
bool may_change_in_nfc(std::string_view text);

/// The text in Unicode's normal form C. What is no UTF-8 stays as it is. Linear in the text, also
/// where marks pile up.
std::string to_nfc(std::string_view text);

}  // namespace pedro
