#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "diagnostics/diagnostic.h"
#include "sys/process.h"
#include "tools/glob.h"

namespace pedro::diagnostics {

/// A row of the table `on_edit`: a command that reads a file's text on stdin, or the JSON parser.
struct FileCheck {
  std::string name;
  std::vector<Glob> files;
  std::vector<std::string> argv;  ///< "{folder}" is that of the file; empty: the parser of JSON
  /// The text before a line number in the output. The message follows, else it is the text before.
  std::string marker;
  std::vector<std::string> only;  ///< starts of messages that count; empty: all
  std::string gives_up;           ///< output with this text says nothing about the file
  bool syntax = false;            ///< all its messages are errors of the syntax

  bool checks(std::string_view path) const;
};

/// Reads rows `{"name", "files", "command", "marker", "only", "gives_up", "syntax"}`. Errors
/// (kConfig): "PLACE: on_edit: row N: ..."; more than 64 rows.
Result<std::vector<FileCheck>> read_file_checks(std::string_view place, const Json& rows);

/// Returns the built-in rows, of `on_edit.json`.
std::vector<FileCheck> builtin_file_checks();

/// Reads the output of a check. Returns nullopt if it says nothing about the file; at most 1000.
std::optional<std::vector<Diagnostic>> read_output(const FileCheck& check, std::string_view output);

/// Checks a text, as of the file at `path` below the project at `folder`. A command runs for at
/// most 10 s and keeps 64 KiB of output. Errors: kInterrupted; kModel if it does not start or end.
Result<std::optional<std::vector<Diagnostic>>> run_file_check(
    const FileCheck& check, const std::string& folder, const std::string& path,
    const std::string& text, ProcessRunner& commands, const CancelToken& cancel);

}  // namespace pedro::diagnostics
