#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sys/file_system.h"

namespace pedro {

/// A task that a user has written down: a file `NAME.md` in a folder of commands.
struct UserCommand {
  std::string name;
  std::string description;
  std::string agent = "build";  ///< the agent that performs it
  std::string body;
  std::string place;  ///< path of the file
};

/// Receives one line about a key or a file that is ignored.
using CommandWarning = std::function<void(const std::string& text)>;

/// Returns all commands of these folders, sorted by name. Among commands of the same name, the one
/// in the first folder takes precedence. `warn` receives keys other than description and agent,
/// which have no effect. It also receives files that are left out (over 64 KB, malformed front
/// matter). Error: a folder that cannot be listed.
Result<std::vector<UserCommand>> read_user_commands(const FileSystem& files,
                                                    const std::vector<std::string>& folders,
                                                    const CommandWarning& warn);

/// Reads a file that a command includes with `@path`.
using ReadNamedFile = std::function<Result<std::string>(const std::string& path)>;

/// Returns the body with `$ARGUMENTS` (all of them), `$1` to `$9` and `@path` (the file's text)
/// replaced. `@path` must be at the beginning of a line or after a blank. Inserted text is not
/// expanded again, and nothing is executed. Error: that of `read`.
Result<std::string> expand(const UserCommand& command, const std::vector<std::string>& arguments,
                           const ReadNamedFile& read);

}  // namespace pedro
