#pragma once

#include <string>
#include <vector>

#include "base/secret_mask.h"
#include "base/trace.h"
#include "command.h"
#include "config/config.h"
#include "tools/secret_files.h"

namespace pedro {

/// What is hidden in a job: what looks like a secret, the values of the project's files with
/// secrets, the key of the server, and what the configuration names. Where it is off, nothing.
/// Stays where it is.
class Secrets {
 public:
  /// `roots` are the folders of the project: the user's work tree, and that of the job.
  Secrets(const CommandContext& context, const Config& config, std::vector<std::string> roots);
  Secrets(const Secrets&) = delete;
  Secrets& operator=(const Secrets&) = delete;

  /// Null where nothing is hidden.
  const SecretMask* mask() const { return on_ ? &mask_ : nullptr; }
  std::string hide(std::string text) const { return on_ ? mask_.mask(text) : text; }
  Error hide(Error error) const {
    error.message = hide(std::move(error.message));
    return error;
  }
  /// With as many lines as there were.
  std::string hide_lines(std::string text) const { return on_ ? mask_.mask_lines(text) : text; }
  /// The files with secrets, to be looked at when one may have changed.
  SecretFiles& files() { return files_; }
  /// Debug output goes through it too. Borrows this.
  void cover(Trace& trace) const;

 private:
  bool on_ = true;
  SecretMask mask_;
  SecretFiles files_;
};

}  // namespace pedro
