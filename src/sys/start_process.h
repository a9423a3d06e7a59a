#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "sys/process.h"

namespace pedro {

/// Returns the path of the program `name` in the folders of `path` (the format of PATH). Skips
/// relative folders. Errors (kUsage): "NAME: not found in PATH" and "NAME: permission denied".
Result<std::string> find_program(const std::string& name, const std::string& path);

/// Removes folders of a repository from PATH, because a model's commands can write programs there.
/// The repository is that of `folder` ("": the working folder), its main work tree, or one whose
/// objects it borrows. Also removes relative and missing folders.
std::string path_outside_repository(const std::string& path, const std::string& folder);

/// Returns the whole environment of a command: inherited variables, defaults that disable prompts,
/// PWD, and the command's own. Appends `marker` to PEDROCLI_RUN.
std::map<std::string, std::string> environment_for(const Command& command,
                                                   const std::string& marker);

/// The descriptors that a child gets as 0, 1 and 2. `more` become 3 and up; their numbers must be
/// 10 or higher. Borrowed.
struct ChildStreams {
  int in = -1;
  int out = -1;
  int err = -1;
  std::vector<int> more = {};
};

/// The checked arguments of an exec call. Must not move while pointers into it are in use.
class ProgramStart {
 public:
  /// Errors (kUsage) name the reason, such as "NAME: not found in PATH" or "FOLDER: No such file or
  /// directory".
  static Result<ProgramStart> prepare(const Command& command,
                                      const std::map<std::string, std::string>& environment);

  const std::string& program() const { return program_; }
  const std::string& folder() const { return folder_; }
  /// Null-terminated; borrow from this value.
  std::vector<char*> arguments() const { return pointers_to(arguments_); }
  std::vector<char*> variables() const { return pointers_to(variables_); }

  /// Returns the user's message for a failed exec: "NAME: reason".
  Error failure(int error) const;

 private:
  static std::vector<char*> pointers_to(const std::vector<std::string>& strings);

  std::string program_;
  std::string folder_;
  std::vector<std::string> arguments_;
  std::vector<std::string> variables_;
};

/// Starts a command in its own session, with default signal handling and no other descriptors.
/// Returns the process id. Errors: those of ProgramStart.
Result<int> start_process(const Command& command,
                          const std::map<std::string, std::string>& environment,
                          const ChildStreams& streams);

}  // namespace pedro
