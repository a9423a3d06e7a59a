#include "review/change_source.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "base/text.h"
#include "git/git_runner.h"
#include "tools/gh_command.h"
#include "tools/git_command.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxDiffBytes = 64u << 20;
constexpr std::size_t kMaxItemTextBytes = 8 * 1024;
constexpr std::size_t kMaxCommits = 50;
constexpr std::size_t kMaxNamedPaths = 5;

class ChangeReader {
 public:
  explicit ChangeReader(const GitRunner& git) : git_(git) {}

  Result<Change> read(const ChangeChoice& choice) {
    if (choice.pull_request > 0) return pull_request(choice.pull_request);
    if (choice.staged) return of_diff("staged changes", "", {"--cached"});
    if (!choice.range.empty()) return range(choice.range);
    if (!choice.branch.empty()) return branch(choice.branch);
    return uncommitted();
  }

 private:
  Result<std::string> git(std::vector<std::string> arguments) {
    return git_.run(std::move(arguments), {.max_output_bytes = kMaxDiffBytes, .may_be_cut = true});
  }

  Result<Change> uncommitted() {
    PEDRO_TRY(const std::string others,
              git({"ls-files", "--others", "--exclude-standard", "--directory"}));
    const std::vector<std::string_view> paths = split_lines(others);
    Result<Change> change = of_diff("uncommitted changes", "", {"HEAD"}, not_in_git(paths));
    if (!change) return change;
    for (const std::string_view path : paths) {
      change->left_out.push_back(fmt::format("{}: not in git yet; git add it", path));
    }
    return change;
  }

  // Returns for example `; 7 files or folders are not in git yet and not included (git add them):
  // a, b and 5 more`.
  static std::string not_in_git(const std::vector<std::string_view>& paths) {
    if (paths.empty()) return "";
    const std::size_t named = std::min(paths.size(), kMaxNamedPaths);
    std::string names;
    for (std::size_t i = 0; i < named; ++i) {
      names += (i == 0 ? "" : ", ") + std::string(paths[i]);
    }
    if (named < paths.size()) names += fmt::format(" and {} more", paths.size() - named);
    const bool one = paths.size() == 1;
    const std::string what =
        one ? "one file or folder is" : fmt::format("{} files or folders are", paths.size());
    return fmt::format("; {} not in git yet and not included (git add {}): {}", what,
                       one ? "it" : "them", names);
  }

  Result<Change> range(const std::string& text) {
    const std::string problem = revision_problem(text);
    if (!problem.empty()) return usage_error("-range: " + problem);
    if (text.find("..") == std::string::npos || text.find_first_not_of('.') == std::string::npos) {
      return usage_error(fmt::format("-range: expected A..B, got '{}'", text));
    }
    Result<std::string> subjects = subjects_of(text);
    if (!subjects) return subjects.error().at("-range");
    return of_diff(text, *subjects, {text});
  }

  // Reads the changes of a branch since its merge base with the main branch.
  Result<Change> branch(const std::string& name) {
    const std::string problem = revision_problem(name);
    if (!problem.empty()) return usage_error("-branch: " + problem);
    for (const char* main : {"origin/HEAD", "main", "master", "origin/main", "origin/master"}) {
      if (name == main) continue;
      PEDRO_TRY(const auto known,
                git_.ask({"rev-parse", "--verify", "--quiet", fmt::format("{}^{{commit}}", main)}));
      if (!known.ok()) continue;
      const std::string span = fmt::format("{}...{}", main, name);
      Result<std::string> subjects = subjects_of(fmt::format("{}..{}", main, name));
      if (!subjects) return subjects.error().at("-branch " + name);
      return of_diff(fmt::format("{} since {}", name, main), *subjects, {span});
    }
    const bool is_main = name == "main" || name == "master";
    return usage_error(fmt::format("-branch {}: {}; give -range A...{}", name,
                                   is_main ? "is the main branch, and there is no other to "
                                             "compare it with"
                                           : "found no main branch to compare it with",
                                   name));
  }

  Result<std::string> subjects_of(const std::string& span) {
    Result<std::string> text = git({"log", "--no-show-signature", "--format=%s", "--max-count",
                                    std::to_string(kMaxCommits), span, "--"});
    if (text) *text = cut_middle(trim(*text), kMaxItemTextBytes, "");
    return text;
  }

  // Reads the changes between the revisions `what`. Adds `beside` to the error for an empty diff.
  Result<Change> of_diff(std::string title, std::string text, std::vector<std::string> what,
                         const std::string& beside = "") {
    std::vector<std::string> arguments = {"diff",           "--no-ext-diff", "--no-textconv",
                                          "--find-renames", "--unified=3",   "--submodule=short"};
    arguments.insert(arguments.end(), what.begin(), what.end());
    arguments.emplace_back("--");
    PEDRO_TRY(const std::string diff, git(std::move(arguments)));
    return whole(std::move(title), std::move(text), diff, beside);
  }

  static Result<Change> whole(std::string title, std::string text, const std::string& diff,
                              const std::string& beside = "") {
    // A diff has no such line; it marks an omitted middle.
    if (diff.starts_with("[... ") || diff.find("\n[... ") != std::string::npos) {
      return Error{ErrorKind::kLimit,
                   "the diff is too long (limits: git 64 MiB, gh 8 MiB); review it in ranges"};
    }
    PEDRO_TRY(std::vector<DiffFile> files, parse_diff(diff));
    if (files.empty()) return usage_error(title + ": there is nothing to review" + beside);
    return Change{std::move(title), std::move(text), std::move(files), {}, ""};
  }

  Result<std::string> gh(std::vector<std::string> arguments) {
    return run_gh(git_.root(), std::move(arguments), git_.processes(), git_.cancel());
  }

  Result<Change> pull_request(int number) {
    const std::string name = std::to_string(number);
    const Result<std::string> about = gh({"pr", "view", name, "--json", "title,body,headRefOid"});
    if (!about) return about.error().at("-pr");
    const Result<Json> json = parse_json(*about);
    if (!json) return usage_error("-pr: gh did not return JSON: " + json.error().message);
    const Result<std::string> diff = gh({"pr", "diff", name, "--color", "never"});
    if (!diff) return diff.error().at("-pr");
    Result<Change> change =
        whole(fmt::format("#{}: {}", number, text_of(*json, "title")),
              cut_middle(trim(text_of(*json, "body")), kMaxItemTextBytes, ""), *diff);
    if (change) change->commit = text_of(*json, "headRefOid");
    return change;
  }

  const GitRunner& git_;
};

}  // namespace

Result<Change> read_change(const ChangeChoice& choice, const std::string& root, FileSystem& files,
                           ProcessRunner& processes, const CancelToken& cancel) {
  PEDRO_TRY(const auto git, GitRunner::open(files, processes, cancel, root));
  return ChangeReader(git).read(choice);
}

}  // namespace pedro
