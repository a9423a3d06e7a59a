#pragma once

#include <doctest/doctest.h>
#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <map>
#include <string>
#include <vector>

namespace pedro {

/// The output of a program on a terminal, and its exit code.
struct TerminalResult {
  std::string shown;
  int exit_code = -1;
};

/// Runs a program on its own terminal. Types `answer` once, as soon as `prompt` is shown.
inline TerminalResult run_on_terminal(const std::vector<std::string>& argv,
                                      const std::string& folder,
                                      const std::map<std::string, std::string>& environment,
                                      const std::string& prompt, const std::string& answer) {
  int terminal = -1;
  const pid_t child = ::forkpty(&terminal, nullptr, nullptr, nullptr);
  REQUIRE(child >= 0);
  if (child == 0) {
    std::vector<char*> arguments;
    for (const std::string& one : argv) arguments.push_back(const_cast<char*>(one.c_str()));
    arguments.push_back(nullptr);
    for (const auto& [name, value] : environment) ::setenv(name.c_str(), value.c_str(), 1);
    if (::chdir(folder.c_str()) == 0) ::execv(arguments[0], arguments.data());
    ::_exit(127);
  }
  TerminalResult result;
  bool answered = false;
  for (;;) {
    pollfd waiting{terminal, POLLIN, 0};
    if (::poll(&waiting, 1, 60'000) <= 0) break;
    char buffer[4096];
    const ssize_t count = ::read(terminal, buffer, sizeof buffer);
    if (count <= 0) break;  // EIO: its last process has ended
    result.shown.append(buffer, static_cast<std::size_t>(count));
    if (answered || result.shown.find(prompt) == std::string::npos) continue;
    answered = true;
    const std::string line = answer + "\n";
    REQUIRE(::write(terminal, line.data(), line.size()) == static_cast<ssize_t>(line.size()));
  }
  ::close(terminal);
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  return result;
}

}  // namespace pedro
