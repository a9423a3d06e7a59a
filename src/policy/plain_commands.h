#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pedro::policy {

/// The words of a command, with quotes removed. Never empty.
using CommandWords = std::vector<std::string>;

inline constexpr std::size_t kMaxPlainBytes = 64 * 1024;
inline constexpr std::size_t kMaxPlainWords = 1000;

/// Returns the commands of a shell line: all that sh and bash can run of it, or more. The line
/// consists of words, quotes, `&&`, `||`, `;`, `|`, line ends and redirections to files or
/// descriptors. Returns nullopt for any other line: expansions, patterns, assignments, comments,
/// compounds, here-documents, background commands. Also returns nullopt for control characters,
/// invalid UTF-8, and lines over a limit.
///
///     plain_commands("cd a && make -k 2>&1 | tail")  // {{"cd", "a"}, {"make", "-k"}, {"tail"}}
///     plain_commands("rm $X")                        // nullopt
std::optional<std::vector<CommandWords>> plain_commands(std::string_view line);

}  // namespace pedro::policy
