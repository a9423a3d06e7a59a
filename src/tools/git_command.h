#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sys/process.h"

namespace pedro {

/// `git ARGUMENTS` in `folder`, with settings that keep the repository's and the user's
/// configuration from starting a pager, an editor, a file monitor, a hook, a
/// helper of the `ext` protocol or a background clean-up, from looking into repositories inside
/// this one, whose settings commands can write, and from changing what the output looks like. Paths
/// are taken literally, messages are English.
Command git_command(const std::string& folder, std::vector<std::string> arguments);

/// What git_command() was given to do: "push"; "" where it is only options.
std::string_view git_subcommand(const std::vector<std::string>& argv);

/// `-c user.name=… -c user.email=…` where neither configuration nor environment names an author,
/// else nothing. Error: kInterrupted or kUsage, where git cannot be run.
Result<std::vector<std::string>> identity_options(const std::string& folder,
                                                  ProcessRunner& processes,
                                                  const CancelToken& cancel);

/// Why git would refuse `name` for a branch (the rules of git-check-ref-format(1), and no leading
/// '-'), or "".
std::string branch_problem(std::string_view name);

/// Why `revision` ("HEAD~2", "v1.0", "main...HEAD") may not be handed to git, or "". Whether it
/// exists is git's to say.
std::string revision_problem(std::string_view revision);

/// A path as git prints it: as it is, or in double quotes with C's escapes and octal bytes
/// (core.quotepath). This way any name gets through a pipe that makes text printable. Nothing where
/// the quotes or an escape are broken.
std::optional<std::string> unquoted_path(std::string_view text);

/// The address of a remote of the repository around `folder`, "" where there is none of that name.
Result<std::string> remote_address(const std::string& folder, const std::string& remote,
                                   ProcessRunner& processes, const CancelToken& cancel);

/// `text` with the user and password of every "://user:password@host" taken out.
std::string without_credentials(std::string_view text);

}  // namespace pedro
