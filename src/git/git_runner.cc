#include "git/git_runner.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "base/utf8.h"
#include "sys/environment.h"
#include "sys/sleep.h"
#include "tools/command_report.h"

namespace pedro {
namespace {

constexpr double kTimeout_s = 300;
constexpr double kIdle_s = 20;
constexpr std::uint64_t kMaxHeadBytes = 4096;
constexpr std::string_view kBranchRef = "ref: refs/heads/";

/// Returns an error, for example "git commit: output of git".
Error failed(std::string_view subcommand, const ProcessResult& result) {
  if (result.idle_s > 0) {
    return usage_error(fmt::format("git {}: did nothing for {} s; {}", subcommand, kIdle_s,
                                   subcommand == "commit-tree"
                                       ? "is the key waiting for a person?"
                                       : "is .gitignore or .gitattributes a pipe?"));
  }
  const std::string said = without_credentials(output_of(result));
  return usage_error(
      fmt::format("git {}: {}", subcommand, said.empty() ? ending_of(result, kTimeout_s) : said));
}

// Git does not lock its list of work trees. While another process adds one, its files are briefly
// empty, and each git command that reads the list fails.
constexpr int kMaxTries = 50;
constexpr double kRetryAfter_s = 0.02;

bool met_half_a_work_tree(const ProcessResult& result) {
  return result.err.find("/worktrees/") != std::string::npos &&
         result.err.find("failed to read") != std::string::npos;
}

// Returns the line of a ref's file, or nothing if it is a link or has no single line.
std::optional<std::string> line_of(const FileSystem& files, const std::string& path) {
  if (files.link_info(path).kind != FileKind::kFile) return std::nullopt;
  const Result<std::string> text = files.read_begin(path, kMaxHeadBytes);
  if (!text || text->find('\n') + 1 != text->size()) return std::nullopt;
  return text->substr(0, text->size() - 1);
}

}  // namespace

Result<GitRunner> GitRunner::open(FileSystem& files, ProcessRunner& processes,
                                  const CancelToken& cancel, const std::string& folder) {
  if (processes.find("git").empty()) return usage_error("git: not found in PATH; install it");
  GitRunner git(files, processes, cancel);
  PEDRO_TRY(const auto up,
            git.run_command(git_command(folder, {"rev-parse", "--is-inside-work-tree",
                                                 "--show-cdup", "--absolute-git-dir"})));
  if (!up.ok() && up.err.find("not a git repository") == std::string::npos) {
    return failed("rev-parse", up).at(folder);
  }
  if (!up.ok() || !up.out.starts_with("true\n")) {
    return usage_error(folder +
                       ": not in a git work tree; run this in a checkout, or git init one");
  }
  // The path of the git folder may contain line ends.
  const std::size_t after_up = std::min(up.out.find('\n', 5), up.out.size());
  git.git_folder_ = up.out.substr(std::min(after_up + 1, up.out.size()));
  if (git.git_folder_.ends_with('\n')) git.git_folder_.pop_back();
  auto root = files.canonical(join_path(folder, up.out.substr(5, after_up - 5)));
  if (!root) return usage_error(root.error().message);
  if (!is_valid_utf8(*root)) {
    return usage_error(make_printable(*root) + ": the path is not UTF-8; rename its folders");
  }
  git.root_ = *std::move(root);
  PEDRO_TRY(auto programs, repository_programs(git.root_, files, processes, cancel));
  git.programs_ = std::move(programs);
  return git;
}

std::string GitRunner::common_folder() const {
  constexpr std::uint64_t kMaxPathBytes = 8192;
  const auto shared = files_->read_begin(join_path(git_folder_, "commondir"), kMaxPathBytes);
  return shared ? normal_path(join_path(git_folder_, trim(*shared))) : git_folder_;
}

std::optional<GitRunner::Head> GitRunner::read_head() const {
  std::optional<std::string> line = line_of(*files_, join_path(git_folder_, "HEAD"));
  if (!line) return std::nullopt;
  if (is_full_id(*line)) return Head{"", *std::move(line)};
  if (!line->starts_with(kBranchRef)) return std::nullopt;
  Head head{line->substr(kBranchRef.size()), ""};
  // The branch of a reftable is ".invalid".
  if (!branch_problem(head.branch).empty() || !is_valid_utf8(head.branch)) return std::nullopt;
  const std::string ref = join_path(common_folder(), "refs/heads/" + head.branch);
  std::optional<std::string> id = line_of(*files_, ref);
  if (id && !is_full_id(*id)) return std::nullopt;  // a ref to another branch
  if (id) head.commit = *std::move(id);
  return head;
}

bool GitRunner::converts() const {
  const Environment environment = real_environment();
  const std::string home = environment.get("HOME");
  const std::string config = environment.get("XDG_CONFIG_HOME");
  const std::string users = config.empty() ? join_path(home, ".config") : config;
  const auto is_there = [this](const std::string& path) {
    return files_->info(path).kind != FileKind::kMissing;
  };
  return programs_.converts || is_there("/etc/gitattributes") ||
         is_there(join_path(users, "git/attributes")) ||
         is_there(join_path(common_folder(), "info/attributes"));
}

Result<ProcessResult> GitRunner::run_command(Command command) const {
  command.timeout_s = kTimeout_s;
  // Only a push waits for a network. Other commands that wait have met a pipe, for example one
  // named .gitignore.
  const std::string_view subcommand = git_subcommand(command.argv);
  command.idle_timeout_s = subcommand == "push" || subcommand == "lfs" ? 0 : kIdle_s;
  if (programs_.may_change) {
    PEDRO_TRY(const auto now, repository_programs(root_, *files_, *processes_, *cancel_));
    command.environment.insert(now.off.begin(), now.off.end());
  } else {
    command.environment.insert(programs_.off.begin(), programs_.off.end());
  }
  return processes_->run(command, *cancel_);
}

Result<ProcessResult> GitRunner::ask(std::vector<std::string> arguments) const {
  Command command = git_command(root_, std::move(arguments));
  command.max_output_bytes = Options().max_output_bytes;
  return run_command(std::move(command));
}

Result<std::vector<std::string>> GitRunner::identity() const {
  const std::lock_guard lock(outputs_->mutex);
  if (!outputs_->identity) {
    PEDRO_TRY(outputs_->identity, identity_options(root_, *processes_, *cancel_));
  }
  return *outputs_->identity;
}

Result<std::string> GitRunner::run_once(const std::vector<std::string>& arguments) const {
  constexpr std::size_t kMaxOutputs = 16;
  constexpr std::size_t kMaxKeptBytes = 1u << 20;
  {
    const std::lock_guard lock(outputs_->mutex);
    for (const auto& [asked, output] : outputs_->known) {
      if (asked == arguments) return output;
    }
  }
  PEDRO_TRY(std::string output, run(arguments));
  if (output.size() > kMaxKeptBytes) return output;
  const std::lock_guard lock(outputs_->mutex);
  if (outputs_->known.size() == kMaxOutputs) outputs_->known.pop_front();
  outputs_->known.emplace_back(arguments, output);
  return output;
}

Result<std::string> GitRunner::run(std::vector<std::string> arguments,
                                   const Options& options) const {
  const std::string folder = join_path(root_, ".git");
  const FileKind kind = files_->info(folder).kind;
  const bool hollow = kind == FileKind::kFolder &&
                      files_->link_info(join_path(folder, "HEAD")).kind == FileKind::kMissing;
  if (kind == FileKind::kMissing || hollow) {
    return Error{ErrorKind::kUsage, root_ + ": the repository's .git is gone"};
  }
  // The subcommand is the first word that is neither "-c" nor its value.
  std::size_t at = 0;
  while (at + 2 < arguments.size() && arguments[at] == "-c") at += 2;
  const std::string subcommand = arguments[at];
  // A resumed job relies on commits and refs on disk.
  arguments.insert(arguments.begin(), {"-c", "core.fsync=committed,reference"});
  Command command = git_command(root_, std::move(arguments));
  command.max_output_bytes = options.max_output_bytes;
  if (!options.input.empty()) command.input = options.input;
  for (const auto& [name, value] : options.environment) command.environment[name] = value;
  if (!options.index.empty()) command.environment["GIT_INDEX_FILE"] = options.index;
  if (options.date_s > 0) {
    const std::string date = fmt::format("@{}", options.date_s);  // in the local time zone
    command.environment.insert({{"GIT_AUTHOR_DATE", date}, {"GIT_COMMITTER_DATE", date}});
  }
  for (int i = 1;; ++i) {
    PEDRO_TRY(auto result, run_command(command));
    if (result.ok() && result.out_cut && !options.may_be_cut) {
      return usage_error(
          fmt::format("git {}: lists more than {} MiB; if there are very many files, add them to "
                      ".gitignore",
                      subcommand, options.max_output_bytes >> 20));
    }
    if (result.ok()) return std::move(result.out);
    if (i == kMaxTries || !met_half_a_work_tree(result)) return failed(subcommand, result);
    sleep_unless_cancelled(kRetryAfter_s, *cancel_);
  }
}

}  // namespace pedro
