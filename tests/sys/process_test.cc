#include "sys/process.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "base/text.h"
#include "support/temp_folder.h"

namespace pedro {
namespace {

ProcessResult run(const Command& command) {
  RealProcessRunner runner;
  Result<ProcessResult> result = runner.run(command, CancelToken());
  if (!result.ok()) FAIL(result.error().message);
  return *result;
}

ProcessResult shell(const std::string& script) {
  return run({.argv = {"sh", "-c", script}});
}

Error failure(const Command& command) {
  RealProcessRunner runner;
  const Result<ProcessResult> result = runner.run(command, CancelToken());
  REQUIRE_FALSE(result.ok());
  return result.error();
}

/// Returns true if the process with this number is gone, and is not a zombie child of the test.
bool is_gone(const std::string& number) {
  const int pid = std::stoi(number);
  REQUIRE(pid > 1);
  return ::kill(pid, 0) != 0 && errno == ESRCH;
}

/// Waits up to 20 s for a file that the child writes. For tests that act on a running child.
void wait_for(const std::string& path) {
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!std::filesystem::exists(path) && std::chrono::steady_clock::now() < give_up) {
    std::this_thread::yield();
  }
}

}  // namespace

TEST_CASE("process: output, error and exit code") {
  const ProcessResult result = shell("echo out; echo err >&2; exit 3");
  CHECK(result.exit_code == 3);
  CHECK_FALSE(result.ok());
  CHECK(result.out == "out\n");
  CHECK(result.err == "err\n");
  CHECK_FALSE(result.timed_out);
  CHECK_FALSE(result.left_children);
  CHECK(run({.argv = {"true"}}).ok());
}

TEST_CASE("process: arguments reach the program as they are, without a shell") {
  CHECK(run({.argv = {"printf", "%s|", "a b", "", "$HOME", "\xC3\xA4\n"}}).out ==
        "a b||$HOME|\xC3\xA4\n|");
}

TEST_CASE("process: merged streams keep their order") {
  const ProcessResult result =
      run({.argv = {"sh", "-c", "echo 1; echo 2 >&2; echo 3"}, .merge_streams = true});
  CHECK(result.out == "1\n2\n3\n");
  CHECK(result.err.empty());
}

TEST_CASE("process: a signal is 128 + its number") {
  const ProcessResult result = shell("kill -SEGV $$");
  CHECK(result.exit_code == 128 + SIGSEGV);
}

