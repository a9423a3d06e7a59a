// Tests `pedrocli logs`, including logs of running jobs.
#include "base/json.h"
#include "base/text.h"
#include "cli/program.h"

namespace pedro {
namespace {

const std::string kId = "20261121-214500-042-build-7f3a";

/// Runs a shell script in the project, with the program as $0 and the only job's folder as $job.
struct Logs : Program {
  ProcessResult shell(const std::string& script) {
    Command command{.argv = {"bash", "-c",
                             "job=$XDG_STATE_HOME/pedrocli/jobs/" + kId +
                                 "; mkdir -p $job; journal=$job/journal.jsonl\n" + script,
                             PEDROCLI_PROGRAM},
                    .folder = project()};
    command.environment = environment();
    command.timeout_s = 60;
    auto result = processes.run(command, cancel);
    REQUIRE(result.ok());
    return *std::move(result);
  }
};

// Writes journals like a job whose process is this shell.
const std::string kStart =
    R"(start() { echo '{"type":"thread.started","thread_id":"the job","pid":'$BASHPID'}'; }
end() { echo '{"type":"thread.completed","outcome":"limit","exit_code":6}'; }
)";

}  // namespace

TEST_CASE("logs: readable lines, with -json the journal, without a torn tail") {
  Logs logs;
  const ProcessResult made = logs.shell(kStart + R"({ start; end; echo -n '{"type":"er'; } >$journal
"$0" logs; "$0" logs -json 7f3a)");
  CAPTURE(made.err);
  CHECK(made.out ==
        "          job the job: \n"
        "          ended: limit, exit 6, 0 rounds, 0 tokens generated\n" +
            made.out.substr(made.out.find('{')));
  CHECK(made.out.ends_with("\"exit_code\":6}\n"));
}

TEST_CASE("logs: a journal that cannot be read is said, with and without -f") {
  Logs logs;
  const ProcessResult made = logs.shell(R"(mkdir $journal
"$0" logs; echo "exit $?"; "$0" logs -f; echo "exit $?")");
  CHECK(made.out == "exit 2\nexit 2\n");
  CHECK(made.err.find("/journal.jsonl: Is a directory\n") != std::string::npos);
}

TEST_CASE("logs: -f prints new events, whole lines only, and ends with the job") {
  Logs logs;
  const ProcessResult made = logs.shell(kStart + R"(
"$0" logs -f >../out 2>&1 & reader=$!
start >$journal
until grep -qs 'the job' ../out; do sleep 0.02; done
echo -n '{"type":"error","mess' >>$journal
sleep 0.3; grep -c error ../out
echo 'age":"one"}' >>$journal
until grep -qs 'error: one' ../out; do sleep 0.02; done
end >>$journal
wait $reader; echo "exit $?"; cat ../out)");
  CAPTURE(made.err);
  CHECK(made.out.starts_with("0\nexit 0\n"));
  CHECK(made.out.find("error: one\n") != std::string::npos);
  CHECK(made.out.ends_with("ended: limit, exit 6, 0 rounds, 0 tokens generated\n"));
}

TEST_CASE("logs: -f reports that the job's process died, exit 1, after printing its events") {
  Logs logs;
  const ProcessResult made = logs.shell(kStart + R"(
( exec 9<$job; flock 9; start >$journal
  until grep -qs 'the job' ../out; do sleep 0.02; done
  echo '{"type":"error","message":"last"}' >>$journal; kill -9 $BASHPID ) &
"$0" logs -f >../out 2>../err; echo "exit $?"; cat ../out ../err)");
  CHECK(made.out.starts_with("exit 1\n"));
  CHECK(made.out.find("error: last\n") != std::string::npos);
  CHECK(made.out.ends_with("pedrocli: " + kId +
                           ": is not running and did not finish; `pedrocli status " + kId +
                           "` shows what it did\n"));
}

TEST_CASE("logs: -f waits for a job that was taken up again, and Ctrl-C ends it at once") {
  Logs logs;
  const ProcessResult made = logs.shell(kStart + R"(
{ start; end; start; } >$journal
"$0" logs -f >../out 2>&1 & reader=$!
until grep -qs 'ended' ../out; do sleep 0.02; done
kill -INT $reader; SECONDS=0; wait $reader; code=$?; late=$((SECONDS > 1))
echo "exit $code, late $late"
grep -c 'job the job' ../out)");
  CAPTURE(made.err);
  CHECK(made.out == "exit 130, late 0\n2\n");
}

TEST_CASE("logs: -f ends if its reader has gone or the job is removed") {
  Logs logs;
  const ProcessResult made = logs.shell(kStart + R"(
{ start; for i in $(seq 20000); do echo '{"type":"error","message":"many"}'; done; } >$journal
"$0" logs -f | head -1 >/dev/null; echo "exit ${PIPESTATUS[0]}"
"$0" logs -f >../out 2>&1 & reader=$!
until grep -qs 'many' ../out; do sleep 0.02; done
rm -r $job; wait $reader; echo "exit $?")");
  CHECK(made.out == "exit 1\nexit 1\n");
}

}  // namespace pedro
