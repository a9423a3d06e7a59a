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

/// Where an issue may come from. Borrows everything.
struct IssueSources {
  FileSystem& files;
  ProcessRunner& processes;
  Http& http;
  const Environment& environment;
  const CancelToken& cancel;
  std::string root;                       ///< of the work tree
  std::string remote = "origin";          ///< says which repository's issue a number is
  std::optional<std::string> stdin_text;  ///< read by the caller where the issue is "-"
};

/// The issue that `spec` names: "-" is stdin; a number ("32", "#32") is looked for in
/// `.pedro/issues/32.md`, then with gh, then at GitHub's REST API; anything else is the path of a
/// file. Error: kUsage, which lists every source that was tried and why it failed, one per line;
/// kInterrupted.
Result<Issue> fetch_issue(const std::string& spec, const IssueSources& sources);

}  // namespace pedro
