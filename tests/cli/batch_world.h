#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/json.h"
#include "cli/program.h"
#include "cli/replies.h"

namespace pedro {

/// A recorded session of a build of "Be good". A batch replays it for each of its tasks.
struct Batch : Program {
  Batch() {
    folder.write("project/a.txt", "bad\n");
    commit_project();
    const ProcessResult recorded =
        run({"build", "-description", "Be good", "-backend", "manual", "-worktree", "-record",
             folder.at("session.jsonl"), "-test-cmd", "grep -q good a.txt"},
            typed({kAnalyzed, kPlanned, kEdit, kDone, kDelivered}));
    INFO(recorded.err);
    REQUIRE(recorded.exit_code == 0);
    git({"branch", "-D", "pedrocli/be-good"});
  }
  ProcessResult batch(const std::string& lines, std::vector<std::string> more = {}) {
    folder.write("tasks.jsonl", lines);
    std::vector<std::string> args = {"batch", folder.at("tasks.jsonl"), "-replay",
                                     folder.at("session.jsonl")};
    args.insert(args.end(), more.begin(), more.end());
    return run(args);
  }
};

/// The same session, with a slow check.
struct SlowBatch : Batch {
  SlowBatch() {
    const ProcessResult recorded =
        run({"build", "-description", "Be good", "-backend", "manual", "-worktree", "-record",
             folder.at("session.jsonl"), "-test-cmd", kCheck},
            typed({kAnalyzed, kPlanned, kEdit, kDone, kDelivered}));
    INFO(recorded.err);
    REQUIRE(recorded.exit_code == 0);
    git({"branch", "-D", "pedrocli/be-good"});
    std::filesystem::remove_all(folder.at("state"));
    const std::string task = to_line({{"description", "Be good"}, {"test-cmd", {kCheck}}}) + "\n";
    folder.write("tasks.jsonl", task + task);
  }

  /// Runs a batch of two tasks in the background, and a script at the same time. $batch is the
  /// batch's process id. `flags`: more flags of both batches.
  ProcessResult beside(const std::string& script, const std::string& flags = "") {
    Command shell{
        .argv = {"bash", "-c",
                 "go() { \"$0\" batch ../tasks.jsonl -jobs 2 -replay ../session.jsonl" + flags +
                     "; }\n"
                     "\"$0\" batch ../tasks.jsonl -jobs 2 -replay ../session.jsonl" +
                     flags +
                     " >../out 2>&1 & batch=$!\n"
                     "until [ $(cat ../state/pedrocli/jobs/*/journal.jsonl 2>/dev/null |\n"
                     "  grep -c command_execution) -ge 6 ]; do sleep 0.05; done\n" +
                     script,
                 PEDROCLI_PROGRAM},
        .folder = project()};
    shell.environment = environment();
    shell.timeout_s = 90;
    auto result = processes.run(shell, cancel);
    REQUIRE(result.ok());
    CHECK_FALSE(result->timed_out);
    return *std::move(result);
  }

  int jobs() const {
    int count = 0;
    for (const auto& job : std::filesystem::directory_iterator(folder.at("state/pedrocli/jobs"))) {
      if (job.is_directory()) ++count;
    }
    return count;
  }

  static constexpr const char* kCheck = "sleep 1; grep -q good a.txt";
};

inline const std::string kGoodTask =
    R"({"description":"Be good","test-cmd":["grep -q good a.txt"]})";

}  // namespace pedro
