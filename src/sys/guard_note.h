#pragma once

#include <map>
#include <string>
#include <vector>

#include "sys/descriptor.h"

namespace pedro {

/// Says, for as long as a command runs, which of the paths that it must not change were missing
/// before, and which were links: what no mount can hold. When this process is killed meanwhile, the
/// next one puts them right, see undo_left_guards(). A file of its own, locked as long as this
/// lives, so that nobody takes it for one that is left. What cannot be written is not noted.
class GuardNote {
 public:
  /// Notes nothing.
  GuardNote() = default;
  /// In `folder`, which no command may write to; it is made where it is missing.
  explicit GuardNote(std::string folder) : folder_(std::move(folder)) {}
  GuardNote(GuardNote&& other) noexcept;
  GuardNote& operator=(GuardNote&& other) noexcept;
  ~GuardNote();

  /// Before a command: each path with what the link there says, "" where there is nothing.
  void begin(const std::map<std::string, std::string>& before);
  /// After it.
  void end();

 private:
  bool open_file();

  std::string folder_;
  std::string path_;
  Descriptor file_;
};

/// Puts right what commands have made whose pedrocli was killed while they ran: what was missing is
/// moved into `folder`, or where that cannot be, beside where it was; links are made again. A
/// sentence for each. To be called before anything is read that is guarded.
std::vector<std::string> undo_left_guards(const std::string& folder);

}  // namespace pedro
