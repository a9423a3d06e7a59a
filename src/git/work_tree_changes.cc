#include "git/work_tree_changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/clock.h"
#include "base/text.h"
#include "tools/git_command.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxDiffFiles = 50;
constexpr std::size_t kMaxShownNewBytes = 4000;

// Returns true if git accepts the path in a work tree. A manipulated index can contain other
// paths.
bool is_inside(const GitRunner& git, const std::string& path) {
  std::string folder = git.root();
  const std::vector<std::string_view> parts = split(path, '/');
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string_view part = parts[i];
    if (part.empty() || part == "." || part == ".." || to_lower(part) == ".git") return false;
    if (i + 1 == parts.size()) break;
    folder = join_path(folder, part);
    if (git.files().link_info(folder).kind != FileKind::kFolder) return false;
  }
  return true;
}

// Returns true for a pipe, socket or device.
bool is_special(const GitRunner& git, const ChangedFile& file) {
  return git.files().link_info(join_path(git.root(), file.path)).kind == FileKind::kOther;
}

// Git stores no special files. One in place of a tracked file has deleted it.
void drop_special(const GitRunner& git, std::vector<ChangedFile>& files) {
  std::erase_if(files,
                [&](const ChangedFile& file) { return file.untracked && is_special(git, file); });
  for (ChangedFile& file : files) {
    if (file.kind == ChangeKind::kModified && is_special(git, file)) {
      file.kind = ChangeKind::kDeleted;
    }
  }
}

bool same_file(const FileInfo& a, const FileInfo& b) {
  return a.kind == b.kind && a.bytes == b.bytes && a.modified_ns == b.modified_ns;
}

// Compares the time of a new file with the clock. They differ on a network disk.
bool has_disks_clock(const GitRunner& git) {
  const std::string path = join_path(git.git_folder(), "pedrocli-clock");
  const long long begin_ms = RealClock().now_ms();
  const Status written = git.files().write_atomic(path, "");
  const long long time_ms = git.files().link_info(path).changed_ns / 1'000'000;
  const long long end_ms = RealClock().now_ms();
  (void)git.files().remove(path);
  return written.ok() && time_ms >= begin_ms - UserEdits::kMarginMs &&
         time_ms <= end_ms + UserEdits::kMarginMs;
}

Result<std::string> diff_of_new(const GitRunner& git, const std::string& path) {
  PEDRO_TRY(const auto result, git.ask({"diff", "--no-index", "--no-ext-diff", "--no-textconv",
                                        "--", "/dev/null", path}));
  if (result.exit_code > 1) return "(" + path + " cannot be read)\n";  // 1: they differ
  return cut_middle(result.out, kMaxShownNewBytes, "");
}

}  // namespace

void WorkTreeChanges::add_wait(const GitRunner& git, long long begin_ms, long long end_ms) {
  has_waited_ = true;
  if (!has_disks_clock_) has_disks_clock_ = has_disks_clock(git);
  if (*has_disks_clock_) user_edits_.add_wait(begin_ms, end_ms);
}

Result<std::vector<ChangedFile>> WorkTreeChanges::list(const GitRunner& git,
                                                       const std::string& commit) {
  if (remembers_ && listed_ && listed_->commit == commit) return listed_->files;
  PEDRO_TRY(std::vector<ChangedFile> files, examine(git, commit));
  listed_ = Listed{commit, std::move(files)};
  return listed_->files;
}

