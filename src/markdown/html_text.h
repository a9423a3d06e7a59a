#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace pedro {

/// Returns the text of an HTML page: one line per block, without tags, scripts, styles and
/// comments. Decodes the common character references. Accepts any bytes; the result is never much
/// longer than `html`.
std::string html_to_text(std::string_view html);

/// Returns the character set that a page declares in a <meta> of its first KiB. It is in lower
/// case; "" if there is none.
std::string charset_of_page(std::string_view html);

/// Decodes bytes in a character set to UTF-8. `charset` is a lower-case name: UTF-8 (or "") or
/// windows-1252. The web treats iso-8859-1 and ASCII as windows-1252
/// (https://encoding.spec.whatwg.org/#windows-1252). Returns nothing for another character set, for
/// invalid UTF-8 and for bytes with NUL.
std::optional<std::string> decode_text(std::string_view bytes, std::string_view charset);

}  // namespace pedro
