#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace pedro {

/// The character set that a page names itself in a <meta> of its first KiB, in lower case; "" where
/// it names none.
std::string charset_of_page(std::string_view html);

/// A text in UTF-8 of bytes in a character set, by its name in lower case: UTF-8 ("" too) or
/// windows-1252, which is also what the web takes iso-8859-1 and ASCII for
/// (https://encoding.spec.whatwg.org/#windows-1252). Nothing of any other, or where the bytes are
/// no text in it.
std::optional<std::string> decode_text(std::string_view bytes, std::string_view charset);

}  // namespace pedro
