#include "git/own_index.h"

#include <utility>

#include "base/text.h"
#include "sys/environment.h"
#include "sys/file_system.h"
#include "tools/git_command.h"

namespace pedro {
namespace {

// Returns true if the work tree is a sparse checkout. Git ignores the setting without the rules.
Result<bool> has_sparse_rules(const GitRunner& git) {
  const std::string rules = join_path(git.git_folder(), "info/sparse-checkout");
  if (git.files().info(rules).kind == FileKind::kMissing) return false;
  PEDRO_TRY(const auto sparse, git.ask({"config", "--type=bool", "core.sparseCheckout"}));
  return trim(sparse.out) == "true";
}

}  // namespace

Result<std::string> OwnIndex::at(const GitRunner& git, const std::string& commit) {
  if (!folder_) {
    PEDRO_TRY(ScratchFolder made,
              ScratchFolder::make_outside(git.root(), real_environment().get("TMPDIR")));
    folder_ = std::move(made);
  }
  std::string path = join_path(folder_->path(), "index");
  if (Status filled = fill(git, commit, path); !filled) {
    commit_.clear();
    return filled.error();
  }
  commit_ = commit;
  return path;
}

Result<const std::set<std::string>*> OwnIndex::left_out(const GitRunner& git) {
  if (left_out_) return &*left_out_;
  std::set<std::string> paths;
  PEDRO_TRY(const bool is_sparse, has_sparse_rules(git));
  if (is_sparse) {
    PEDRO_TRY(const auto listed, git.run({"-c", "core.quotepath=on", "ls-files", "-t"}));
    for (const std::string_view line : split_lines(listed)) {
      if (!line.starts_with("S ")) continue;
      if (auto path = unquoted_path(line.substr(2))) paths.insert(*std::move(path));
    }
  }
  left_out_ = std::move(paths);
  return &*left_out_;
}

Status OwnIndex::fill(const GitRunner& git, const std::string& commit, const std::string& path) {
  if (commit_.empty()) {  // removes files of an interrupted git
    for (const std::string& left : {path, path + ".lock"}) {
      if (git.files().link_info(left).kind == FileKind::kMissing) continue;
      if (Status removed = git.files().remove(left); !removed) return removed;
    }
  }
  if (commit_ == commit) return {};
  std::vector<std::string> read = {"read-tree", commit};
  if (!commit_.empty()) read.insert(read.begin() + 1, "--reset");  // keeps known file states
  return git.perform(std::move(read), {.index = path});
}

}  // namespace pedro
