#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "diagnostics/file_check.h"
#include "diagnostics/language_server.h"

namespace pedro::diagnostics {

/// An edit of one file. A new file has no text before.
struct FileEdit {
  std::string path;  ///< relative to the project
  std::optional<std::string> before;
  std::string after;
};

/// Returns a confined runner for a language server, which lives as long as the reporter. Null: the
/// project does not use this server.
using ServerPlace = std::function<Result<ProcessRunner*>(const ServerRow& row)>;

/// Reports the problems that edits introduce. The first row of `checks` with the file's pattern and
/// an installed program checks the new text, then the old one if it finds problems. A check
/// that fails is reported once and not used again. A language server that is installed starts at
/// the first edit of its language. It finds errors in files whose syntax is correct, and replaces
/// checks of more than the syntax. One that answers none of three questions has failed. Files over
/// 1 MiB are not checked. One thread.
///
///     EditReporter reporter(builtin_file_checks(), sandboxed, "/project", report);
///     PEDRO_TRY(const std::string text, reporter.report({"a.py", "x = 1\n", "x = (\n"}, cancel));
class EditReporter {
 public:
  /// Borrows `commands`, which must be confined. `notice` receives failures of checks.
  EditReporter(std::vector<FileCheck> checks, ProcessRunner& commands, std::string folder,
               std::function<void(const std::string&)> notice)
      : checks_(std::move(checks)),
        commands_(commands),
        folder_(std::move(folder)),
        notice_(std::move(notice)) {}

  /// Uses the servers of these rows from now on.
  void use_servers(std::vector<ServerRow> rows, ServerPlace place) {
    servers_ = std::move(rows);
    place_ = std::move(place);
  }

  /// Returns the text for the model, "" if the edit introduces nothing. At most about 4000 bytes.
  /// Error: kInterrupted.
  Result<std::string> report(const FileEdit& edit, const CancelToken& cancel);

 private:
  using Found = std::optional<std::vector<Diagnostic>>;

  struct RunningServer {
    std::unique_ptr<LanguageServer> server;  // null: not for this project
    int unanswered = 0;                      // questions in a row
  };

  const FileCheck* check_for(const std::string& path) const;
  const ServerRow* server_for(const std::string& path, const CancelToken& cancel);
  Result<Found> ask(const ServerRow& row, const std::string& path, const std::string& text,
                    const CancelToken& cancel);
  Result<std::string> report_syntax(const FileCheck& check, const FileEdit& edit,
                                    const CancelToken& cancel);
  Result<std::string> report_errors(const ServerRow& row, const FileEdit& edit,
                                    const CancelToken& cancel);
  void drop(const std::string& name, std::string_view kind, const std::string& reason);
  Result<Found> run(const FileCheck& check, const std::string& path, const std::string& text,
                    const CancelToken& cancel);

  std::vector<FileCheck> checks_;
  ProcessRunner& commands_;
  std::string folder_;
  std::function<void(const std::string&)> notice_;
  std::set<std::string> failed_;  // names of checks and servers
  std::vector<ServerRow> servers_;
  ServerPlace place_;
  std::map<std::string, RunningServer> running_;  // by name
};

}  // namespace pedro::diagnostics
