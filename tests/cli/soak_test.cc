// Runs a job of many rounds in one process. Its memory and descriptors must not grow, and no child
// process may remain. PEDROCLI_SOAK is the number of rounds, at least 160.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "base/json.h"
#include "cli/program.h"
#include "cli/replies.h"
#include "sys/child_program.h"
#include "sys/file_system.h"
#include "sys/process_table.h"

namespace pedro {
namespace {

constexpr int kPhases = 4;
constexpr int kSettled = 100;  // the number of rounds after which nothing may grow
constexpr long long kMoreKb = 2048;

int rounds_of_a_phase() {
  const char* given = std::getenv("PEDROCLI_SOAK");
  return std::max(160, given == nullptr ? 0 : std::atoi(given)) / kPhases;
}

// Returns a different call for each round, so that the loop guard does not stop the job.
std::string work(int round) {
  const std::string name = fmt::format("notes/{}.txt", round % 9);
  switch (round % 5) {
    case 0:
      return call(
          "file",
          {{"action", "write"}, {"path", name}, {"content", fmt::format("line {}\n", round)}});
    case 1:
      return call("bash", {{"action", "run"}, {"command", fmt::format("seq 1 {}", 3000 + round)}});
    case 2:
      return call("search", {{"action", "grep"}, {"pattern", fmt::format("line {}", round)}});
    case 3:
      return call("bash", {{"action", "run"}, {"command", fmt::format("exit {}", round % 250)}});
    default:
      return call("file", {{"action", "read"}, {"path", fmt::format("no/{}", round)}});
  }
}

struct Figures {
  long long kb = 0;
  long long descriptors = 0;
  long long ended_children = 0;
};

Figures figures_of(long pid) {
  Figures figures;
  const RealFileSystem files;
  const auto status = files.read(fmt::format("/proc/{}/status", pid), 1 << 16);
  const auto open = files.list(fmt::format("/proc/{}/fd", pid));
  if (!status || !open) return figures;
  const std::size_t at = status->find("VmRSS:");
  if (at != std::string::npos) figures.kb = std::atoll(status->c_str() + at + 6);
  figures.descriptors = static_cast<long long>(open->size());
  for (const int child : children_of(pid)) {
    const auto stat = process_stat(child);
    if (stat && stat->state == 'Z') ++figures.ended_children;
  }
  return figures;
}

struct Soak : Program {
  Soak() {
    folder.write("project/a.txt", "bad\n");
    for (int phase = 1; phase <= kPhases; ++phase) {
      folder.write(
          fmt::format("project/.pedro/agents/soak/{}-work{}.md", phase, phase),
          fmt::format("---\ntools: file bash search\nallow: read write execute\n"
                      "max_rounds: {}\noutput: "
                      "soak/done.schema.json\n---\nWork.\n\n{{{{task}}}}\n\n{{{{tools}}}}\n\n"
                      "{{{{finish}}}}\n",
                      rounds_of_a_phase() + 1));
    }
    folder.write(
        "project/.pedro/agents/soak/done.schema.json",
        R"({"type":"object","properties":{"subject":{"type":"string"}},"required":["subject"]})");
    folder.write("project/.pedro/agents/soak/system.md", "You work.\n\n{{calls}}\n");
    commit_project();
  }

  std::string recording() const { return folder.at("session.jsonl"); }

  void record() {
    std::vector<std::string> replies;
    for (int phase = 0; phase < kPhases; ++phase) {
      for (int i = 0; i < rounds_of_a_phase(); ++i)
        replies.push_back(work(static_cast<int>(replies.size())));
      replies.push_back(call("phase_complete", {{"subject", "Work"}}));
    }
    const ProcessResult result = run({"run", "soak", "go", "-quiet", "-test-cmd", "true",
                                      "-backend", "manual", "-record", recording()},
                                     typed(replies));
    CAPTURE(result.err);
    REQUIRE(result.exit_code == 0);
    git({"checkout", "-q", "main"});
    std::filesystem::remove_all(folder.at("state"));
  }
};

}  // namespace

TEST_CASE("soak: memory, descriptors and children of a long job stay as they are") {
  Soak soak;
  soak.record();
  std::vector<std::string> argv = {"/usr/bin/env"};
  for (const auto& [name, value] : soak.environment()) argv.push_back(name + "=" + value);
  argv.insert(argv.end(), {PEDROCLI_PROGRAM, "run", "soak", "go", "-json", "-test-cmd", "true",
                           "-workdir", soak.project(), "-replay", soak.recording()});
  int rounds = 0;
  Figures settled;
  Figures last;
  long long most_kb = 0;
  ChildProgram* running = nullptr;
  // A sample may include descriptors of a running command or an ended child. So the minimum of
  // several samples counts.
  const auto least = [](const Figures& a, const Figures& b) {
    return Figures{std::min(a.kb, b.kb), std::min(a.descriptors, b.descriptors),
                   std::min(a.ended_children, b.ended_children)};
  };
  const auto look = [&](StandardStream, std::string_view line) {
    if (line.find(R"("type":"turn.completed")") == std::string_view::npos) return;
    if (++rounds < kSettled || rounds % 5 != 0) return;
    const Figures now = figures_of(running->identity().pid);
    if (now.kb == 0) return;  // the process has ended
    settled = settled.kb == 0 ? now : rounds < kSettled + 30 ? least(settled, now) : settled;
    last = rounds % 30 == 0 ? now : least(last, now);
    most_kb = std::max(most_kb, now.kb);
  };
  auto program = ChildProgram::start(argv, look);
  REQUIRE(program.ok());
  running = program->get();
  while (!running->exit_code()) ChildProgram::wait({running}, 1000);
  CHECK(*running->exit_code() == 0);
  CHECK(rounds == kPhases * (rounds_of_a_phase() + 1));
  REQUIRE(settled.kb > 0);
  MESSAGE(fmt::format("{} rounds: {} KB after {}, {} at most; {} descriptors, {} at the end",
                      rounds, settled.kb, kSettled, most_kb, settled.descriptors,
                      last.descriptors));
// Sanitizers delay the reuse of freed memory, or record used memory.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  CHECK(most_kb - settled.kb <= kMoreKb);
#endif
  CHECK(last.descriptors <= settled.descriptors);
  CHECK(last.ended_children == 0);
}

}  // namespace pedro
