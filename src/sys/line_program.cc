#include "sys/line_program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cerrno>
#include <system_error>
#include <utility>

#include "base/text.h"
#include "base/utf8.h"
#include "sys/interrupted.h"

namespace pedro {
namespace {

using LineClock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kLinePoll(100);
constexpr std::chrono::milliseconds kStopGrace(1000);
constexpr std::size_t kLinePieceBytes = 64u << 10;
constexpr std::size_t kMaxLastWordsBytes = 300;

LineClock::time_point after(double seconds) {
  const auto us = static_cast<long long>(std::clamp(seconds, 0.0, 1e9) * 1e6);
  return LineClock::now() + std::chrono::microseconds(us);
}

Error failed(const Command& command, std::string_view what) {
  return Error{ErrorKind::kModel, fmt::format("{}: {}", command.argv[0], what)};
}

// Returns the last line that is not blank.
std::string last_words(std::string_view text) {
  const std::string_view all = trim(text);
  const std::size_t begin = all.rfind('\n');
  const std::string_view line = begin == all.npos ? all : all.substr(begin + 1);
  return make_printable(truncate_utf8(trim(line), kMaxLastWordsBytes));
}

}  // namespace

Result<std::unique_ptr<LineProgram>> LineProgram::start(ProcessRunner& runner, Command command) {
  std::unique_ptr<LineProgram> program(new LineProgram(runner, std::move(command)));
  PEDRO_RETURN_IF_ERROR(program->begin());
  return program;
}

Status LineProgram::begin() {
  int in[2] = {-1, -1};
  int out[2] = {-1, -1};
  const bool made = ::pipe2(in, O_CLOEXEC) == 0 && ::pipe2(out, O_CLOEXEC) == 0;
  const int error = errno;
  their_in_.reset(in[0]);
  to_.reset(in[1]);
  from_.reset(out[0]);
  their_out_.reset(out[1]);
  if (!made) return Error{ErrorKind::kInternal, fmt::format("pipe: {}", errno_text(error))};
  ::fcntl(to_.get(), F_SETFL, O_NONBLOCK);  // the flag belongs to our ends only
  ::fcntl(from_.get(), F_SETFL, O_NONBLOCK);
  command_.in_fd = their_in_.get();
  command_.out_fd = their_out_.get();
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  // Signals must interrupt the waits of other threads, not this one.
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  Status started;
  try {
    thread_ = std::thread([this] {
      result_ = runner_.run(command_, stop_);
      their_out_.reset();
    });
  } catch (const std::system_error& no_thread) {
    started = Error{ErrorKind::kInternal, fmt::format("thread: {}", no_thread.what())};
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return started;
}

LineProgram::~LineProgram() {
  if (!thread_.joinable()) return;
  to_.reset();
  const Time end = LineClock::now() + kStopGrace;
  while (!ended_ && LineClock::now() < end) {
    buffer_.clear();
    at_ = searched_ = 0;
    wait(false, end);
  }
  if (!ended_) stop_.cancel(SIGTERM);
  thread_.join();
}

// Waits for output, or with `writes` for room in the program's stdin, and reads the available
// bytes.
void LineProgram::wait(bool writes, Time until) {
  const auto left =
      std::clamp(std::chrono::duration_cast<std::chrono::milliseconds>(until - LineClock::now()),
                 std::chrono::milliseconds(0), kLinePoll);
  const int from = has_room() ? from_.get() : -1;  // poll() skips it
  std::array<pollfd, 2> fds = {pollfd{from, POLLIN, 0}, pollfd{to_.get(), POLLOUT, 0}};
  ::poll(fds.data(), writes ? 2 : 1, static_cast<int>(left.count()));
  if (has_room()) read_piece();
}

void LineProgram::read_piece() {
  if (ended_) return;
  std::array<char, kLinePieceBytes> piece;
  const long count = read_some(from_.get(), piece.data(), piece.size());
  if (count > 0) buffer_.append(piece.data(), static_cast<std::size_t>(count));
  ended_ = count == 0 || (count < 0 && errno != EAGAIN);
}

std::optional<std::string> LineProgram::take_line() {
  const std::size_t end = buffer_.find('\n', searched_);
  searched_ = std::min(end, buffer_.size());
  if (end == std::string::npos || end - at_ > kMaxLineBytes) return std::nullopt;
  std::string line = buffer_.substr(at_, end - at_);
  skip_to(end + 1);
  return line;
}

void LineProgram::skip_to(std::size_t end) {
  at_ = searched_ = end;
  if (at_ == buffer_.size() || at_ > kMaxLineBytes) {
    buffer_.erase(0, at_);
    at_ = searched_ = 0;
  }
}

// Describes the end of the program. Its thread has closed their_out_, so it ends at once.
Error LineProgram::ended_error() {
  if (thread_.joinable()) thread_.join();
  if (!result_) return Error{ErrorKind::kModel, result_.error().message};
  const std::string words = last_words(result_->err);
  const std::string how = result_->timed_out
                              ? "was ended after its time limit"
                              : fmt::format("ended with exit code {}", result_->exit_code);
  return failed(command_, words.empty() ? how : fmt::format("{}: {}", how, words));
}

Status LineProgram::write_line(std::string_view line, double timeout_s, const CancelToken& cancel) {
  std::string bytes(line);
  bytes += '\n';
  std::string_view rest = bytes;
  for (Time end = after(timeout_s);;) {
    if (ended_) return ended_error();
    if (cancel.cancelled()) return interrupted(cancel);
    const ssize_t count = ::write(to_.get(), rest.data(), rest.size());
    if (count > 0) rest.remove_prefix(static_cast<std::size_t>(count));
    if (rest.empty()) return {};
    if (count > 0) end = after(timeout_s);
    if (count < 0 && errno != EAGAIN && errno != EINTR) return failed(command_, errno_text(errno));
    if (LineClock::now() >= end) {
      return failed(command_, fmt::format("reads nothing for {} s", timeout_s));
    }
    wait(true, end);
  }
}

Result<std::optional<std::string>> LineProgram::read_line(double timeout_s,
                                                          const CancelToken& cancel) {
  for (const Time end = after(timeout_s);;) {
    if (std::optional<std::string> line = take_line()) return line;
    if (searched_ - at_ > kMaxLineBytes) {
      return failed(command_, fmt::format("wrote a line of more than {} MiB", kMaxLineBytes >> 20));
    }
    if (ended_) return ended_error();
    if (cancel.cancelled()) return interrupted(cancel);
    if (LineClock::now() >= end) return std::optional<std::string>();
    wait(false, end);
  }
}

Result<std::optional<std::string>> LineProgram::read_bytes(std::size_t count, double timeout_s,
                                                           const CancelToken& cancel) {
  assert(count <= kMaxLineBytes);
  for (const Time end = after(timeout_s);;) {
    if (buffer_.size() - at_ >= count) {
      std::optional<std::string> bytes = buffer_.substr(at_, count);
      skip_to(at_ + count);
      return bytes;
    }
    if (ended_) return ended_error();
    if (cancel.cancelled()) return interrupted(cancel);
    if (LineClock::now() >= end) return std::optional<std::string>();
    wait(false, end);
  }
}

}  // namespace pedro
