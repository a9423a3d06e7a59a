#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace pedro {

/// A repository on a GitHub server.
struct GithubRemote {
  std::string host;   ///< lower case, without user and port
  std::string owner;  ///< letters, digits, '-', '_', '.': safe in a URL's path
  std::string name;   ///< likewise, without ".git"
};

/// Parses a remote's address: "git@HOST:OWNER/NAME.git", "ssh://git@HOST[:PORT]/OWNER/NAME.git",
/// "https://[USER@]HOST/OWNER/NAME", "git://…". ".git" and a trailing slash are optional. Returns
/// nullopt for other forms, for example a local path.
std::optional<GithubRemote> parse_remote(std::string_view address);

}  // namespace pedro
