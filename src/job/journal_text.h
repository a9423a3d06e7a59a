#pragma once

#include <string>
#include <string_view>

#include "base/json.h"

namespace pedro {

/// A line of a journal as a person reads it, with its time (UTC) and a newline, printable; "" for
/// those that say nothing new to a person: what began and will be told when it ends, the words of a
/// reply, checkpoints, and types that are not known. Where a call failed, the first line of what it
/// answered follows. At most 300 bytes of each text.
std::string journal_text(const Json& event);

/// A call in one line: "file replace path="a.txt"". As it came: it may have any bytes.
std::string call_text(std::string_view tool, const Json& args);

}  // namespace pedro
