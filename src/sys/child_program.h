#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "sys/descriptor.h"
#include "sys/process_alive.h"
#include "sys/terminal.h"

namespace pedro {

/// The standard input of a child process.
enum class ChildInput { kEmpty, kPipe };

/// A child process in its own session, so that Ctrl-C at the terminal does not reach it. It
/// inherits this process's environment. The kernel sends it SIGTERM when the thread that started it
/// ends, so that thread must outlive it. Use each object in the thread that started it.
class ChildProgram {
 public:
  /// Receives a line of standard output or standard error, without its newline. Lines longer than 4
  /// MiB are dropped.
  using OnLine = std::function<void(StandardStream stream, std::string_view line)>;

  /// `argv[0]` is a path. `environment` adds to the inherited variables and overrides them. Errors:
  /// kInternal if no pipe or process can be created. If exec fails, the program ends with exit code
  /// 127.
  static Result<std::unique_ptr<ChildProgram>> start(
      const std::vector<std::string>& argv, OnLine on_line,
      const std::map<std::string, std::string>& environment = {},
      ChildInput input = ChildInput::kEmpty);
  /// Kills the program if it is still running.
  ~ChildProgram();
  ChildProgram(const ChildProgram&) = delete;
  ChildProgram& operator=(const ChildProgram&) = delete;

  /// Waits until a program writes or ends, for at most `timeout_ms`; a signal ends the wait early.
  /// Passes all available lines to their callbacks, then records the exit codes of ended programs.
  static void wait(const std::vector<ChildProgram*>& programs, int timeout_ms);
  /// The same; this process's standard input also ends the wait. Returns true if it has bytes or
  /// has ended.
  static bool wait_with_input(const std::vector<ChildProgram*>& programs, int timeout_ms);

  /// Writes to the program's ChildInput::kPipe. Blocks while the pipe has no room (64 KiB). Has no
  /// effect if the program has ended.
  void write(std::string_view bytes) const;

  /// Returns the exit code; 128 + N if signal N ended the program; nothing while it runs.
  const std::optional<int>& exit_code() const { return exit_code_; }
  const ProcessIdentity& identity() const { return identity_; }
  void signal(int number) const;

  /// Asks the program to end (SIGTERM), as Ctrl-C does. A call at least `grace_ms` after the first
  /// kills it (SIGKILL). Call it again until exit_code() is set.
  void stop(const Clock& clock, long long grace_ms);
  /// Returns true after stop().
  bool is_stopping() const { return stopped_ms_.has_value(); }

 private:
  struct Stream {
    StandardStream name;
    Descriptor pipe;
    std::string rest;       // an incomplete line
    bool too_long = false;  // the current line is dropped
  };

  ChildProgram() = default;
  static bool wait(const std::vector<ChildProgram*>& programs, int timeout_ms, int also_fd);
  bool read_piece(Stream& stream);
  void take(Stream& stream, std::string_view bytes);
  void look();

  OnLine on_line_;
  ProcessIdentity identity_;
  Descriptor pidfd_;
  Descriptor input_;
  std::vector<Stream> streams_;
  std::optional<int> exit_code_;
  std::optional<long long> stopped_ms_;  // time of the first stop()
};

/// Returns a path that starts this program again, even if its file was replaced or removed.
std::string this_program();

}  // namespace pedro
