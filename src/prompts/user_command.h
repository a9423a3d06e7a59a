#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sys/file_system.h"

namespace pedro {

/// A task that a user wrote down once: a file `NAME.md` of a folder of commands.
struct UserCommand {
  std::string name;
  std::string description;
  std::string agent = "build";  ///< who does it
  std::string body;
  std::string place;  ///< the file
};

/// All commands of these folders, sorted by name; of the same name that of the folder named first.
/// Error (kConfig): a file over 64 KB, an unknown key of the front matter (there are: description,
/// agent).
Result<std::vector<UserCommand>> read_user_commands(const FileSystem& files,
                                                    const std::vector<std::string>& folders);

/// Reads a file that a command names by `@path`.
using ReadNamedFile = std::function<Result<std::string>(const std::string& path)>;

/// The body with `$ARGUMENTS` (all of them), `$1` to `$9` and `@path` (behind a blank or at the
/// beginning of a line; the file's text) replaced, once: what is put in is not read again, and
/// nothing is run. Error: that of `read`.
Result<std::string> expand(const UserCommand& command, const std::vector<std::string>& arguments,
                           const ReadNamedFile& read);

}  // namespace pedro
