#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/cancel.h"
#include "base/result.h"

namespace pedro {

/// A line of a file: its path, relative to the root, and its number from 1.
using LinePlace = std::pair<std::string, std::size_t>;

/// The text of a file, whose path is relative to the root.
struct SourceText {
  std::string path;
  std::string text;
};

/// A question for the uses of a name.
struct ReferenceQuestion {
  struct Position {
    std::size_t file = 0;    ///< index in `files`
    std::size_t line = 1;    ///< from 1
    std::size_t column = 1;  ///< of the name, in bytes from 1
  };
  std::vector<SourceText> files;    ///< files that contain the name, to be read first
  std::vector<Position> positions;  ///< of the name: definitions of it, or uses
  bool needs_definitions = false;   ///< the positions are uses: find their definitions too
};

/// The answer of a program that understands the language. Places may be outside of `files`.
struct References {
  std::string by;  ///< the program
  std::set<LinePlace> definitions;
  std::set<LinePlace> uses;      ///< may include definitions
  std::set<std::string> unread;  ///< paths of `files` that the program has not read
};

/// A source of references that are more exact than a search for words.
class ReferenceFinder {
 public:
  virtual ~ReferenceFinder() = default;

  /// Returns true if an installed program knows the language of the file.
  virtual bool knows(const std::string& path) const = 0;

  /// Returns nullopt without an answer in time. The first position should be in a file that the
  /// finder knows. Error: kInterrupted.
  virtual Result<std::optional<References>> find(const ReferenceQuestion& question,
                                                 const CancelToken& cancel) = 0;
};

}  // namespace pedro
