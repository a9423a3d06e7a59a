#pragma once

#include <initializer_list>
#include <string>

namespace pedro {

/// A file of ranks with all bytes and, behind them, these tokens.
std::string rank_file(std::initializer_list<const char*> more);

}  // namespace pedro