TEST_CASE("process: why a command does not start") {
  const TempFolder folder;
  const std::string plain = folder.write("plain", "#!/bin/sh\n");
  const std::string lost = folder.write("lost", "#!/no/such/interpreter\n");
  const std::string bare = folder.write("bare", "echo\n");
  for (const std::string& path : {lost, bare}) REQUIRE(::chmod(path.c_str(), 0755) == 0);
  struct Row {
    Command command;
    std::string message;
  };
  const std::vector<Row> rows = {
      {{}, "the command is empty"},
      {{.argv = {""}}, "the command is empty"},
      {{.argv = {"no-such-program"}}, "no-such-program: not found in PATH"},
      {{.argv = {"plain"}, .environment = {{"PATH", folder.path()}}}, "plain: permission denied"},
      {{.argv = {"./plain"}, .folder = folder.path()}, "./plain: permission denied"},
      {{.argv = {folder.path()}}, folder.path() + ": permission denied"},
      {{.argv = {"/no/such"}}, "/no/such: no such file"},
      {{.argv = {lost}}, lost + ": its interpreter (#! line) does not exist"},
      {{.argv = {bare}}, bare + ": neither a program nor a script with a #! line"},
      {{.argv = {"true"}, .folder = "/no/such"}, "/no/such: No such file or directory"},
      {{.argv = {"true"}, .folder = plain}, plain + ": Not a directory"},
      {{.argv = {"echo", std::string("a\0b", 3)}}, "echo: an argument contains a NUL byte"},
      {{.argv = {"echo", std::string(200'000, 'x')}}, "echo: Argument list too long"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.message);
    const Error error = failure(row.command);
    CHECK(error.kind == ErrorKind::kUsage);
    CHECK(error.message == row.message);
  }
}

TEST_CASE("process: relative folders in PATH are passed over") {
  const TempFolder folder;
  const std::string program = folder.write("tool", "#!/bin/sh\necho mine\n");
  REQUIRE(::chmod(program.c_str(), 0755) == 0);
  const std::string path = ".::" + folder.path();
  CHECK(run({.argv = {"tool"}, .folder = "/", .environment = {{"PATH", path}}}).out == "mine\n");
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  const Error error = failure({.argv = {"tool"}, .environment = {{"PATH", ".:"}}});
  std::filesystem::current_path(before);
  CHECK(error.message == "tool: not found in PATH");
  CHECK(RealProcessRunner().find("sh").ends_with("/sh"));
  CHECK(RealProcessRunner().find("no-such-program").empty());
}

TEST_CASE("process: the environment keeps programs from waiting for input") {
  REQUIRE(::setenv("PAGER", "less", 1) == 0);
  REQUIRE(::setenv("PEDRO_INHERITED", "yes", 1) == 0);
  const TempFolder folder;
  const ProcessResult result =
      run({.argv = {"sh", "-c",
                    "echo $PAGER $GIT_PAGER $GIT_TERMINAL_PROMPT $CI $TERM $PEDRO_INHERITED; "
                    "echo $PWD; pwd"},
           .folder = folder.path(),
           .environment = {{"TERM", "xterm"}}});
  CHECK(result.out == "cat cat 0 1 xterm yes\n" + folder.path() + "\n" + folder.path() + "\n");
}

TEST_CASE("process: the command leads a session of its own and has no terminal") {
  CHECK(shell("test $$ = $(cut -d' ' -f6 /proc/$$/stat) && echo leads").out == "leads\n");
  CHECK(shell("(: < /dev/tty) 2>/dev/null || echo none").out == "none\n");
}

TEST_CASE("process: a pedrocli below a pedrocli belongs to both runs") {
  REQUIRE(::setenv("PEDROCLI_RUN", "outer", 1) == 0);
  const std::string inner = shell("echo $PEDROCLI_RUN").out;
  REQUIRE(::unsetenv("PEDROCLI_RUN") == 0);
  CHECK(inner.starts_with("outer:run-"));
}

TEST_CASE("process: the child gets no descriptor but the first three") {
  const int open_one = ::open("/dev/null", O_RDONLY);  // without close-on-exec
  REQUIRE(open_one > 2);
  // The fourth descriptor is the folder that ls reads.
  CHECK(run({.argv = {"ls", "/proc/self/fd"}}).out == "0\n1\n2\n3\n");
  ::close(open_one);
}

TEST_CASE("process: the child starts with default signals") {
  const auto old = ::signal(SIGPIPE, SIG_IGN);
  sigset_t blocked;
  sigset_t before;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGTERM);
  REQUIRE(::pthread_sigmask(SIG_BLOCK, &blocked, &before) == 0);
  const ProcessResult result = run({.argv = {"grep", "-E", "SigBlk|SigIgn", "/proc/self/status"}});
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  ::signal(SIGPIPE, old);
  const std::vector<std::string_view> lines = split_lines(result.out);
  REQUIRE(lines.size() == 2);
  CHECK(lines[0] == "SigBlk:\t0000000000000000");
  // glibc reserves the signals 32 and 33, which are always ignored.
  const unsigned long ignored = std::stoul(std::string(lines[1].substr(8)), nullptr, 16);
  CHECK((ignored & ~0x180000000ul) == 0);
}

TEST_CASE("process: exit codes survive an ignored SIGCHLD") {
  const auto old = ::signal(SIGCHLD, SIG_IGN);
  CHECK(shell("exit 7").exit_code == 7);
  ::signal(SIGCHLD, old);
}

TEST_CASE("process: stdin is empty or the given text") {
  CHECK(run({.argv = {"cat"}}).out.empty());
  CHECK(run({.argv = {"cat"}, .input = "hello\n"}).out == "hello\n");
  CHECK(run({.argv = {"cat"}, .input = ""}).out.empty());
  CHECK(run({.argv = {"cat", "/dev/stdin"}, .input = "again"}).out == "again");
}

TEST_CASE("process: much input to a child that answers as it reads, or does not read") {
  std::string input;
  for (int i = 0; i < 400'000; ++i) input += "0123456789\n";
  const ProcessResult echoed =
      run({.argv = {"cat"}, .input = input, .max_output_bytes = input.size()});
  CHECK(echoed.out.size() == input.size());
  CHECK(echoed.out == input);
  CHECK(run({.argv = {"true"}, .input = input}).ok());
}

TEST_CASE("process: output is made printable") {
  CHECK(shell("printf 'a\\r\\nb\\377\\033[1m'").out == "a\r\nb\xEF\xBF\xBD\xEF\xBF\xBD[1m");
}

TEST_CASE("process: a flood costs no memory, and head, tail and count are right") {
  rusage before{};
  ::getrusage(RUSAGE_SELF, &before);
  const ProcessResult result = run({.argv = {"sh", "-c",
                                             "echo first; head -c 100000000 /dev/zero | "
                                             "tr '\\000' x; echo; echo last"},
                                    .max_output_bytes = 1000});
  rusage after{};
  ::getrusage(RUSAGE_SELF, &after);
  CHECK(result.out.starts_with("first\nxxx"));
  CHECK(result.out.ends_with("xxx\nlast\n"));
  CHECK(result.out.find("\n[... 0 lines, 99999012 bytes left out ...]\n") != std::string::npos);
  CHECK(result.out_cut);
  CHECK_FALSE(run({.argv = {"echo", "[... 0 lines, 9 bytes left out ...]"}}).out_cut);
  CHECK(after.ru_maxrss - before.ru_maxrss < 64 * 1024);  // KiB
}

TEST_CASE("process: an endless flood ends at the deadline") {
  const ProcessResult result = run({.argv = {"yes"}, .timeout_s = 0.2, .max_output_bytes = 1000});
  CHECK(result.timed_out);
  CHECK_FALSE(result.ok());
  CHECK(result.exit_code == 128 + SIGINT);
  CHECK(result.out.starts_with("y\ny\n"));
}

TEST_CASE("process: an endless loop is ended by the limit for loops") {
  for (const char* script : {"while :; do :; done", "setsid sh -c 'while :; do :; done' & wait",
                             "echo a; python3 -c 'while True: pass'; true"}) {
    CAPTURE(script);
    const ProcessResult result =
        run({.argv = {"sh", "-c", script}, .timeout_s = 30, .spin_timeout_s = 0.8});
    CHECK(result.spin_s == 0.8);
    CHECK(result.idle_s == 0);
    CHECK(result.timed_out);
    CHECK(result.duration_s >= 0.8);
    CHECK(result.duration_s < 20);
  }
}

TEST_CASE("process: a command that reads, writes, prints or starts others is in no endless loop") {
  for (const char* script :
       {"for i in 1 2 3 4 5 6; do timeout 0.3 sh -c 'while :; do :; done'; done; true",
        "timeout 2 sh -c 'while :; do read x < /etc/passwd; done'; true",
        "timeout 2 sh -c 'while :; do echo > /dev/null; done'; true",
        "exec 2>/dev/null; for i in 1 2 3 4; do echo .; sleep 0.5; done"}) {
    CAPTURE(script);
    const ProcessResult result =
        run({.argv = {"sh", "-c", script}, .timeout_s = 30, .spin_timeout_s = 0.9});
    CHECK(result.spin_s == 0);
    CHECK(result.ok());
  }
}

TEST_CASE(
    "process: at its limit, a program is interrupted as by Ctrl-C and can report its position") {
  const TempFolder folder;
  folder.write("loop.py", "def spin():\n    while True:\n        pass\n\nspin()\n");
  for (const char* script : {"python3 loop.py", "sh -c 'python3 loop.py; exit 3'"}) {
    CAPTURE(script);
    const ProcessResult result = run({.argv = {"sh", "-c", script},
                                      .folder = folder.path(),
                                      .timeout_s = 1.5,
                                      .merge_streams = true});
    CHECK(result.timed_out);
    CHECK(result.out.find("KeyboardInterrupt") != std::string::npos);
    CHECK(result.out.find("in spin") != std::string::npos);
  }
}

TEST_CASE("process: a silent and inactive program ends before its deadline") {
  const auto idle = [](const char* script) {
    return run({.argv = {"sh", "-c", script}, .timeout_s = 20, .idle_timeout_s = 0.6});
  };
  for (const char* script :
       {"sleep 300", "echo a; sleep 300 | cat", "setsid sleep 300; true", "sleep 300 & wait"}) {
    CAPTURE(script);
    const ProcessResult result = idle(script);
    CHECK(result.idle_s == 0.6);
    CHECK(result.timed_out);
    CHECK_FALSE(result.ok());
    CHECK(result.duration_s >= 0.6);
  }
}

TEST_CASE("process: a program that computes, prints or starts others is not idle") {
  // Counts in the shell alone for more than a second, however fast the machine is.
  const std::string work =
      "end=$(($(date +%s) + 2)); while [ $(date +%s) -lt $end ]; do i=0; "
      "while [ $i -lt 50000 ]; do i=$((i+1)); done; done";
  for (const std::string& script :
       {work, std::string("for i in 1 2 3 4 5 6; do sleep 0.3; done"),
        std::string("exec 2>/dev/null; for i in 1 2 3; do echo .; sleep 0.5; done"),
        "setsid sh -c '" + work + "' & wait",
        "mkfifo f; (setsid sh -c '" + work + "; echo > f' &); read x < f"}) {
    CAPTURE(script);
    const TempFolder folder;
    const ProcessResult result = run({.argv = {"sh", "-c", script},
                                      .folder = folder.path(),
                                      .timeout_s = 60,
                                      .idle_timeout_s = 0.9});
    CHECK(result.idle_s == 0);
    CHECK(result.ok());
    CHECK(result.duration_s > 0.9);
  }
}

TEST_CASE("process: the deadline ends the whole group, politely first") {
  const TempFolder folder;
  const ProcessResult result = run({.argv = {"sh", "-c",
                                             "trap 'echo bye; exit 9' TERM; sleep 300 & "
                                             "echo $! > pid; wait"},
                                    .folder = folder.path(),
                                    .timeout_s = 0.3});
  CHECK(result.timed_out);
  CHECK(result.exit_code == 9);
  CHECK(result.out == "bye\n");
  CHECK(is_gone(folder.read("pid")));
}

TEST_CASE("process: a program that ignores SIGTERM is killed two seconds later") {
  const TempFolder folder;
  const ProcessResult result = run({.argv = {"sh", "-c",
                                             "trap '' TERM; sleep 300 & echo $! > pid; "
                                             "while :; do wait; done"},
                                    .folder = folder.path(),
                                    .timeout_s = 0.2});
  CHECK(result.timed_out);
  CHECK(result.exit_code == 128 + SIGKILL);
  CHECK(result.duration_s > 2);
  CHECK(is_gone(folder.read("pid")));
}

TEST_CASE("process: a child that outlives the command is ended, though it holds the pipe") {
  const TempFolder folder;
  const ProcessResult result =
      run({.argv = {"sh", "-c", "sleep 300 & echo $! > pid; echo done"}, .folder = folder.path()});
  CHECK(result.ok());
  CHECK(result.left_children);
  CHECK(result.out == "done\n");
  CHECK(is_gone(folder.read("pid")));
}

TEST_CASE("process: a child that ends soon after the command loses nothing") {
  const ProcessResult result = shell("(read x < /dev/null; echo late) & exit 0");
  CHECK_FALSE(result.left_children);
  CHECK(result.out == "late\n");
}

TEST_CASE("process: a daemon that left session and pipes is ended too") {
  const TempFolder folder;
  const ProcessResult result =
      run({.argv = {"sh", "-c",
                    "setsid sh -c 'echo $$ > pid; exec sleep 300' >/dev/null 2>&1 & "
                    "while ! test -s pid; do :; done; echo started"},
           .folder = folder.path()});
  CHECK(result.ok());
  CHECK(result.left_children);
  CHECK(result.out == "started\n");
  CHECK(is_gone(folder.read("pid")));
}

TEST_CASE("process: at the deadline also a daemon is ended") {
  const TempFolder folder;
  const ProcessResult result =
      run({.argv = {"sh", "-c", "setsid sh -c 'echo $$ > pid; exec sleep 300' & wait"},
           .folder = folder.path(),
           .timeout_s = 0.5});
  CHECK(result.timed_out);
  CHECK(is_gone(folder.read("pid")));
}

TEST_CASE("process: a daemon that has emptied its environment is ended too") {
  const TempFolder folder;
  const ProcessResult result =
      run({.argv = {"sh", "-c",
                    "env -i setsid /bin/sh -c 'echo $$ > pid; exec /bin/sleep 300' & "
                    "while ! test -s pid; do sleep 0.01; done"},
           .folder = folder.path()});
  CHECK(result.ok());
  CHECK(result.left_children);
  CHECK(is_gone(folder.read("pid")));
}

TEST_CASE("process: runs on two threads leave each other alone") {
  const auto many = [] {
    for (int i = 0; i < 20; ++i) {
      const ProcessResult result = shell("sleep 0.01 & wait; exec env -i /bin/echo ok");
      if (result.out != "ok\n" || !result.ok() || result.left_children) return false;
    }
    return true;
  };
  bool other_good = false;
  std::thread other([&] { other_good = many(); });
  const bool good = many();
  other.join();
  CHECK(good);
  CHECK(other_good);
}

TEST_CASE("process: cancelling ends it") {
  const TempFolder folder;
  CancelToken cancel;
  RealProcessRunner runner;
  std::thread user([&] {
    wait_for(folder.at("pid"));
    cancel.cancel(SIGINT);
  });
  const auto start = std::chrono::steady_clock::now();
  const Result<ProcessResult> result = runner.run(
      {.argv = {"sh", "-c", "echo $$ > tmp; mv tmp pid; exec sleep 300"}, .folder = folder.path()},
      cancel);
  user.join();
  REQUIRE_FALSE(result.ok());
  CHECK(result.error().kind == ErrorKind::kInterrupted);
  CHECK(result.error().message == "stopped by signal 2");
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(2));
  CHECK(is_gone(folder.read("pid")));
}

TEST_CASE("process: nothing starts once it is cancelled") {
  const TempFolder folder;
  CancelToken cancel;
  cancel.cancel(SIGTERM);
  const Result<ProcessResult> result =
      RealProcessRunner().run({.argv = {"touch", folder.at("x")}}, cancel);
  REQUIRE_FALSE(result.ok());
  CHECK(result.error().message == "stopped by signal 15");
  CHECK_FALSE(std::filesystem::exists(folder.at("x")));
}

TEST_CASE("process: the fake one answers and records") {
  FakeProcessRunner runner;
  runner.installed = {"rg"};
  runner.answer = [](const Command&) { return ProcessResult{.out = "x"}; };
  CHECK(runner.run({.argv = {"rg", "a"}}, CancelToken())->out == "x");
  CHECK(runner.commands.at(0).argv == std::vector<std::string>{"rg", "a"});
  CHECK(runner.find("rg") == "/usr/bin/rg");
  CHECK(runner.find("ctags").empty());
}

}  // namespace pedro
