#pragma once

#include <doctest/doctest.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "base/text.h"
#include "sys/process.h"

namespace pedro {

/// A program on a real pseudo-terminal, in a tmux server of its own.
class TmuxScreen {
 public:
  static bool is_available() { return !RealProcessRunner().find("tmux").empty(); }

  /// Starts `argv` in `folder` on a screen of `columns` × 24.
  TmuxScreen(const std::vector<std::string>& argv, const std::string& folder,
             const std::map<std::string, std::string>& environment, int columns)
      : socket_("pedro-test-" + std::to_string(::getpid()) + "-" + std::to_string(++number())) {
    std::vector<std::string> command = {
        "-f", "/dev/null", "new-session", "-d",   "-x", std::to_string(columns),
        "-y", "24",        "-c",          folder, "env"};
    for (const auto& [name, value] : environment) command.push_back(name + "=" + value);
    command.push_back("LC_ALL=C.UTF-8");
    command.insert(command.end(), argv.begin(), argv.end());
    tmux(command);
  }
  ~TmuxScreen() { tmux({"kill-server"}); }
  TmuxScreen(const TmuxScreen&) = delete;
  TmuxScreen& operator=(const TmuxScreen&) = delete;

  /// Types text verbatim.
  void type(const std::string& text) { tmux({"send-keys", "-l", text}); }
  /// Presses a key by tmux's name: "Enter", "Tab", "Up", "C-c".
  void press(const std::string& key) { tmux({"send-keys", key}); }
  void enter(const std::string& text) {
    type(text);
    press("Enter");
  }

  /// The present lines, without blanks at their ends.
  std::string text() { return tmux({"capture-pane", "-p", "-S", "-200"}); }

  /// Waits until the screen contains `part`. Fails the test after 20 s.
  void wait_for(const std::string& part) {
    for (int i = 0; i < 400; ++i) {
      if (text().find(part) != std::string::npos) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    CAPTURE(text());
    FAIL_CHECK("the screen does not show: ", part);
  }

  /// Returns true once the program has ended.
  bool has_ended() {
    for (int i = 0; i < 400; ++i) {
      if (tmux({"list-sessions"}).empty()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    return false;
  }

 private:
  static int& number() {
    static int number = 0;
    return number;
  }

  // Not by a ProcessRunner, which ends the programs that a command leaves: the tmux server.
  std::string tmux(const std::vector<std::string>& arguments) {
    std::vector<std::string> argv = {
        "env", "TERM=xterm-256color", "LC_ALL=C.UTF-8", "tmux", "-u", "-L", socket_};
    argv.insert(argv.end(), arguments.begin(), arguments.end());
    std::FILE* pipe = ::popen((as_shell_line(argv) + " 2>/dev/null").c_str(), "r");
    REQUIRE(pipe != nullptr);
    std::string out;
    for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) out += static_cast<char>(c);
    ::pclose(pipe);
    return out;
  }

  std::string socket_;
};

}  // namespace pedro
