#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "diagnostics/file_check.h"
#include "diagnostics/language_servers.h"

namespace pedro::diagnostics {

/// An edit of one file. A new file has no text before.
struct FileEdit {
  std::string path;  ///< relative to the project
  std::optional<std::string> before;
  std::string after;
};

/// Reports the problems that edits introduce. The first row of `checks` with the file's pattern and
/// an installed program checks the new text. If it finds problems, it also checks the old text. A
/// check that fails is reported once and not used again. A language server finds errors in files
/// whose syntax is correct, and replaces checks of more than the syntax. Files over 1 MiB are not
/// checked. One thread.
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

  /// Uses these servers from now on. Borrows them.
  void use_servers(LanguageServers& servers) { servers_ = &servers; }

  /// Returns the text for the model, "" if the edit introduces nothing. At most about 4000 bytes.
  /// Error: kInterrupted.
  Result<std::string> report(const FileEdit& edit, const CancelToken& cancel);

 private:
  using Found = std::optional<std::vector<Diagnostic>>;

  const FileCheck* check_for(const std::string& path) const;
  Result<Found> run(const FileCheck& check, const std::string& path, const std::string& text,
                    const CancelToken& cancel);
  Result<std::string> report_syntax(const FileCheck& check, const FileEdit& edit,
                                    const CancelToken& cancel);
  Result<std::string> report_errors(const FileEdit& edit, const CancelToken& cancel);

  std::vector<FileCheck> checks_;
  ProcessRunner& commands_;
  std::string folder_;
  std::function<void(const std::string&)> notice_;
  std::set<std::string> failed_;  // names of checks
  LanguageServers* servers_ = nullptr;
};

}  // namespace pedro::diagnostics
