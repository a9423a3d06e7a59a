#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "base/cancel.h"
#include "base/result.h"
#include "sys/descriptor.h"
#include "sys/process.h"

namespace pedro {

/// A long-lived program that exchanges lines with this process through its stdin and stdout.
///
///     PEDRO_TRY(auto program, LineProgram::start(sandboxed, {.argv = {"server"}}));
///     PEDRO_RETURN_IF_ERROR(program->write_line(R"({"id": 1})", 10, cancel));  // within 10 s.
///     PEDRO_TRY(const auto answer, program->read_line(60, cancel));  // nullopt after 60 s.
///
/// A thread of its own runs the command, so `runner` limits the program like any other command.
/// Its stderr is bounded by Command::max_output_bytes. Use each object in one thread.
class LineProgram {
 public:
  /// A longer line is an error. The program then blocks, and only its end helps.
  static constexpr std::size_t kMaxLineBytes = std::size_t{4} << 20;

  /// Starts `command`, whose timeout limits its whole life. Borrows `runner`, which must serve no
  /// other command. Error (kInternal): no pipe or thread. A failed start is an error of the first
  /// exchange.
  static Result<std::unique_ptr<LineProgram>> start(ProcessRunner& runner, Command command);
  /// Closes the program's stdin. Ends it with all its processes if it still runs a second later.
  ~LineProgram();
  LineProgram(const LineProgram&) = delete;
  LineProgram& operator=(const LineProgram&) = delete;

  /// Writes a line, which must not contain a newline, and keeps the program's output meanwhile.
  /// Errors: kModel if the program has ended or takes nothing for `timeout_s`; kInterrupted.
  Status write_line(std::string_view line, double timeout_s, const CancelToken& cancel);

  /// Returns the next line without its newline; nullopt after `timeout_s`. Errors: kModel if the
  /// program has ended, with exit code and last words, or the line is too long; kInterrupted.
  Result<std::optional<std::string>> read_line(double timeout_s, const CancelToken& cancel);

  /// Returns the next `count` bytes, at most kMaxLineBytes; nullopt after `timeout_s`. Errors: as
  /// read_line().
  Result<std::optional<std::string>> read_bytes(std::size_t count, double timeout_s,
                                                const CancelToken& cancel);

 private:
  using Time = std::chrono::steady_clock::time_point;

  LineProgram(ProcessRunner& runner, Command command)
      : runner_(runner), command_(std::move(command)) {}
  Status begin();
  bool has_room() const { return buffer_.size() - at_ <= kMaxLineBytes; }
  void wait(bool writes, Time until);
  void read_piece();
  std::optional<std::string> take_line();
  void skip_to(std::size_t end);
  Error ended_error();

  ProcessRunner& runner_;
  Command command_;
  CancelToken stop_;
  Descriptor to_;         // our end of its stdin
  Descriptor from_;       // our end of its stdout
  Descriptor their_in_;   // stays open, so that writing to an ended program is no broken pipe
  Descriptor their_out_;  // the thread closes it after the end, so that from_ reports the end
  Result<ProcessResult> result_ = ProcessResult{};  // valid after the thread has ended
  std::string buffer_;
  std::size_t at_ = 0;        // start of the next line in buffer_
  std::size_t searched_ = 0;  // no newline before it
  bool ended_ = false;
  std::thread thread_;
};

}  // namespace pedro
