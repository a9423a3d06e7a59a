#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace pedro {

/// A repository on a GitHub server.
struct GithubRemote {
  std::string host;   ///< lower case, without user and port
  std::string owner;  ///< letters, digits, '-', '_', '.': fit for a URL's path
  std::string name;   ///< likewise, without ".git"
};

/// The repository behind a remote's address: "git@HOST:OWNER/NAME.git",
/// "ssh://git@HOST[:PORT]/OWNER/NAME.git", "https://[USER@]HOST/OWNER/NAME", "git://…"; with or
/// without ".git" and a slash at the end. Nothing where it has another shape (a local path).
std::optional<GithubRemote> parse_remote(std::string_view address);

}  // namespace pedro
