#pragma once

#include <span>
#include <string>
#include <vector>

namespace pedro::policy {

/// Returns true if a command reads commands or code that its words do not show. Examples are
/// shells, `eval`, `xargs`, `python3 -c`, and builtins that change the meaning of later words
/// (`alias`).
bool reads_commands(std::span<const std::string> command);

/// Returns true if a command only runs a program that its later words name: `env`, `find -exec`.
bool is_wrapper(std::span<const std::string> command);

/// Returns the parts of the arguments that may name a program, in order: "a" and "b" for
/// `sh -c 'a; b'`. None for programs that only read (`grep`); without messages of git and gh. `find
/// -delete` names rm.
std::vector<std::string> names_in_arguments(std::span<const std::string> command);

}  // namespace pedro::policy
