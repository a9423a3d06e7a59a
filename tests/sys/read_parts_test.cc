#include "sys/read_parts.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include "sys/descriptor.h"

using namespace pedro;

namespace {

// A pipe with a path. The reading end must be open as long as the path is used.
struct Pipe {
  Pipe() {
    int ends[2] = {-1, -1};
    REQUIRE(::pipe2(ends, O_CLOEXEC) == 0);
    out.reset(ends[0]);
    in.reset(ends[1]);
  }
  std::string path() const { return fmt::format("/proc/self/fd/{}", out.get()); }

  Descriptor out;
  Descriptor in;
};

int g_written = -1;  // for the signal handler

void write_and_close(int) {
  (void)!::write(g_written, "late", 4);
  ::close(g_written);
}

}  // namespace

TEST_CASE("read_parts: a stream is read to its end, up to a limit") {
  for (const std::size_t most : {5, 4}) {
    CAPTURE(most);
    Pipe pipe;
    REQUIRE(write_all(pipe.in.get(), "a\nb\nc") == 0);
    pipe.in.reset(-1);
    const Result<std::string> text = read_stream(pipe.path(), most, CancelToken());
    REQUIRE(text.ok() == (most == 5));
    if (text) CHECK(*text == "a\nb\nc");
    if (!text) CHECK(text.error().kind == ErrorKind::kUsage);
    if (!text) CHECK(text.error().message == pipe.path() + ": more than the limit of 4 bytes");
  }
}

TEST_CASE("read_parts: a signal that cancels nothing does not end a read") {
  Pipe pipe;
  g_written = ::dup(pipe.in.get());
  pipe.in.reset(-1);
  struct sigaction action {};
  struct sigaction before {};
  action.sa_handler = write_and_close;  // without SA_RESTART
  REQUIRE(::sigaction(SIGALRM, &action, &before) == 0);
  itimerval soon{};
  soon.it_value.tv_usec = 50'000;
  REQUIRE(::setitimer(ITIMER_REAL, &soon, nullptr) == 0);
  const Result<std::string> text = read_stream(pipe.path(), 100, CancelToken());
  ::sigaction(SIGALRM, &before, nullptr);
  REQUIRE(text.ok());
  CHECK(*text == "late");
}

TEST_CASE("read_parts: a cancelled read says by which signal") {
  Pipe pipe;
  CancelToken cancel;
  cancel.cancel(SIGINT);
  const Result<std::string> text = read_stream(pipe.path(), 100, cancel);
  REQUIRE(!text.ok());
  CHECK(text.error().kind == ErrorKind::kInterrupted);
  CHECK(text.error().message == "stopped by signal 2");
}
