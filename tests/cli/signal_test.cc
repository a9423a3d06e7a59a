// Sends signals to a job while one of its commands runs.
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "base/clock.h"
#include "base/json.h"
#include "cli/program.h"
#include "cli/replies.h"

namespace pedro {
namespace {

struct SignalBench : Program {
  SignalBench() {
    folder.write("project/a.txt", "bad\n");
    commit_project();
  }

  // Writes the replies of a build whose third reply runs `command`.
  void write_replies(const std::string& command) const {
    folder.write("replies",
                 typed({call("phase_complete", {{"summary", "bad"}, {"files", {"a.txt"}}}),
                        call("phase_complete",
                             {{"steps", {{{"file", "a.txt"}, {"change", "x"}}}}, {"test", "t"}}),
                        call("bash", {{"action", "run"}, {"command", command}})}));
  }

  // Runs such a build, whose command creates the file `started`, and then the shell script
  // `script`. In the script, $job is the build's process id.
  std::string with_command(const std::string& command, const std::string& script) {
    write_replies(command);
    return shell(
               "\"$0\" build -description x -test-cmd true -backend manual <../replies "
               ">../out 2>../err & job=$!\n"
               "until [ -e started ]; do sleep 0.02; done\n" +
               script)
        .out;
  }
};

}  // namespace

TEST_CASE("signals: each ends a job with its work on its branch, and reports it") {
  for (const auto& [name, code] : std::vector<std::pair<std::string, int>>{
           {"INT", 130}, {"TERM", 143}, {"HUP", 129}, {"QUIT", 131}}) {
    CAPTURE(name);
    SignalBench bench;
    const std::string out = bench.with_command("touch started; exec sleep 50",
                                               "kill -" + name + " $job; wait $job; echo $?");
    CAPTURE(bench.folder.read("err"));
    CHECK(out == std::to_string(code) + "\n");
    CHECK(bench.git({"log", "-1", "--format=%s", bench.job_branch()}).starts_with("wip: "));
    CHECK(bench.git({"status", "--porcelain", "--branch"}) == "## main\n");
    const ProcessResult status = bench.run({"status", "-json"});
    CHECK(text_of(*parse_json(status.out), "state") == "interrupted");
  }
}

TEST_CASE("signals: the second one does not wait for anything, and no command lives on") {
  SignalBench bench;
  // Git keeps the ignored file, even if the first signal has time to leave the branch.
  bench.folder.write("project/.git/info/exclude", "beat\n");
  const std::string out = bench.with_command(
      "trap '' TERM INT; while :; do date +%N >beat; touch started; sleep 0.1; done",
      "kill -INT $job; sleep 0.05; kill -0 $job && kill -INT $job; wait $job; echo $?\n"
      "for i in {1..20}; do cp beat ../one; sleep 0.5; cmp -s ../one beat && { echo dead; break; "
      "}; "
      "done");
  CHECK(out == "130\ndead\n");
  const ProcessResult status = bench.run({"status", "-json"});
  CHECK(text_of(*parse_json(status.out), "state") == "died");
  const ProcessResult next = bench.run({"resume", "-max-rounds", "2"});
  CAPTURE(next.err);
  CHECK(next.exit_code == 6);  // the process released its lock, and the log is complete
}

TEST_CASE("signals: closing the terminal ends its job, which can be resumed") {
  SignalBench bench;
  bench.write_replies("touch started; exec sleep 50");
  int terminal = -1;
  const pid_t child = ::forkpty(&terminal, nullptr, nullptr, nullptr);
  REQUIRE(child >= 0);
  if (child == 0) {
    for (const auto& [name, value] : bench.environment()) {
      ::setenv(name.c_str(), value.c_str(), 1);
    }
    const int replies = ::open(bench.folder.at("replies").c_str(), O_RDONLY);
    if (::chdir(bench.project().c_str()) != 0 || ::dup2(replies, 0) != 0) ::_exit(99);
    ::execl(PEDROCLI_PROGRAM, PEDROCLI_PROGRAM, "build", "-description", "x", "-test-cmd", "true",
            "-backend", "manual", nullptr);
    ::_exit(99);
  }
  std::string shown;
  char part[4096];
  while (!std::filesystem::exists(bench.project() + "/started")) {
    pollfd waiting{.fd = terminal, .events = POLLIN, .revents = 0};
    if (::poll(&waiting, 1, 20) == 0) continue;
    const ssize_t count = ::read(terminal, part, sizeof part);
    if (count <= 0) break;
    shown.append(part, static_cast<std::size_t>(count));
  }
  CAPTURE(shown);
  CHECK(shown.find("bash run") != std::string::npos);
  ::close(terminal);
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 128 + SIGHUP);
  CHECK(bench.git({"log", "-1", "--format=%s", bench.job_branch()}).starts_with("wip: "));
  CHECK(bench.git({"status", "--porcelain"}).empty());
  CHECK(text_of(*parse_json(bench.run({"status", "-json"}).out), "state") == "interrupted");
  const ProcessResult next = bench.run({"resume", "-max-rounds", "2"});
  CAPTURE(next.err);
  CHECK(next.exit_code == 6);
}

