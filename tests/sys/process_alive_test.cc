#include "sys/process_alive.h"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace pedro {

TEST_CASE("process alive: this one is, and is told from another with its number") {
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

TEST_CASE("process alive: the first process is, though it may belong to somebody else") {
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

}  // namespace pedro
