#include "git/raw_view.h"

#include <fmt/format.h>

#include <utility>

#include "base/text.h"
#include "git/commit_files.h"
#include "sys/environment.h"
#include "tools/git_command.h"

namespace pedro {
namespace {

constexpr std::uint64_t kMaxRulesBytes = 1u << 20;
constexpr const char* kNoConversion = "* -text !eol -ident -filter !working-tree-encoding\n";

}  // namespace

Status RawView::make(const GitRunner& git) {
  if (folder_) return {};
  PEDRO_TRY(ScratchFolder made,
            ScratchFolder::make_outside(git.root(), real_environment().get("TMPDIR")));
  FileSystem& files = git.files();
  const std::string& own = made.path();
  for (const char* name : {"refs", "info"}) {
    PEDRO_RETURN_IF_ERROR(files.make_folders(join_path(own, name), 0700));
  }
  const std::string common = git.common_folder();
  std::string config;
  for (const std::string& file :
       {join_path(common, "config"), join_path(git.git_folder(), "config.worktree")}) {
    config += fmt::format("[include]\n\tpath = {}\n", quoted_setting(file));
  }
  PEDRO_TRY(const auto format, git.ask({"rev-parse", "--show-object-format"}));
  config += "[core]\n\trepositoryformatversion = 1\n\tbare = false\n";
  config += fmt::format("[extensions]\n\tobjectFormat = {}\n", trim(format.out));
  PEDRO_RETURN_IF_ERROR(files.write_atomic(join_path(own, "config"), config, 0600));
  PEDRO_RETURN_IF_ERROR(files.write_atomic(join_path(own, "HEAD"), "ref: refs/heads/none\n", 0600));
  PEDRO_RETURN_IF_ERROR(files.write_atomic(join_path(own, "info/attributes"), kNoConversion, 0600));
  if (const auto rules = files.read(join_path(common, "info/exclude"), kMaxRulesBytes)) {
    PEDRO_RETURN_IF_ERROR(files.write_atomic(join_path(own, "info/exclude"), *rules, 0600));
  }
  folder_ = std::move(made);
  return {};
}

Result<std::string> RawView::run(const GitRunner& git, std::vector<std::string> arguments,
                                 std::string input, std::string index) {
  PEDRO_RETURN_IF_ERROR(make(git));
  // Git would leave out files outside of a sparse checkout.
  arguments.insert(arguments.begin(),
                   {"-c", "core.quotepath=on", "-c", "core.sparseCheckout=false"});
  return git.run(
      std::move(arguments),
      {.input = std::move(input),
       .index = index.empty() ? join_path(folder_->path(), "index") : std::move(index),
       .environment = {{"GIT_DIR", folder_->path()},
                       {"GIT_WORK_TREE", git.root()},
                       {"GIT_OBJECT_DIRECTORY", join_path(git.common_folder(), "objects")},
                       {"GIT_OPTIONAL_LOCKS", "1"}}});
}

Status RawView::read(const GitRunner& git, const std::string& commit) {
  if (!commit_.empty() && commit_ == commit) return {};
  std::vector<std::string> arguments = {"read-tree", commit};
  if (!commit_.empty()) arguments.insert(arguments.begin() + 1, "--reset");  // keeps file states
  commit_.clear();
  PEDRO_RETURN_IF_ERROR(run(git, std::move(arguments)));
  commit_ = commit;
  return {};
}

Result<std::vector<ChangedFile>> RawView::changes(const GitRunner& git, const std::string& commit) {
  PEDRO_RETURN_IF_ERROR(read(git, commit));
  // With this HEAD, git lists no staged files.
  PEDRO_RETURN_IF_ERROR(
      git.files().write_atomic(join_path(folder_->path(), "HEAD"), commit + "\n", 0600));
  PEDRO_TRY(const std::string text, run(git, {"status", "--porcelain=v1", "--untracked-files=no",
                                              "--no-renames", "--ignore-submodules=dirty"}));
  std::vector<std::string> ignored;
  return parse_status(text, ignored);
}

Status RawView::move_files(const GitRunner& git, const std::string& from, const std::string& to) {
  PEDRO_RETURN_IF_ERROR(read(git, from));
  commit_.clear();
  // Git replaces only unchanged files, detected by size and time.
  PEDRO_RETURN_IF_ERROR(run(git, {"update-index", "-q", "--refresh"}));
  PEDRO_RETURN_IF_ERROR(run(git, {"read-tree", "-m", "-u", from, to}));
  return {};
}

Status RawView::write_files(const GitRunner& git, const std::string& commit,
                            const std::vector<std::string>& paths) {
  PEDRO_TRY(const auto there, CommitFiles(git).paths_in(commit, {paths.begin(), paths.end()}));
  std::string names;
  for (const std::string& path : paths) {
    const std::string place = join_path(git.root(), path);
    if (there.contains(path)) {
      names.append(path) += '\0';
    } else if (git.files().link_info(place).kind != FileKind::kMissing) {
      PEDRO_RETURN_IF_ERROR(git.files().remove(place));
    }
  }
  PEDRO_RETURN_IF_ERROR(read(git, commit));
  commit_.clear();
  if (names.empty()) return {};
  PEDRO_RETURN_IF_ERROR(run(git, {"checkout-index", "--force", "-z", "--stdin"}, names));
  return {};
}

Status RawView::add(const GitRunner& git, const std::string& nul_separated_paths,
                    const std::string& index) {
  PEDRO_RETURN_IF_ERROR(run(git, {"update-index", "--add", "--replace", "-z", "--stdin"},
                            nul_separated_paths, index));
  return {};
}

}  // namespace pedro
