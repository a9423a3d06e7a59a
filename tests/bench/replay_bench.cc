// The cost of pedrocli itself: replays a recorded session of 20 rounds, each one trivial bash call,
// as a whole process. Prints wall time, CPU time and peak memory. Prints the ratio to `git status`
// on the same machine in the same run.
//
//   replay_bench PEDROCLI [RUNS]
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/median.h"

namespace {

struct Cost {
  double wall_s = 0;
  double cpu_s = 0;
  long peak_kb = 0;
  int status = 0;
};

// Runs a command with `input` as standard input. Discards its output.
Cost measure(const std::vector<std::string>& args, const std::string& folder,
             const std::string& input) {
  const auto start = std::chrono::steady_clock::now();
  const pid_t child = fork();
  if (child == 0) {
    std::vector<char*> argv;
    for (const std::string& arg : args) argv.push_back(const_cast<char*>(arg.c_str()));
    argv.push_back(nullptr);
    const bool ready = chdir(folder.c_str()) == 0 &&
                       freopen(input.c_str(), "r", stdin) != nullptr &&
                       freopen("/dev/null", "w", stdout) != nullptr &&
                       freopen("/dev/null", "w", stderr) != nullptr;
    if (ready) execvp(argv[0], argv.data());
    _exit(127);
  }
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  Cost cost;
  cost.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  cost.cpu_s = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  cost.peak_kb = usage.ru_maxrss;
  cost.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
  return cost;
}

void write(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

// The replies of the session in the format of `-backend manual`.
std::string replies() {
  std::string text =
      R"({"tool":"phase_complete","args":{"summary":"s","files":["log.txt"]}})"
      "\n.\n"
      R"({"tool":"phase_complete","args":{"steps":[{"file":"log.txt","change":"c"}],"test":"t"}})"
      "\n.\n";
  for (int i = 1; i <= 20; ++i) {
    text += fmt::format(
        "{{\"tool\":\"bash\",\"args\":{{\"action\":\"run\",\"command\":\"echo round {} | tee -a "
        "log.txt\"}}}}\n.\n",
        i);
  }
  return text + R"({"tool":"phase_complete","args":{"summary":"s"}})"
                "\n.\n"
                R"({"tool":"phase_complete","args":{"subject":"Write the log","body":"b"}})"
                "\n.\n";
}

void make_repository(const std::string& folder) {
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  write(folder + "/log.txt", "begin\n");
  for (const std::vector<std::string>& args : std::vector<std::vector<std::string>>{
           {"git", "init", "-q", "-b", "main"},
           {"git", "add", "-A"},
           {"git", "-c", "user.name=b", "-c", "user.email=b@localhost", "commit", "-qm",
            "begin"}}) {
    measure(args, folder, "/dev/null");
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fputs("usage: replay_bench PEDROCLI [RUNS]\n", stderr);
    return 2;
  }
  const std::string program = std::filesystem::canonical(argv[1]);
  const int runs = argc > 2 ? std::max(1, std::atoi(argv[2])) : 7;
  std::string scratch = std::filesystem::temp_directory_path() / "pedro-bench-XXXXXX";
  if (mkdtemp(scratch.data()) == nullptr) return 1;
  setenv("HOME", scratch.c_str(), 1);
  setenv("XDG_STATE_HOME", (scratch + "/state").c_str(), 1);
  const std::string folder = scratch + "/project";
  const std::string recording = scratch + "/session.jsonl";
  write(scratch + "/replies", replies());

  const std::vector<std::string> task = {program,          "build",     "-description",
                                         "Write the log.", "-test-cmd", "true"};
  std::vector<std::string> record = task;
  record.insert(record.end(), {"-backend", "manual", "-record", recording});
  make_repository(folder);
  if (measure(record, folder, scratch + "/replies").status != 0) {
    std::fputs("replay_bench: the session could not be recorded\n", stderr);
    return 1;
  }

  std::vector<std::string> replay = task;
  replay.insert(replay.end(), {"-replay", recording});
  std::vector<double> wall;
  std::vector<double> cpu;
  std::vector<double> reference;
  std::vector<double> start;
  long peak_kb = 0;
  for (int run = 0; run < runs; ++run) {
    make_repository(folder);
    const Cost cost = measure(replay, folder, "/dev/null");
    if (cost.status != 0) {
      fmt::print(stderr, "replay_bench: run {} ended with exit code {}\n", run + 1, cost.status);
      return 1;
    }
    wall.push_back(cost.wall_s);
    cpu.push_back(cost.cpu_s);
    peak_kb = std::max(peak_kb, cost.peak_kb);
    reference.push_back(measure({"git", "status"}, folder, "/dev/null").wall_s);
    start.push_back(measure({program, "version"}, folder, "/dev/null").wall_s);
  }
  fmt::print("20 rounds replayed, median of {}: {:.3f} s wall, {:.3f} s CPU, {:.1f} MB peak\n",
             runs, pedro::median(wall), pedro::median(cpu), static_cast<double>(peak_kb) / 1024);
  fmt::print("against `git status` ({:.1f} ms): {:.0f} times\n", pedro::median(reference) * 1000,
             pedro::median(wall) / pedro::median(reference));
  fmt::print("`pedrocli version`: {:.1f} ms, {:.2f} times `git status`\n",
             pedro::median(start) * 1000, pedro::median(start) / pedro::median(reference));
  std::filesystem::remove_all(scratch);
  return 0;
}
