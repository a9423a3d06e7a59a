#pragma once

#include <string>
#include <vector>

#include "base/trace.h"
#include "command.h"
#include "config/config.h"
#include "mcp_setup.h"
#include "secrets/secret_mask.h"
#include "tools/secret_files.h"

namespace pedro {

/// Masks a job's secrets: texts that resemble secrets, values in the project's secret files, the
/// server's key, and configured values. Masks nothing if disabled. Must not be moved.
class Secrets {
 public:
  /// `roots`: the folders of the project, i.e. the user's work tree and the job's.
  Secrets(const CommandContext& context, const Config& config, std::vector<std::string> roots);
  Secrets(const Secrets&) = delete;
  Secrets& operator=(const Secrets&) = delete;

  /// Returns null if masking is disabled.
  const SecretMask* mask() const { return on_ ? &mask_ : nullptr; }
  std::string hide(std::string text) const { return on_ ? mask_.mask(text) : text; }
  Error hide(Error error) const {
    error.message = hide(std::move(error.message));
    return error;
  }
  /// Masks a text without changing its number of lines.
  std::string hide_lines(std::string text) const { return on_ ? mask_.mask_lines(text) : text; }
  /// Masks the keys and headers in the settings of an MCP server, and its current tokens.
  void cover(const McpServer& server);
  /// Masks later tokens as well. This object must outlive the server's calls.
  void follow(McpServer& server);
  /// Returns the files with secrets, to be read again after a possible change.
  SecretFiles& files() { return files_; }
  /// Masks debug output as well. Borrows this object.
  void cover(Trace& trace) const;

 private:
  bool on_ = true;
  SecretMask mask_;
  SecretFiles files_;
};

}  // namespace pedro
