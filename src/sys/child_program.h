#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sys/descriptor.h"
#include "sys/process_alive.h"
#include "sys/terminal.h"

namespace pedro {

/// A program that runs beside this one, in a session of its own, so that a Ctrl-C at our terminal
/// is not also its own; with our environment, nothing on its standard input. When our process dies,
/// however it does, the program gets SIGTERM. For the thread that started it, which has to live as
/// long as the process does (the kernel looks at the thread).
class ChildProgram {
 public:
  /// A line of its standard output or error, without its newline. What is longer than 4 MiB is left
  /// out.
  using OnLine = std::function<void(StandardStream stream, std::string_view line)>;

  /// `argv[0]` is a path; `environment` is added to ours, or replaces it. An Error means that it
  /// did not start.
  static Result<std::unique_ptr<ChildProgram>> start(
      const std::vector<std::string>& argv, OnLine on_line,
      const std::map<std::string, std::string>& environment = {});
  /// One that still runs is killed.
  ~ChildProgram();
  ChildProgram(const ChildProgram&) = delete;
  ChildProgram& operator=(const ChildProgram&) = delete;

  /// Hands on what the programs have written, and notes those that have ended, all of whose lines
  /// were then handed on; waits for one or the other, at most `timeout_ms` and less where a signal
  /// comes.
  static void wait(const std::vector<ChildProgram*>& programs, int timeout_ms);

  /// 128 + N where signal N ended it; nothing while it runs.
  const std::optional<int>& exit_code() const { return exit_code_; }
  const ProcessIdentity& identity() const { return identity_; }
  void signal(int number) const;

 private:
  struct Stream {
    StandardStream name;
    Descriptor pipe;
    std::string rest;       // of a line whose end has not come
    bool too_long = false;  // that line is left out
  };

  ChildProgram() = default;
  bool read_piece(Stream& stream);
  void take(Stream& stream, std::string_view bytes);
  void look();

  OnLine on_line_;
  ProcessIdentity identity_;
  Descriptor pidfd_;
  std::vector<Stream> streams_;
  std::optional<int> exit_code_;
};

/// The path of this very program, also where its file was replaced meanwhile. For starting it once
/// more.
std::string this_program();

}  // namespace pedro
