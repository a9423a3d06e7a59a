#pragma once

#include <string>

#include "base/secret_mask.h"
#include "base/trace.h"
#include "command.h"
#include "config/config.h"

namespace pedro {

/// What is hidden in a job: what looks like a secret, the values of the project's `.env` files, the
/// key of the server, and what the configuration names. Where it is off, nothing.
class Secrets {
 public:
  Secrets(const CommandContext& context, const Config& config, const std::string& root);

  /// Null where nothing is hidden.
  const SecretMask* mask() const { return on_ ? &mask_ : nullptr; }
  std::string hide(std::string text) const { return on_ ? mask_.mask(text) : text; }
  /// With as many lines as there were.
  std::string hide_lines(std::string text) const { return on_ ? mask_.mask_lines(text) : text; }
  /// Debug output goes through it too. Borrows this.
  void cover(Trace& trace) const;

 private:
  bool on_ = true;
  SecretMask mask_;
};

}  // namespace pedro
