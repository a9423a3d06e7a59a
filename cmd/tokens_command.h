#pragma once

#include "command.h"
#include "command_group.h"

namespace pedro {

/// Subcommands of `tokens`. Results go to stdout, messages to stderr.
CommandFunction add_tokens_count(CLI::App& command);
CommandFunction add_tokens_encode(CLI::App& command);
CommandFunction add_tokens_decode(CLI::App& command);
CommandFunction add_tokens_show(CLI::App& command);
CommandFunction add_tokens_compare(CLI::App& command);

/// Maximum input of encode, show and compare, in bytes. One GiB can be tokenized at once, and ids
/// require more memory than text.
inline constexpr std::uint64_t kMaxTokenInputBytes = 256u << 20;

}  // namespace pedro
