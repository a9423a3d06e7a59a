#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "acp/job_updates.h"
#include "command.h"
#include "git/repository.h"

namespace pedro {

/// Reads the files that the updates of a session show. Borrows the context; one thread.
class AcpFiles {
 public:
  explicit AcpFiles(CommandContext& context) : context_(context) {}

  /// Returns functions that borrow this object.
  acp::JobSources sources();

 private:
  std::string report(const std::string& path) const;
  std::optional<std::string> text_at(const std::string& workdir, const std::string& commit,
                                     const std::string& path);

  CommandContext& context_;
  std::map<std::string, std::unique_ptr<Repository>> repositories_;  // null: cannot be opened
};

}  // namespace pedro
