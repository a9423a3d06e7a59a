#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "sys/process.h"

namespace pedro {

/// The path of the program `name` in the folders of `path` (as in PATH; relative ones are passed
/// over). Errors (kUsage) are "NAME: not found in PATH" and "NAME: permission denied".
Result<std::string> find_program(const std::string& name, const std::string& path);

/// Returns PATH without folders of the repository that `folder` ("" is ours) lies in, and of its
/// main work tree: commands that a model causes can write there, and what they write must not
/// become a program of ours. Leaves out relative folders and those that are not there as well.
std::string path_outside_repository(const std::string& path, const std::string& folder);

/// The whole environment of a command: ours, the defaults that keep programs from waiting for
/// somebody, PWD, the command's own, and PEDROCLI_RUN with `marker` added to it.
std::map<std::string, std::string> environment_for(const Command& command,
                                                   const std::string& marker);

/// The descriptors that become 0, 1 and 2 of a child, and from 3 on `more`, whose numbers are 10 or
/// higher. Borrowed.
struct ChildStreams {
  int in = -1;
  int out = -1;
  int err = -1;
  std::vector<int> more = {};
};

/// What an exec call wants, checked and looked up beforehand. Has to stay where it is while
/// pointers to it are in use.
class ProgramStart {
 public:
  /// Errors (kUsage) say why it could not start: "NAME: not found in PATH", "FOLDER: no such file".
  static Result<ProgramStart> prepare(const Command& command,
                                      const std::map<std::string, std::string>& environment);

  const std::string& program() const { return program_; }
  const std::string& folder() const { return folder_; }
  /// Null-terminated; they borrow from this value.
  std::vector<char*> arguments() const { return pointers_to(arguments_); }
  std::vector<char*> variables() const { return pointers_to(variables_); }

  /// What a failed exec means, for the user: "NAME: why".
  Error failure(int error) const;

 private:
  static std::vector<char*> pointers_to(const std::vector<std::string>& strings);

  std::string program_;
  std::string folder_;
  std::vector<std::string> arguments_;
  std::vector<std::string> variables_;
};

/// Starts a command in a session of its own, with default signals and no other descriptors. The
/// process id, or why it did not start.
Result<int> start_process(const Command& command,
                          const std::map<std::string, std::string>& environment,
                          const ChildStreams& streams);

}  // namespace pedro
