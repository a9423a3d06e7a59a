#include "sys/child_program.h"

#include <doctest/doctest.h>
#include <signal.h>

#include "support/temp_folder.h"

namespace pedro {
namespace {

struct Bench {
  ChildProgram& start(const std::string& script) {
    auto started = ChildProgram::start(
        {"/bin/sh", "-c", script}, [this](StandardStream stream, std::string_view line) {
          heard += stream == StandardStream::kError ? "err " : "out ";
          heard.append(line).append("\n");
        });
    REQUIRE(started.ok());
    programs.push_back(*std::move(started));
    return *programs.back();
  }
  void wait_for(const ChildProgram& program) {
    std::vector<ChildProgram*> all;
    for (const auto& one : programs) all.push_back(one.get());
    for (int i = 0; i < 1000 && !program.exit_code(); ++i) ChildProgram::wait(all, 100);
    REQUIRE(program.exit_code());
  }
  std::string heard;
  std::vector<std::unique_ptr<ChildProgram>> programs;
};

}  // namespace

TEST_CASE("child program: its lines are heard, the last without a newline too, and how it ended") {
  Bench bench;
  const ChildProgram& program = bench.start("echo one; cat; printf last; exit 3");
  bench.wait_for(program);
  CHECK(*program.exit_code() == 3);
  CHECK(bench.heard == "out one\nout last\n");
  bench.heard.clear();
  bench.wait_for(bench.start("echo two >&2"));
  CHECK(bench.heard == "err two\n");
}

TEST_CASE("child program: several run at once, and one that is told to ends") {
  Bench bench;
  ChildProgram& first = bench.start("echo up; exec sleep 100");
  bench.wait_for(bench.start("exit 1"));
  CHECK_FALSE(first.exit_code());
  first.signal(SIGTERM);
  bench.wait_for(first);
  CHECK(*first.exit_code() == 128 + SIGTERM);
}

TEST_CASE("child program: what cannot be started ends with 127, much output is all heard") {
  Bench bench;
  auto none = ChildProgram::start({"/no/such"}, [](StandardStream, std::string_view) {});
  REQUIRE(none.ok());
  while (!(*none)->exit_code()) ChildProgram::wait({none->get()}, 100);
  CHECK(*(*none)->exit_code() == 127);
  bench.wait_for(bench.start("yes | head -c 1000000"));
  CHECK(bench.heard.size() == 500'000 * 6);
}

}  // namespace pedro
