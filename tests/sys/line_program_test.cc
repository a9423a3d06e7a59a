#include "sys/line_program.h"

#include <doctest/doctest.h>

#include "support/marked_processes.h"

namespace pedro {
namespace {

// A script of sh as such a program.
struct LineScript {
  explicit LineScript(const std::string& script) {
    auto started = LineProgram::start(
        runner, {.argv = {"sh", "-c", script}, .environment = {{"PEDRO_LINE_TEST", "1"}}});
    REQUIRE(started.ok());
    program = *std::move(started);
  }
  // Returns the line, "(none)" after the timeout, or the error.
  std::string read(double timeout_s = 5) {
    const auto line = program->read_line(timeout_s, cancel);
    if (!line) return "error: " + line.error().message;
    return line->value_or("(none)");
  }

  RealProcessRunner runner;
  CancelToken cancel;
  std::unique_ptr<LineProgram> program;
};

}  // namespace

TEST_CASE("line program: lines go both ways until it ends, with its exit code and last words") {
  LineScript bench(
      "while read -r line; do echo \"got $line\"; [ \"$line\" = end ] && exit 3; done; "
      "echo first >&2; echo last words >&2");
  CHECK(bench.program->write_line("one", 5, bench.cancel).ok());
  CHECK(bench.read() == "got one");
  CHECK(bench.read(0.05) == "(none)");
  CHECK(bench.program->write_line("end", 5, bench.cancel).ok());
  CHECK(bench.read() == "got end");
  CHECK(bench.read() == "error: sh: ended with exit code 3");
  CHECK(bench.read() == "error: sh: ended with exit code 3");
  LineScript words("echo first >&2; echo last words >&2");
  CHECK(words.read() == "error: sh: ended with exit code 0: last words");
}

TEST_CASE("line program: a long line, a full pipe and a missing program are errors") {
  LineScript endless("while :; do printf %65536s x; done");
  CHECK(endless.read() == "error: sh: wrote a line of more than 4 MiB");
  CHECK(endless.read() == "error: sh: wrote a line of more than 4 MiB");
  LineScript deaf("sleep 100");
  const Status written = deaf.program->write_line(std::string(1 << 20, 'x'), 0.2, deaf.cancel);
  REQUIRE_FALSE(written.ok());
  CHECK(written.error().message == "sh: reads nothing for 0.2 s");
  RealProcessRunner runner;
  const CancelToken cancel;
  auto missing = LineProgram::start(runner, {.argv = {"no-such-program"}});
  REQUIRE(missing.ok());
  const auto line = (*missing)->read_line(5, cancel);
  REQUIRE_FALSE(line.ok());
  CHECK(line.error().message == "no-such-program: not found in PATH");
}

TEST_CASE("line program: output is read while a long line is written") {
  LineScript bench(
      "i=0; while [ $i -lt 3000 ]; do echo 0123456789012345678901234567890123456789; "
      "i=$((i+1)); done; read -r line; echo ${#line}");
  CHECK(bench.program->write_line(std::string(100'000, 'x'), 5, bench.cancel).ok());
  for (int i = 0; i < 3000; ++i) bench.read();
  CHECK(bench.read() == "100000");
}

TEST_CASE("line program: all its processes end with the object") {
  { LineScript bench("sleep 1000 & trap '' TERM; while :; do sleep 1; done"); }
  CHECK(of_marked_processes("PEDRO_LINE_TEST=1", "cmdline").empty());
}

}  // namespace pedro
