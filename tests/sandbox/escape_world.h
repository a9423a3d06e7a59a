#pragma once

#include <map>
#include <string>
#include <vector>

#include "support/git_folder.h"

namespace pedro {

/// The targets of an escape, all created for the test: a home with secrets, files outside the
/// project, a process with a secret, and listeners on every kind of socket. Everything is in a
/// temporary folder and is removed at the end.
class EscapeWorld {
 public:
  EscapeWorld();
  EscapeWorld(const EscapeWorld&) = delete;
  EscapeWorld& operator=(const EscapeWorld&) = delete;
  ~EscapeWorld();

  std::string tree() const { return folder_.at("tree"); }
  std::string home() const { return folder_.at("home"); }
  /// The variables of the user who starts pedrocli: HOME, TMPDIR and PATH.
  std::map<std::string, std::string> environment() const;

  /// Paths in the tree that commands must not change. Only the first one exists.
  std::vector<std::string> protect() const;
  /// Returns a script with the world's paths, ports and numbers in place of @NAMES@.
  std::string filled(std::string script) const;

  /// Records the contacted listeners in the file @CONTACTS@.
  void note_contacts() const;
  /// Writes the file @OUTPUT@.
  void note_output(const std::string& output) const { folder_.write("output", output); }

  /// Runs a script in the tree as the user would, without a sandbox. Returns its exit code. Its
  /// output goes to @OUTPUT@ with `keep_output`, else it is discarded.
  int run_plainly(const std::string& script, bool keep_output) const;

 private:
  TempFolder folder_;
  int victim_ = 0;
  std::map<std::string, int> listeners_;
  std::map<std::string, std::string> names_;
};

}  // namespace pedro
