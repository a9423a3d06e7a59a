#include "eval/task_bench.h"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "base/text.h"
#include "tools/git_command.h"

namespace pedro {
namespace {

constexpr const char* kDate = "2024-01-01T12:00:00Z";
constexpr std::uint64_t kMaxIssueBytes = 1u << 20;
constexpr std::size_t kMaxLogBytes = 8u << 10;

// Returns an environment in which git creates the same commit on every machine.
std::map<std::string, std::string> fixed_variables() {
  return {{"GIT_CONFIG_GLOBAL", "/dev/null"},   {"GIT_CONFIG_NOSYSTEM", "1"},
          {"GIT_AUTHOR_NAME", "The author"},    {"GIT_AUTHOR_EMAIL", "author@localhost"},
          {"GIT_COMMITTER_NAME", "The author"}, {"GIT_COMMITTER_EMAIL", "author@localhost"},
          {"GIT_AUTHOR_DATE", kDate},           {"GIT_COMMITTER_DATE", kDate}};
}

std::string ending_of(const ProcessResult& result) {
  return result.timed_out ? "timed out" : fmt::format("exit {}", result.exit_code);
}

}  // namespace

Result<TaskBench> TaskBench::set_up(Tools tools, const BenchTask& task, std::string folder) {
  TaskBench bench(std::move(tools), task, std::move(folder));
  FileSystem& files = bench.tools_.files;
  PEDRO_TRY(const std::string issue,
            files.read(join_path(task.folder, "issue.md"), kMaxIssueBytes));
  Status done = files.write_atomic(bench.issue(), issue, 0644);
  if (done) done = files.make_folders(bench.repository());
  if (done) done = files.make_folders(bench.state());
  if (done) {
    done = bench.must(bench.copy(join_path(task.folder, "repo"), bench.repository()), "cp");
  }
  if (done) {
    done = bench.must(bench.git(bench.repository(), {"init", "-q", "-b", kBranch}), "git init");
  }
  if (done) done = bench.commit_all("Import");
  if (!done) return done.error().at(task.name);
  return bench;
}

Result<ProcessResult> TaskBench::git(const std::string& folder,
                                     std::vector<std::string> arguments) const {
  Command command = git_command(folder, std::move(arguments));
  for (const auto& [name, value] : fixed_variables()) command.environment[name] = value;
  return tools_.processes.run(command, tools_.cancel);
}

Status TaskBench::must(const Result<ProcessResult>& result, std::string_view what) const {
  if (!result) return result.error();
  if (result->ok()) return {};
  return usage_error(fmt::format("{}: {}: {}", what, ending_of(*result), trim(result->err)));
}

Status TaskBench::commit_all(const std::string& message) const {
  if (Status added = must(git(repository(), {"add", "-A"}), "git add"); !added) return added;
  return must(git(repository(), {"commit", "-q", "--allow-empty", "-m", message}), "git commit");
}

Result<ProcessResult> TaskBench::copy(const std::string& from, const std::string& to) const {
  // Replaces a symbolic link instead of following it.
  const Command command{.argv = {"cp", "-R", "--remove-destination", from + "/.", to}};
  return tools_.processes.run(command, tools_.cancel);
}

Status TaskBench::commit(std::span<const FileAnswer> answers) {
  for (const FileAnswer& answer : answers) {
    const std::string path = join_path(repository(), answer.path);
    Status done = tools_.files.make_folders(std::string(folder_name(path)));
    if (done) done = tools_.files.write_atomic(path, answer.content, 0644);
    if (!done) return done;
  }
  return commit_all("Answer");
}

Result<bool> TaskBench::passes(const std::string& branch, bool hidden, std::string& log) const {
  const char* name = hidden ? "hidden" : "visible";
  const std::string clone = join_path(folder_, fmt::format("clone-{}", name));
  Result<ProcessResult> done =
      git(folder_, {"clone", "-q", "--branch", branch, "--", repository(), clone});
  if (!done) return done.error();
  if (done->ok() && hidden) {
    done = copy(join_path(task_->folder, "hidden"), clone);
    if (!done) return done.error();
  }
  if (!done->ok()) {
    log += fmt::format("--- cannot clone for the {} check: {}\n", name, trim(done->err));
    return false;
  }
  done = tools_.run_check(clone, hidden ? task_->hidden : task_->check);
  if (!done) return done.error();
  log += fmt::format("--- the {} check in a fresh clone of {}: {}\n{}{}\n", name, branch,
                     ending_of(*done), cut_middle(done->out, kMaxLogBytes, ""), trim(done->err));
  return done->ok();
}

Result<Judgement> TaskBench::judge(const std::string& branch) {
  PEDRO_TRY(const auto found,
            git(repository(), {"rev-parse", "-q", "--verify", "refs/heads/" + branch}));
  const std::string delivered = !branch.empty() && found.ok() ? branch : kBranch;
  Judgement judgement;
  PEDRO_TRY(const bool visible, passes(delivered, false, judgement.log));
  PEDRO_TRY(const bool hidden, passes(delivered, true, judgement.log));
  judgement.visible_in_clone = visible;
  judgement.solved = hidden;
  return judgement;
}

}  // namespace pedro
