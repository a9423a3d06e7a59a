#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sys/process.h"

namespace pedro {

/// Longest time without activity of a program that reads ignore files, which may be pipes.
inline constexpr double kListIdle_s = 20;

/// Returns the command `git ARGUMENTS` in `folder`, limited to kListIdle_s without activity.
/// Overrides configuration that could start a pager, an editor, a file monitor, a hook, an `ext`
/// helper or background maintenance. Does not look into nested repositories, whose configuration
/// commands can write. Output does not depend on the user's configuration; paths are literal,
/// messages in English.
Command git_command(const std::string& folder, std::vector<std::string> arguments);

/// Returns true for commands that are known not to change files: ripgrep, ctags, `git ls-files` and
/// `git rev-parse`.
bool only_reads(const std::vector<std::string>& argv);

/// Returns the subcommand given to git_command(): "push"; "" if there are only options.
std::string_view git_subcommand(const std::vector<std::string>& argv);

/// Returns `-c user.name=... -c user.email=...` if neither configuration nor environment names an
/// author, else nothing. Errors: kInterrupted; kUsage if git cannot run.
Result<std::vector<std::string>> identity_options(const std::string& folder,
                                                  ProcessRunner& processes,
                                                  const CancelToken& cancel);

/// Returns the reason why `name` is not a valid branch name, or "". Applies the rules of
/// git-check-ref-format(1), and forbids a leading '-'.
std::string branch_problem(std::string_view name);

/// Returns the reason why `revision` ("HEAD~2", "v1.0", "main...HEAD") must not be passed to git,
/// or "". Does not check its existence.
std::string revision_problem(std::string_view revision);

/// Returns true for the full id of a SHA-1 or SHA-256 object, in lower case.
bool is_full_id(std::string_view text);

/// Decodes a path printed by git: verbatim, or in double quotes with C escapes and octal bytes
/// (core.quotepath). Quoted names survive code that makes text printable. Returns nothing if a
/// quote or an escape is invalid.
std::optional<std::string> unquoted_path(std::string_view text);

/// Quotes a path for git's `--stdin` if it needs that.
std::string quoted_path(std::string_view path);

/// Quotes a value for a git configuration file.
std::string quoted_setting(const std::string& value);

/// Returns the URL of a remote of the repository in `folder`, or "" if it has no such remote.
/// Errors: kUsage for an invalid name; those of the runner.
Result<std::string> remote_address(const std::string& folder, const std::string& remote,
                                   ProcessRunner& processes, const CancelToken& cancel);

/// Returns `text` without the user and password in each "://user:password@host".
std::string without_credentials(std::string_view text);

}  // namespace pedro
