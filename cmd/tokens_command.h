#pragma once

#include "command.h"
#include "command_group.h"

namespace pedro {

/// The commands below `tokens`. What they are asked for goes to stdout, all else to stderr.
CommandFunction add_tokens_count(CLI::App& command);
CommandFunction add_tokens_encode(CLI::App& command);
CommandFunction add_tokens_decode(CLI::App& command);
CommandFunction add_tokens_show(CLI::App& command);
CommandFunction add_tokens_compare(CLI::App& command);

/// The most that encode, show and compare read of an input: a GiB is what can be tokenized in one
/// go, and ids take more room than text.
inline constexpr std::uint64_t kMaxTokenInputBytes = 256u << 20;

}  // namespace pedro