TEST_CASE("signals: a job that was begun with nohup does not hear the terminal go") {
  SignalBench bench;
  const std::string out =
      bench.with_command("touch started; exec sleep 50",
                         "kill -TERM $job; wait $job\n"
                         "rm -f started; (trap '' HUP; exec \"$0\" build -description y -test-cmd "
                         "true -backend manual "
                         "-allow-dirty <../replies >../out 2>../err) & job=$!\n"
                         "until [ -e started ]; do sleep 0.02; done\n"
                         "kill -HUP $job; sleep 0.5; kill -0 $job && echo alive\n"
                         "kill -TERM $job; wait $job; echo $?");
  CHECK(out == "alive\n143\n");
}

TEST_CASE("signals: output to a closed pipe is reported, and the job completes") {
  SignalBench bench;
  bench.folder.write(
      "replies",
      typed({call("phase_complete", {{"summary", "bad"}, {"files", {"a.txt"}}}),
             call("phase_complete",
                  {{"steps", {{{"file", "a.txt"}, {"change", "x"}}}}, {"test", "t"}}),
             call("file",
                  {{"action", "replace"}, {"path", "a.txt"}, {"old", "bad"}, {"new", "good"}}),
             call("phase_complete", {{"summary", "done"}}),
             call("phase_complete", {{"subject", "Say good"}, {"body", "It said bad."}})}));
  Command shell{.argv = {"bash", "-c",
                         "\"$0\" build -description x -test-cmd true -json -backend manual "
                         "<../replies 2>../err | true; echo ${PIPESTATUS[0]}",
                         PEDROCLI_PROGRAM},
                .folder = bench.project()};
  shell.environment = bench.environment();
  const auto result = bench.processes.run(shell, bench.cancel);
  REQUIRE(result.ok());
  CAPTURE(bench.folder.read("err"));
  CHECK(result->out == "1\n");
  CHECK(bench.git({"log", "-1", "--format=%s", bench.job_branch()}) == "Say good\n");
}

TEST_CASE("signals: a job that is stopped for long is said not to respond, and lives on") {
  SignalBench bench;
  const std::string out = bench.with_command(
      "touch started; exec sleep 50",
      "ask() { \"$0\" \"$@\" | sed 's/^[0-9a-z-][0-9a-z-]* //; s/[0-9][0-9]* s ago/N s ago/' | "
      "grep -e state -e alive -e '^ *not resp' -e '^ *running' -e kill | sed \"s/$job/PID/g; "
      "s/[0-9]*-[0-9]*-[0-9]*-build-..../JOB/g\"; }\n"
      "beat=$(echo \"$XDG_STATE_HOME\"/pedrocli/jobs/*/heartbeat)\n"
      "ask status; ask list\n"
      "kill -STOP $job; until grep -q '^State:.T' /proc/$job/status; do :; done\n"
      "touch -d '2 minutes ago' \"$beat\"\n"
      "ask status; ask list; \"$0\" -json status >../json\n"
      "kill -CONT $job; kill -TERM $job; wait $job; ask status");
  CHECK(out ==
        "  state    running\n"
        "  alive    N s ago\n"
        " running         x\n"
        "  state    not responding\n"
        "  alive    N s ago\n"
        "           process PID is stopped or waits for its disk; if this persists, end it with "
        "`kill -9 PID` and continue with `pedrocli resume JOB`\n"
        " not responding  x\n"
        "  state    interrupted\n");
  const auto json = parse_json(bench.folder.read("json"));
  REQUIRE(json.ok());
  CHECK(text_of(*json, "state") == "running");
  CHECK_FALSE(truth_of(*json, "responding", true));
  CHECK(number_of(*json, "silent_s") >= 120);
  CHECK(from_rfc3339(text_of(*json, "alive")).has_value());
}

}  // namespace pedro
