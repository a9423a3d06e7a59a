#pragma once

#include <optional>
#include <string>

#include "base/cancel.h"
#include "base/result.h"
#include "sys/environment.h"
#include "sys/file_system.h"
#include "sys/http.h"
#include "sys/process.h"
#include "tools/issue.h"

namespace pedro {

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
