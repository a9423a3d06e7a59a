#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tools/line_table.h"

namespace pedro {

/// The numbered lines of each file that a model has seen, by path. A model writes all calls of a
/// reply before it sees their results, so its line numbers refer to the file before the reply.
///
///     views.begin_reply();
///     const MeantLines meant = views.find(path, {20, 21});
///     if (!meant.edited && !views.differ(path, table, meant.lines)) ...  // edit meant.lines
class LineViews {
 public:
  struct MeantLines {
    LineRange lines;      ///< current numbers
    bool edited = false;  ///< an earlier call of the reply changed some of them
  };

  void begin_reply();

  /// Records that the model has seen these lines of the file, or wrote them.
  void show(const std::string& path, const LineTable& table, LineRange lines);
  /// Records that `added` lines replaced the lines `removed`.
  void edit(const std::string& path, LineRange removed, std::size_t added);
  /// Records that the model wrote the whole file. Later line numbers in the reply refer to it.
  void write(const std::string& path, const LineTable& table);

  /// Converts line numbers of this reply to current ones.
  MeantLines find(const std::string& path, LineRange lines) const;
  /// Returns true if these lines or their neighbors changed since the model saw them. Ignores lines
  /// that it has not seen.
  bool differ(const std::string& path, const LineTable& table, LineRange lines) const;

 private:
  struct Edit {
    LineRange removed;
    std::size_t added = 0;
  };
  struct View {
    std::map<std::size_t, std::uint64_t> hashes;  // of lines, by current number
    std::vector<Edit> edits;                      // in this reply
  };
  std::map<std::string, View> views_;
};

}  // namespace pedro
