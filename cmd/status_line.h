#pragma once

#include <string>

#include "options.h"

namespace pedro {

/// Shows the reason for a wait, on stderr. A terminal has one line that is rewritten, and that
/// is removed at the end. Other outputs have a line per text. -quiet hides it.
class StatusLine {
 public:
  explicit StatusLine(const GlobalOptions& global);
  ~StatusLine() { clear(); }
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  /// Shows a text of one line, unless it is the last one.
  void show(const std::string& text);
  /// Shows a text only on a terminal: for a time that passes.
  void tick(const std::string& text);
  /// Removes the line before other output.
  void clear();

 private:
  bool terminal_;
  bool quiet_;
  std::string last_;
};

}  // namespace pedro
