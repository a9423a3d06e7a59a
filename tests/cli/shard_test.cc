// Tests `pedrocli batch` as one of several processes of a cluster's scheduler.
#include <set>

#include "base/text.h"
#include "cli/batch_world.h"

namespace pedro {
namespace {

/// Twelve tasks over three shards.
struct Shards : Batch {
  Shards() {
    for (int i = 0; i < kTasks; ++i) lines += kGoodTask + "\n";
  }
  ProcessResult shard(int index) {
    extra_environment = {{"SLURM_ARRAY_TASK_ID", std::to_string(index + 1)},
                         {"SLURM_ARRAY_TASK_COUNT", "3"},
                         {"SLURM_ARRAY_TASK_MIN", "1"}};
    ProcessResult ran = batch(lines, {"-jobs", "2", "-json"});
    extra_environment.clear();
    return ran;
  }

  static constexpr int kTasks = 12;
  std::string lines;
};

std::vector<Json> tasks_in(const std::string& report) {
  std::vector<Json> tasks;
  for (const std::string_view line : split_lines(report)) {
    const auto json = parse_json(line);
    REQUIRE(json.ok());
    if (text_of(*json, "type") == "batch.task") tasks.push_back(*json);
  }
  return tasks;
}

}  // namespace

TEST_CASE("shard: every task runs in one shard, and -merge reports all of them") {
  Shards bench;
  CHECK(bench.batch(bench.lines, {"-merge"}).err.find(": no batch or shard has a state there") !=
        std::string::npos);
  std::size_t ran = 0;
  for (const int index : {0, 1}) {
    const ProcessResult part = bench.shard(index);
    CAPTURE(part.err);
    CHECK(part.exit_code == 0);
    CHECK(part.err.find("shard " + std::to_string(index) + "/3, from SLURM_ARRAY_TASK_ID: ") !=
          std::string::npos);
    ran += tasks_in(part.out).size();
  }
  const ProcessResult half = bench.batch(bench.lines, {"-merge", "-json"});
  CHECK(half.exit_code == 1);
  CHECK(half.err.find("tasks.jsonl.state.2-of-3: missing, so this shard has not begun") !=
        std::string::npos);
  const std::string left = std::to_string(Shards::kTasks - ran);
  CHECK(half.out.find("\"failed\":0,\"not_run\":" + left) != std::string::npos);

  // The new line belongs to one shard; no finished task runs again.
  bench.lines = R"({"description":"Be good","test-cmd":["grep -q good a.txt"],"max-rounds":60})"
                "\n" +
                bench.lines;
  for (const int index : {0, 1, 2}) CHECK(bench.shard(index).exit_code == 0);
  const ProcessResult merged = bench.batch(
      bench.lines, {"-merge", "-json", "-junit", bench.folder.at("r.xml"), "-html", "../r.html"});
  CAPTURE(merged.err);
  CHECK(merged.exit_code == 0);
  const std::vector<Json> tasks = tasks_in(merged.out);
  CHECK(tasks.size() == Shards::kTasks + 1);
  std::set<std::string> jobs;
  for (const Json& task : tasks) jobs.insert(text_of(task, "job"));
  CHECK(jobs.size() == Shards::kTasks + 1);
  CHECK(merged.out.find("\"succeeded\":13,\"failed\":0,\"not_run\":0") != std::string::npos);
  CHECK(bench.folder.read("r.xml").find(
            "<testsuites tests=\"13\" failures=\"0\" errors=\"0\" skipped=\"0\" time=") !=
        std::string::npos);
  CHECK(bench.folder.read("r.html").find("13 tasks: 13 succeeded, 0 did not, 0 not run") !=
        std::string::npos);
  CHECK(bench.batch(bench.lines, {"-merge", "-shard", "0/3"}).exit_code == 2);
}

TEST_CASE("shard: JUnit XML distinguishes failures, errors and tasks that have not run") {
  Batch bench;
  const std::string lines =
      R"({"description":"Be good","test-cmd":["grep -q good a.txt"],"max-rounds":1})" +
      ("\n" + kGoodTask) + "\n" + R"({"description":"<x>","base":"nowhere"})" + "\n";
  const std::string path = bench.folder.at("r.xml");
  CHECK(bench.batch(lines, {"-junit", path}).exit_code == 1);
  const std::string xml = bench.folder.read("r.xml");
  CAPTURE(xml);
  CHECK(xml.find("tests=\"3\" failures=\"1\" errors=\"1\" skipped=\"0\"") != std::string::npos);
  CHECK(xml.find("name=\"line 3: &lt;x&gt;\"") != std::string::npos);
  CHECK(xml.find("<failure type=\"") != std::string::npos);
  CHECK(xml.find("<error type=\"error\" message=\"error, exit code 2\">") != std::string::npos);
  CHECK(bench.batch(lines + kGoodTask + "\n", {"-merge", "-junit", path}).exit_code == 1);
  CHECK(bench.folder.read("r.xml").find("<skipped message=\"not run\"/>") != std::string::npos);
  const ProcessResult parsed = bench.shell(
      "command -v python3 >/dev/null || exit 77\n"
      "python3 -c 'import sys, xml.dom.minidom as x; x.parse(sys.argv[1])' ../r.xml");
  if (parsed.exit_code != 77) CHECK(parsed.exit_code == 0);
}

TEST_CASE("shard: a batch that was begun in other parts is refused") {
  Batch bench;
  CHECK(bench.batch(kGoodTask + "\n", {"-shard", "0/2", "-jobs", "1"}).exit_code == 0);
  for (const std::vector<std::string>& flags :
       std::vector<std::vector<std::string>>{{}, {"-shard", "0/4"}}) {
    const ProcessResult refused = bench.batch(kGoodTask + "\n", flags);
    CHECK(refused.exit_code == 2);
    CHECK(refused.err.find("tasks.jsonl.state: its state is of 2 shards, not ") !=
          std::string::npos);
  }
}

TEST_CASE(
    "shard: after SIGTERM the exit code says to begin again, and the same command continues") {
  SlowBatch bench;
  const ProcessResult result = bench.beside(
      "kill -TERM $batch; wait $batch; echo $?; go >../more 2>&1; echo $?", " -shard 0/1");
  CAPTURE(bench.folder.read("out"));
  CAPTURE(bench.folder.read("more"));
  CHECK(result.out == "75\n0\n");
  CHECK(bench.folder.read("more").find("2 tasks: 2 succeeded") != std::string::npos);
  CHECK(bench.jobs() == 2);
}

TEST_CASE("shard: a job that does not end within the grace period is killed and resumed later") {
  SlowBatch bench;
  // Stopped jobs cannot handle SIGTERM.
  const ProcessResult result = bench.beside(
      "kill -STOP $(sed -n 's/.*\"thread.started\".*\"pid\":\\([0-9]*\\).*/\\1/p' "
      "../state/pedrocli/jobs/*/journal.jsonl)\n"
      "kill -TERM $batch; SECONDS=0; wait $batch; echo $?; [ $SECONDS -lt 20 ] && echo soon\n"
      "grep -c '\"task.ended\".*\"interrupted\"' ../tasks.jsonl.state\n"
      "go >../more 2>&1; echo $?",
      " -grace 2s");
  CAPTURE(bench.folder.read("out"));
  CAPTURE(bench.folder.read("more"));
  CHECK(result.out == "75\nsoon\n2\n0\n");
  CHECK(bench.folder.read("more").find("2 tasks: 2 succeeded") != std::string::npos);
  CHECK(bench.jobs() == 2);
}

TEST_CASE(
    "shard: a second host is refused while the first one lives, and continues after its end") {
  SlowBatch bench;
  // Both hosts see the same files, but not each other's locks.
  const std::string other = std::string("LD_PRELOAD=") + FAULTY_DISK + " FAULT_LOCAL_LOCKS=1 ";
  // Stops the first host's jobs, so that they do not end meanwhile. They continue when each of them
  // has a pending SIGTERM.
  const ProcessResult result = bench.beside(
      "jobs=$(sed -n 's/.*\"thread.started\".*\"pid\":\\([0-9]*\\).*/\\1/p' "
      "../state/pedrocli/jobs/*/journal.jsonl)\n"
      "kill -STOP $jobs\n" +
      other +
      "FAULT_HOST=second go >../second 2>&1; echo $?\n"
      "ls ../tasks.jsonl.state.lease-*; kill -TERM $batch\n"
      "for job in $jobs; do until grep -q '^ShdPnd:.*4...$' /proc/$job/status; do :; done; done\n"
      "kill -CONT $jobs; wait $batch; echo $?\n" +
      other +
      "FAULT_HOST=second go >../more 2>&1; echo $?\n"
      "ls ../tasks.jsonl.state*");
  CAPTURE(bench.folder.read("second"));
  CAPTURE(bench.folder.read("more"));
  CHECK(result.out == "2\n../tasks.jsonl.state.lease-1\n75\n0\n../tasks.jsonl.state\n");
  CHECK(bench.folder.read("second").find(" is using it") != std::string::npos);
  CHECK(bench.folder.read("second").find("waiting up to 60 s") != std::string::npos);
  CHECK(bench.folder.read("more").find("2 tasks: 2 succeeded") != std::string::npos);
  CHECK(bench.jobs() == 2);
}

TEST_CASE("shard: the lines of the guide for GNU parallel and task-spooler") {
  const auto page = RealFileSystem().read(PEDROCLI_SOURCE "/docs/guide/clusters.md", 1u << 20);
  REQUIRE(page.ok());
  for (const std::string tool : {"parallel", "tsp"}) {
    CAPTURE(tool);
    std::string line;
    for (const std::string_view one : split_lines(*page)) {
      const bool is_it = one.find("| " + tool) != one.npos || one.starts_with(tool + " -S");
      if (is_it) line = one;
    }
    REQUIRE_FALSE(line.empty());
    Batch bench;
    bench.folder.write("bin/pedrocli", "#!/bin/sh\nexec " PEDROCLI_PROGRAM " \"$@\" -replay " +
                                           bench.folder.at("session.jsonl") + "\n");
    std::string lines;
    for (int i = 0; i < 6; ++i) lines += kGoodTask + "\n";
    bench.folder.write("project/tasks.jsonl", lines);
    const ProcessResult ran = bench.shell(
        "command -v " + tool +
        " >/dev/null || exit 77\n"
        "chmod +x ../bin/pedrocli; export PATH=$PWD/../bin:$PATH TS_SOCKET=$PWD/../ts\n" +
        line + " >../out 2>&1\n" +
        (tool == "tsp" ? "while tsp | grep -qE 'running|queued'; do sleep 0.2; done; tsp -K\n"
                       : "") +
        "pedrocli batch tasks.jsonl -merge");
    CAPTURE(ran.err);
    if (ran.exit_code == 77) {
      MESSAGE("SKIPPED: needs " << tool);
      continue;
    }
    CHECK(ran.out.find("6 tasks: 6 succeeded, 0 did not, 0 not run") != std::string::npos);
    CHECK(ran.exit_code == 0);
  }
}

}  // namespace pedro
