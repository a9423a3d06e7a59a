#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/cancel.h"
#include "base/result.h"
#include "sys/environment.h"
#include "sys/file_system.h"
#include "sys/http.h"
#include "sys/process.h"
#include "tools/issue.h"

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

/// The sources of issues. Borrows all references.
struct IssueSources {
  FileSystem& files;
  ProcessRunner& processes;
  Http& http;
  const Environment& environment;
  const CancelToken& cancel;
  std::string root;                       ///< of the work tree
  std::string remote = "origin";          ///< remote of the repository that has the issue
  std::optional<std::string> stdin_text;  ///< read by the caller if the issue is "-"
};

/// Fetches the issue that `spec` names. "-" is stdin. A number ("32", "#32") is read from
/// `.pedro/issues/32.md`, else with gh, else from the REST API of the remote's forge. Other texts
/// are paths of files. Errors: kUsage with each source tried and its error, one per line;
/// kInterrupted.
Result<Issue> fetch_issue(const std::string& spec, const IssueSources& sources);

}  // namespace pedro
