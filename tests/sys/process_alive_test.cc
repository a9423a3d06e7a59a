#include "sys/process_alive.h"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <string>

namespace pedro {

TEST_CASE("process alive: this process is, and another with its number is not") {
  const ProcessIdentity self = this_process();
  CHECK(self.pid == ::getpid());
  CHECK(process_alive(self));
  CHECK(process_alive({self.pid, 0}));
  if (self.start_ticks != 0) CHECK_FALSE(process_alive({self.pid, self.start_ticks + 1}));
}

TEST_CASE("process alive: no number of a process") {
  CHECK_FALSE(process_alive({0, 0}));
  CHECK_FALSE(process_alive({-1, 0}));
  CHECK_FALSE(process_alive({1L << 30, 0}));
}

TEST_CASE("process alive: the first process is, even if it belongs to another user") {
  CHECK(process_alive({1, 0}));
}

TEST_CASE("process alive: a child that has ended is not, waited for or not") {
  int pipe_ends[2];
  REQUIRE(::pipe(pipe_ends) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    char byte = 0;
    ::close(pipe_ends[1]);
    (void)!::read(pipe_ends[0], &byte, 1);
    ::_exit(0);
  }
  ::close(pipe_ends[0]);
  CHECK(process_alive({child, 0}));
  ::close(pipe_ends[1]);
  siginfo_t info{};
  REQUIRE(::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT) == 0);
  CHECK_FALSE(process_alive({child, 0}));
  REQUIRE(::waitpid(child, nullptr, 0) == child);
  CHECK_FALSE(process_alive({child, 0}));
}

TEST_CASE("process alive: only the very process is asked to end, not a later one of its number") {
  struct sigaction ends {};  // the default action from the start, not the test program's
  ends.sa_handler = SIG_DFL;
  struct sigaction before {};
  REQUIRE(::sigaction(SIGTERM, &ends, &before) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::pause();
    ::_exit(0);
  }
  REQUIRE(::sigaction(SIGTERM, &before, nullptr) == 0);
  long long ticks = 0;
  {
    std::ifstream stat("/proc/" + std::to_string(child) + "/stat");
    std::string field;
    for (int i = 0; i < 22; ++i) stat >> field;  // the process name has no blank
    ticks = std::stoll(field);
  }
  const Status other = end_process({child, ticks + 1});
  REQUIRE_FALSE(other.ok());
  CHECK(other.error().message == "process " + std::to_string(child) + ": is gone");
  CHECK_FALSE(end_process({child, 0}).ok());
  siginfo_t info{};
  REQUIRE(::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG) == 0);
  CHECK(info.si_pid == 0);
  CHECK(end_process({child, ticks}).ok());
  REQUIRE(::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED) == 0);
  CHECK(info.si_code == CLD_KILLED);
  CHECK(info.si_status == SIGTERM);
  CHECK_FALSE(end_process({child, ticks}).ok());
}

}  // namespace pedro
