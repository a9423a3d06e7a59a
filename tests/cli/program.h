#pragma once

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "base/json.h"
#include "support/temp_folder.h"
#include "sys/file_system.h"
#include "sys/process.h"

namespace pedro {

/// Converts replies to the input of `-backend manual`.
inline std::string typed(const std::vector<std::string>& replies) {
  std::string input;
  for (const std::string& reply : replies) input += reply + "\n.\n";
  return input;
}

/// The real program in a scratch world: separate HOME, state, git settings and project folder.
class Program {
 public:
  /// Creates an empty folder `project`, not a repository yet.
  Program() { std::filesystem::create_directories(project()); }

  std::string project() const { return folder.at("project"); }

  /// Turns the project into a repository with one commit of all files.
  void commit_project() {
    git({"init", "-q", "-b", "main"});
    git({"add", "-A"});
    git({"commit", "-q", "-m", "init"});
  }

  /// Every file of the project with its bytes, including .git.
  std::map<std::string, std::string> all_files() const {
    std::map<std::string, std::string> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(project())) {
      if (!entry.is_regular_file()) continue;
      const std::string path = entry.path().string().substr(project().size() + 1);
      files[path] = folder.read("project/" + path);
    }
    return files;
  }

  /// Every file below a folder of the scratch world, by path. Empty if the folder does not exist.
  std::map<std::string, std::string> files_below(const std::string& name) const {
    std::map<std::string, std::string> files;
    if (!std::filesystem::exists(folder.at(name))) return files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.at(name))) {
      if (!entry.is_regular_file()) continue;
      const auto bytes = RealFileSystem().read(entry.path().string(), 64u << 20);
      REQUIRE(bytes.ok());
      files[entry.path().string()] = *bytes;
    }
    return files;
  }

  /// Installs an executable `bin/gh` in PATH: `script`, which starts in the folder of the
  /// executable.
  void install_gh(const std::string& script) {
    install("gh", "cd \"$(dirname \"$0\")\"\n" + script);
  }

  /// Installs an executable shell script in PATH.
  void install(const std::string& name, const std::string& script) {
    folder.write("bin/" + name, "#!/bin/sh\n" + script);
    std::filesystem::permissions(folder.at("bin/" + name), std::filesystem::perms::owner_all);
    extra_environment["PATH"] = folder.at("bin") + ":" + std::getenv("PATH");
  }

  std::string git(std::vector<std::string> args) {
    Command command{.argv = {"git", "-c", "user.name=t", "-c", "user.email=t@localhost"},
                    .folder = project()};
    command.argv.insert(command.argv.end(), args.begin(), args.end());
    command.environment = environment();
    const auto result = processes.run(command, cancel);
    REQUIRE(result.ok());
    CAPTURE(result->err);
    REQUIRE(result->ok());
    return result->out;
  }

  /// The branch of the newest job.
  std::string job_branch() {
    const auto job = parse_json(run({"status", "-json"}).out);
    REQUIRE(job.ok());
    return text_of(*job, "branch");
  }

  ProcessResult run(std::vector<std::string> args, std::string input = "") {
    Command command{.argv = {PEDROCLI_PROGRAM}, .folder = project()};
    command.argv.insert(command.argv.end(), args.begin(), args.end());
    command.environment = environment();
    for (const auto& [name, value] : extra_environment) command.environment[name] = value;
    if (!input.empty()) command.input = std::move(input);
    command.timeout_s = 120;
    auto result = processes.run(command, cancel);
    REQUIRE(result.ok());
    return *std::move(result);
  }

  /// Runs a script of bash in the project, for at most 60 s. $0 is the program.
  ProcessResult shell(const std::string& script) {
    Command command{.argv = {"bash", "-c", script, PEDROCLI_PROGRAM}, .folder = project()};
    command.environment = environment();
    command.timeout_s = 60;
    auto result = processes.run(command, cancel);
    REQUIRE(result.ok());
    CAPTURE(result->err);
    CHECK_FALSE(result->timed_out);
    return *std::move(result);
  }

  std::map<std::string, std::string> environment() const {
    return {{"HOME", folder.path()},
            {"XDG_CONFIG_HOME", folder.at("config")},
            {"XDG_STATE_HOME", folder.at("state")},
            {"XDG_CACHE_HOME", folder.at("cache")},
            {"XDG_DATA_HOME", folder.at("data")},
            {"PEDROCLI_CACHE", ""},
            {"PEDROCLI_MODEL_PHASES", "long"},  // most test replies are for these phases
            {"GIT_CONFIG_GLOBAL", "/dev/null"},
            {"GIT_CONFIG_NOSYSTEM", "1"}};
  }

  TempFolder folder;
  RealProcessRunner processes;
  CancelToken cancel;
  std::map<std::string, std::string> extra_environment;
};

}  // namespace pedro
