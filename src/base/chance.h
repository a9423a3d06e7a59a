#pragma once

#include <string_view>

namespace pedro {

/// Whether a value that a name calls a secret looks like chance: at least 16 characters, two
/// letters, two digits, and 3.5 bits in each character (Shannon), or 3 where there are 32 of
/// hexadecimal, which has 4 at most.
bool looks_like_chance(std::string_view value);

/// Whether a string that nothing calls a secret looks random: whether lower case, upper case,
/// digits and what base64 has beside them follow each other as by chance. Nine in ten of 40 random
/// characters do; names in code, hashes in hexadecimal and ids do not.
bool is_random(std::string_view run);

}  // namespace pedro
