#include "sys/heartbeat.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdint>
#include <system_error>
#include <utility>

namespace pedro {

Heartbeat::Heartbeat(std::string path, int every_ms)
    : path_(std::move(path)), every_ms_(every_ms), end_(::eventfd(0, EFD_CLOEXEC)) {
  beat();
  if (!end_.open()) return;  // no way to end the thread
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  // Signals must interrupt the waits of other threads, not this one.
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error&) {  // no more threads: only the first beat
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

Heartbeat::~Heartbeat() {
  if (!thread_.joinable()) return;
  const std::uint64_t one = 1;
  (void)write_all(end_.get(), {reinterpret_cast<const char*>(&one), sizeof one});
  thread_.join();
}

void Heartbeat::beat() {
  if (!file_.open()) {
    file_.reset(::open(path_.c_str(),
                       O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY, 0600));
  }
  if (file_.open()) (void)::futimens(file_.get(), nullptr);
}

void Heartbeat::run() {
  pollfd end{.fd = end_.get(), .events = POLLIN, .revents = 0};
  while (::poll(&end, 1, every_ms_) == 0) beat();
}

}  // namespace pedro
