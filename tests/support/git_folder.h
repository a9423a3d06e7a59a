#pragma once

#include <doctest/doctest.h>
#include <stdlib.h>

#include <string>
#include <vector>

#include "base/text.h"
#include "support/temp_folder.h"
#include "sys/process.h"

namespace pedro {

/// A temporary folder for git, isolated from the configuration of the user who runs the test. Sets
/// this process's HOME to a folder in it.
class GitFolder : public TempFolder {
 public:
  GitFolder() {
    std::filesystem::create_directories(at(".home"));
    ::setenv("HOME", at(".home").c_str(), 1);
    ::setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
    for (const char* name :
         {"XDG_CONFIG_HOME", "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_AUTHOR_NAME",
          "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL", "EMAIL"}) {
      ::unsetenv(name);
    }
    std::filesystem::create_directories(tree());
  }

  /// The work tree: a folder next to the home folder.
  std::string tree() const { return at("tree"); }

  /// Writes a file in the work tree.
  void put(std::string_view name, std::string_view bytes) const {
    write("tree/" + std::string(name), bytes);
  }
  /// Returns the bytes of a file in the work tree.
  std::string get(std::string_view name) const { return read("tree/" + std::string(name)); }

  /// Runs git in the work tree. Returns its output without blanks at the ends. Fails the test if
  /// git fails.
  std::string git(std::vector<std::string> arguments) const { return run(arguments, true); }
  /// The same for a question: git may fail.
  std::string ask(std::vector<std::string> arguments) const { return run(arguments, false); }

  std::string run(const std::vector<std::string>& arguments, bool must_succeed) const {
    Command command;
    command.argv = {"git", "-c", "user.name=Ada", "-c", "user.email=ada@example.org"};
    command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
    command.folder = tree();
    RealProcessRunner processes;
    const CancelToken cancel;
    const auto result = processes.run(command, cancel);
    REQUIRE(result.ok());
    INFO(join(command.argv, " "), "\n", result->err);
    REQUIRE((result->ok() || !must_succeed));
    return std::string(trim(result->out));
  }

  void init() const { git({"init", "--quiet", "--initial-branch=main"}); }

  /// Commits all files in the work tree.
  void commit_all(const std::string& message) const {
    git({"add", "--all"});
    git({"commit", "--quiet", "--allow-empty", "--message=" + message});
  }
};

}  // namespace pedro
