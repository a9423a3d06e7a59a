#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sys/landlock.h"

namespace pedro {

/// The part of the file system that confined commands see. All paths are absolute; those that are
/// there are canonical.
struct SandboxView {
  std::vector<std::string> read;
  std::vector<std::string> write;
  std::vector<std::string> guarded;  ///< below a path of `write`: read only, where the level can
  std::vector<std::string> pinned;   ///< folders that lead there: nobody may move them
  std::vector<std::string> sockets;  ///< below a path of `write`: covered, where the level can
  std::vector<std::string> hidden;   ///< below a path of `read`: there, but empty
  std::vector<std::pair<std::string, std::string>> links;  ///< {"/bin", "usr/bin"}
  std::vector<std::pair<std::string, std::string>>
      shown_as;  ///< {folder, where it is seen, writable}
};

/// The system's own folders (programs, libraries, settings), as far as they are there. Where we are
/// root, what only root may read is hidden.
SandboxView system_view();

/// The view as rules. What is hidden is left out by naming everything beside it; what is guarded
/// cannot be expressed and stays writable.
std::vector<LandlockRule> landlock_rules(const SandboxView& view);

/// Return true if commands may write, or see, the canonical `path`.
bool is_written(const SandboxView& view, const std::string& path);
bool is_shown(const SandboxView& view, const std::string& path);

/// Whether `path` is `folder` or lies below it, by the text.
bool is_below(std::string_view path, std::string_view folder);

}  // namespace pedro
