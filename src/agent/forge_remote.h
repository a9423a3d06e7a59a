#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace pedro {

/// A repository on a forge such as GitHub.
struct ForgeRemote {
  std::string host;  ///< lower case, without user and port
  /// "OWNER/NAME" without ".git", on GitLab also "GROUP/SUBGROUP/NAME". Each part has letters,
  /// digits, '-', '_' and '.', so it is safe in a URL's path.
  std::string path;
};

/// Parses a remote's address: "git@HOST:OWNER/NAME.git", "ssh://git@HOST[:PORT]/OWNER/NAME.git",
/// "https://[USER@]HOST/OWNER/NAME", "git://…". ".git" and a trailing slash are optional. Returns
/// nullopt for other forms, for example a local path.
std::optional<ForgeRemote> parse_remote(std::string_view address);

}  // namespace pedro