Result<std::vector<ChangedFile>> WorkTreeChanges::examine(const GitRunner& git,
                                                          const std::string& commit) {
  has_waited_ = false;
  PEDRO_TRY(const std::string index, index_.at(git, commit));
  // Git writes the states of the files to the index, so it reads unchanged files only once.
  const auto status_with = [&](const char* ignored) {
    return git.run({"-c", "core.quotepath=on", "status", "--porcelain=v1", "--untracked-files=all",
                    ignored, "--no-renames", "--ignore-submodules=dirty"},
                   {.index = index, .environment = {{"GIT_OPTIONAL_LOCKS", "1"}}});
  };
  Result<std::string> status = status_with(knows_ignored_ ? "--ignored=no" : "--ignored=matching");
  // A list with the ignored files may be too long.
  const bool may_be_long = !status && !knows_ignored_ && status.error().kind == ErrorKind::kUsage;
  if (may_be_long) status = status_with("--ignored=no");
  if (!status) return status.error();
  std::vector<std::string> ignored;
  PEDRO_TRY(auto files, parse_status(*status, ignored));
  if (!knows_ignored_) private_.set_ignored(git, std::move(ignored));
  knows_ignored_ = true;
  PEDRO_TRY(const auto sparse, index_.left_out(git));
  std::erase_if(files, [&](const ChangedFile& file) {
    return file.kind == ChangeKind::kDeleted && sparse->contains(file.path);
  });
  PEDRO_RETURN_IF_ERROR(private_.mark(git, index, commit, *sparse, files));
  PEDRO_RETURN_IF_ERROR(add_forced(git, commit, files));
  drop_special(git, files);
  mark_generated(files);
  for (ChangedFile& file : files) {
    if (file.private_by == PrivateBy::kIgnored) file.generated = true;
    if (file.generated) continue;
    const std::string place = join_path(git.root(), file.path);
    const bool is_deleted = file.kind == ChangeKind::kDeleted;
    // A deletion changes the folder.
    const FileInfo info =
        git.files().link_info(is_deleted ? std::string(folder_name(place)) : place);
    const bool is_users = user_edits_.is_users(file.path, info);
    if (is_users && file.private_by == PrivateBy::kNone) file.private_by = PrivateBy::kUser;
    if (is_deleted) continue;
    const FileContent content = content_of(git.files(), place);
    file.generated = content.built && file.kind == ChangeKind::kAdded;
    if (!file.generated) file.content = content.hash;
  }
  std::sort(files.begin(), files.end(),
            [](const ChangedFile& a, const ChangedFile& b) { return a.path < b.path; });
  return files;
}

// Adds ignored files that the repository's index contains and `commit` lacks (git add --force).
// Asks git again only if that index has changed.
Status WorkTreeChanges::add_forced(const GitRunner& git, const std::string& commit,
                                   std::vector<ChangedFile>& files) {
  const FileInfo state = git.files().info(join_path(git.git_folder(), "index"));
  if (forced_commit_ != commit || !same_file(state, users_index_state_)) {
    PEDRO_TRY(
        const auto listed,
        git.run({"-c", "core.quotepath=on", "diff", "--cached", "--name-only", "--diff-filter=A",
                 "--no-renames", "--no-ext-diff", "--ignore-submodules=all", commit, "--"}));
    forced_.clear();
    for (const std::string_view line : split_lines(listed)) {
      if (auto path = unquoted_path(line)) forced_.push_back(*std::move(path));
    }
    forced_commit_ = commit;
    users_index_state_ = state;
  }
  std::set<std::string> known;
  for (const ChangedFile& file : files) known.insert(file.path);
  for (const std::string& path : forced_) {
    if (known.contains(path) || !is_inside(git, path)) continue;
    const FileKind kind = git.files().link_info(join_path(git.root(), path)).kind;
    if (kind != FileKind::kFile && kind != FileKind::kSymlink) continue;
    files.push_back({.path = path, .kind = ChangeKind::kAdded, .untracked = true});
  }
  return {};
}

Result<std::string> WorkTreeChanges::diff(const GitRunner& git, const std::string& commit) {
  PEDRO_TRY(auto files, list(git, commit));
  // `git diff` fails for special files.
  std::erase_if(files, [&](const ChangedFile& file) {
    return is_omitted(file) || (file.kind == ChangeKind::kDeleted && is_special(git, file));
  });
  if (files.empty()) return std::string();
  const std::size_t count = std::min(files.size(), kMaxDiffFiles);
  std::vector<std::string> arguments = {
      "diff", "--no-renames", "--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty", commit,
      "--"};
  for (std::size_t i = 0; i < count; ++i) {
    if (!files[i].untracked) arguments.push_back(files[i].path);
  }
  std::string text;
  if (arguments.back() != "--") {
    PEDRO_TRY(const std::string index, index_.at(git, commit));
    PEDRO_TRY(text, git.run(std::move(arguments), {.index = index, .may_be_cut = true}));
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (!files[i].untracked) continue;
    const auto added = diff_of_new(git, files[i].path);
    if (!added) return added;
    text += *added;
  }
  const std::size_t more = files.size() - count;
  if (more > 0) text += fmt::format("[... {} more files ...]\n", more);
  return text;
}

}  // namespace pedro
