#pragma once

#include <string>
#include <vector>

#include "sys/descriptor.h"

namespace pedro {

/// Folders that must stay where they are, because what must not be changed lies below them: one
/// that is moved away could be replaced by a copy, or by a link. Holds each open, so that it is
/// found again wherever it is. For one command: made before it, asked behind it.
class PinnedFolders {
 public:
  /// Absolute, each before what lies below it; the first 64 are held.
  explicit PinnedFolders(const std::vector<std::string>& paths);

  /// Moves back what was moved, and what took its place out of the way; a sentence for each.
  /// Nothing can be done about what was removed.
  std::vector<std::string> put_back() const;

 private:
  struct Pin {
    std::string path;
    Descriptor folder;
  };
  std::vector<Pin> pins_;
};

}  // namespace pedro
