#pragma once

#include <initializer_list>
#include <string>

namespace pedro {

/// A rank file of all bytes, followed by these tokens.
std::string rank_file(std::initializer_list<const char*> more);

}  // namespace pedro
