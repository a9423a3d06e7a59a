#include "sys/child_program.h"

#include <doctest/doctest.h>
#include <signal.h>

#include "support/temp_folder.h"

namespace pedro {
namespace {

struct Programs {
  ChildProgram& start(const std::string& script) {
    auto started = ChildProgram::start(
        {"/bin/sh", "-c", script}, [this](StandardStream stream, std::string_view line) {
          heard += stream == StandardStream::kError ? "err " : "out ";
          heard.append(line).append("\n");
        });
    REQUIRE(started.ok());
    all.push_back(*std::move(started));
    return *all.back();
  }
  void wait_for(const ChildProgram& program) {
    std::vector<ChildProgram*> waiting;
    for (const auto& one : all) waiting.push_back(one.get());
    for (int i = 0; i < 1000 && !program.exit_code(); ++i) ChildProgram::wait(waiting, 100);
    REQUIRE(program.exit_code());
  }
  std::string heard;
  std::vector<std::unique_ptr<ChildProgram>> all;
};

}  // namespace

TEST_CASE("child program: gives its lines, also the last without a newline, and its exit code") {
  Programs programs;
  const ChildProgram& program = programs.start("echo one; cat; printf last; exit 3");
  programs.wait_for(program);
  CHECK(*program.exit_code() == 3);
  CHECK(programs.heard == "out one\nout last\n");
  programs.heard.clear();
  programs.wait_for(programs.start("echo two >&2"));
  CHECK(programs.heard == "err two\n");
}

TEST_CASE("child program: variables are added to ours, or replace them") {
  std::string heard;
  auto program = ChildProgram::start({"/bin/sh", "-c", "echo $PEDRO_NEW $LANGUAGE ${PATH:+path}"},
                                     [&](StandardStream, std::string_view line) { heard = line; },
                                     {{"PEDRO_NEW", "new"}, {"LANGUAGE", "other"}});
  REQUIRE(program.ok());
  while (!(*program)->exit_code()) ChildProgram::wait({program->get()}, 100);
  CHECK(heard == "new other path");
}

TEST_CASE("child program: with a pipe as input, it reads data written while it runs") {
  std::string heard;
  auto program = ChildProgram::start(
      {"/bin/sh", "-c", "read a; echo got $a; read b; echo $b"},
      [&](StandardStream, std::string_view line) { heard += line; }, {}, ChildInput::kPipe);
  REQUIRE(program.ok());
  (*program)->write("one\n");
  while (heard != "got one") ChildProgram::wait({program->get()}, 100);
  (*program)->write("two\n");
  while (!(*program)->exit_code()) ChildProgram::wait({program->get()}, 100);
  CHECK(heard == "got onetwo");
  (*program)->write("not read by anyone\n");
}

TEST_CASE("child program: several run at once, and one ends on a signal") {
  Programs programs;
  ChildProgram& first = programs.start("echo up; exec sleep 100");
  programs.wait_for(programs.start("exit 1"));
  CHECK_FALSE(first.exit_code());
  first.signal(SIGTERM);
  programs.wait_for(first);
  CHECK(*first.exit_code() == 128 + SIGTERM);
}

TEST_CASE("child program: ignored signals stay ignored, except for SIGPIPE") {
  const auto pipe = ::signal(SIGPIPE, SIG_IGN);
  const auto hangup = ::signal(SIGHUP, SIG_IGN);
  Programs programs;
  programs.wait_for(programs.start("kill -HUP $$; echo stays; kill -PIPE $$; echo not ended"));
  ::signal(SIGHUP, hangup);
  ::signal(SIGPIPE, pipe);
  CHECK(programs.heard == "out stays\n");
  CHECK(*programs.all.back()->exit_code() == 128 + SIGPIPE);
}

TEST_CASE("child program: a failed start ends with 127, and large output is complete") {
  Programs programs;
  auto none = ChildProgram::start({"/no/such"}, [](StandardStream, std::string_view) {});
  REQUIRE(none.ok());
  while (!(*none)->exit_code()) ChildProgram::wait({none->get()}, 100);
  CHECK(*(*none)->exit_code() == 127);
  programs.wait_for(programs.start("yes | head -c 1000000"));
  CHECK(programs.heard.size() == 500'000 * 6);
}

}  // namespace pedro
