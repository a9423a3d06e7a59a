#pragma once

#include <map>
#include <string>
#include <vector>

#include "support/git_folder.h"

namespace pedro {

/// What an escape would reach, all of it made for the test: a home with secrets, files outside the
/// project, a process that knows a secret, and somebody listening on every kind of socket.
/// Everything lies in a temporary folder and is gone at the end.
class EscapeWorld {
 public:
  EscapeWorld();
  EscapeWorld(const EscapeWorld&) = delete;
  EscapeWorld& operator=(const EscapeWorld&) = delete;
  ~EscapeWorld();

  std::string tree() const { return folder_.at("tree"); }
  std::string home() const { return folder_.at("home"); }
  /// Of whoever starts pedrocli: HOME, TMPDIR and PATH.
  std::map<std::string, std::string> environment() const;

  /// Paths in the tree that commands must not change; the second is missing.
  std::vector<std::string> protect() const;
  /// A script with the world's paths, ports and numbers in place of @NAMES@.
  std::string filled(std::string script) const;

  /// Notes who was spoken to, in the file @CONTACTS@.
  void note_contacts() const;
  /// Writes the file @OUTPUT@.
  void note_output(const std::string& output) const { folder_.write("output", output); }

  /// Runs a script in the tree as the user would, with nothing around it; its exit code. What it
  /// prints goes to @OUTPUT@ with `keep_output`, else nowhere.
  int run_plainly(const std::string& script, bool keep_output) const;

 private:
  TempFolder folder_;
  int victim_ = 0;
  std::map<std::string, int> listeners_;
  std::map<std::string, std::string> names_;
};

}  // namespace pedro
