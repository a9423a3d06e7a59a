#include "git/private_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "base/text.h"
#include "sys/environment.h"
#include "sys/repositories.h"
#include "sys/scratch_folder.h"
#include "tools/git_command.h"

namespace pedro {
namespace {

constexpr std::string_view kRules = ".gitignore";
constexpr std::size_t kMaxIgnored = 1000;
constexpr std::size_t kMaxNamedFiles = 1000;  // more are too long for a command line
// A path that is always ignored: git exits with 1 if it ignores none.
constexpr const char* kIgnoredFolder = ".pedrocli-ignored";
// Prefix of each path. Without it, git reads ':' as the start of a pattern.
constexpr std::string_view kHere = "./";
// Lets check-ignore apply patterns, which git_command() turns off.
constexpr std::pair<const char*, const char*> kWithPatterns = {"GIT_LITERAL_PATHSPECS", "0"};

// Writes the `.gitignore` files of an index to a folder.
Status write_rules(const GitRunner& git, const std::string& index, const std::string& folder) {
  PEDRO_TRY(const std::string listed,
            git.run({"-c", "core.quotepath=on", "ls-files", "--", ":(glob)**/.gitignore"},
                    {.index = index, .environment = {kWithPatterns}}));
  if (!listed.empty()) {
    PEDRO_RETURN_IF_ERROR(
        git.run({"checkout-index", "--force", "--stdin", "--prefix=" + folder + "/"},
                {.input = listed, .index = index}));
  }
  const std::string own = join_path(folder, kIgnoredFolder);
  PEDRO_RETURN_IF_ERROR(git.files().make_folders(own, 0700));
  return git.files().write_atomic(join_path(own, ".gitignore"), "*\n", 0600);
}

// Returns the files of `paths` that git ignores by the `.gitignore` files of `index`, not by those
// of the work tree.
Result<std::set<std::string>> ignored_before(const GitRunner& git, const std::string& index,
                                             const std::vector<std::string>& paths) {
  PEDRO_TRY(const ScratchFolder rules,
            ScratchFolder::make_outside(git.root(), real_environment().get("TMPDIR")));
  PEDRO_RETURN_IF_ERROR(write_rules(git, index, rules.path()));
  std::string names = fmt::format("{}{}/any\n", kHere, kIgnoredFolder);
  for (const std::string& path : paths) {
    names += quoted_path(std::string(kHere) + path) + "\n";
  }
  PEDRO_TRY(const std::string found,
            git.run({"-c", "core.quotepath=on", "check-ignore", "--stdin"},
                    {.input = names,
                     .index = index,
                     .environment = {kWithPatterns, {"GIT_WORK_TREE", rules.path()}}}));
  std::set<std::string> ignored;
  for (const std::string_view line : split_lines(found)) {
    const auto path = unquoted_path(line);
    if (path && path->starts_with(kHere)) ignored.insert(path->substr(kHere.size()));
  }
  return ignored;
}

// Returns the tracked files of `files` with the marks skip-worktree and assume-unchanged.
Result<std::set<std::string>> marked_in_index(const GitRunner& git,
                                              const std::vector<ChangedFile>& files) {
  std::vector<std::string> arguments = {"-c", "core.quotepath=on", "ls-files", "-v", "--"};
  for (const ChangedFile& file : files) {
    if (!file.untracked) arguments.push_back(file.path);
  }
  std::set<std::string> marked;
  if (arguments.back() == "--") return marked;
  if (arguments.size() > kMaxNamedFiles) arguments.resize(5);
  PEDRO_TRY(const std::string listed, git.run(std::move(arguments)));
  for (const std::string_view line : split_lines(listed)) {  // "S PATH", or a lower-case letter
    if (line.size() < 3 || (line[0] != 'S' && (line[0] < 'a' || line[0] > 'z'))) continue;
    if (auto path = unquoted_path(line.substr(2))) marked.insert(*std::move(path));
  }
  return marked;
}

// Returns the filters of the repository's configuration that do not run, without git-lfs.
std::set<std::string, std::less<>> disabled_filters(const GitRunner& git) {
  constexpr std::string_view kFilter = "filter.";
  std::set<std::string, std::less<>> names;
  for (const auto& [variable, key] : git.disabled()) {
    const std::size_t dot = key.rfind('.');
    const std::string_view last = std::string_view(key).substr(dot == key.npos ? key.size() : dot);
    if (!key.starts_with(kFilter) || (last != ".clean" && last != ".process")) continue;
    names.insert(key.substr(kFilter.size(), dot - kFilter.size()));
  }
  names.erase("lfs");  // git-lfs under its usual name does run
  return names;
}

// Returns the files that a disabled filter converts, by the attributes of `index` or of the work
// tree.
Result<std::set<std::string>> filtered(const GitRunner& git, const std::string& index,
                                       const std::vector<ChangedFile>& files) {
  constexpr std::string_view kMark = ": filter: ";
  std::set<std::string> found;
  const auto disabled = disabled_filters(git);
  if (disabled.empty() || files.empty()) return found;
  std::string paths;
  for (const ChangedFile& file : files) paths += quoted_path(file.path) + "\n";
  for (const bool of_index : {true, false}) {
    std::vector<std::string> arguments = {"-c", "core.quotepath=on", "check-attr", "--stdin"};
    if (of_index) arguments.emplace_back("--cached");
    arguments.emplace_back("filter");
    PEDRO_TRY(const std::string text,
              git.run(std::move(arguments), {.input = paths, .index = index}));
    for (const std::string_view line : split_lines(text)) {
      const std::size_t at = line.rfind(kMark);
      if (at == line.npos || !disabled.contains(line.substr(at + kMark.size()))) continue;
      if (auto path = unquoted_path(line.substr(0, at))) found.insert(*std::move(path));
    }
  }
  return found;
}

}  // namespace

Status PrivateFiles::mark(const GitRunner& git, const std::string& index, const std::string& commit,
                          const std::set<std::string>& sparse, std::vector<ChangedFile>& files) {
  if (!marked_in_index_) {
    PEDRO_TRY(marked_in_index_, marked_in_index(git, files));
    std::erase_if(*marked_in_index_,
                  [&sparse](const std::string& path) { return sparse.contains(path); });
  }
  PEDRO_TRY(const std::set<std::string> converted, filtered(git, index, files));
  for (ChangedFile& file : files) {
    if (marked_in_index_->contains(file.path)) file.private_by = PrivateBy::kHidden;
    if (converted.contains(file.path)) file.private_by = PrivateBy::kFilter;
  }
  return mark_ignored(git, index, commit, files);
}

Status PrivateFiles::mark_ignored(const GitRunner& git, const std::string& index,
                                  const std::string& commit, std::vector<ChangedFile>& files) {
  std::vector<std::string> added;
  std::set<std::string> listed;  // changed `.gitignore` files
  for (const ChangedFile& file : files) {
    if (base_name(file.path) == kRules) listed.insert(file.path);
    if (file.untracked) added.push_back(file.path);
  }
  if (added.empty()) return {};
  PEDRO_TRY(const bool has_hidden, has_hidden_rules(git, index, commit, added, listed));
  const bool has_new_rules =
      has_hidden || !listed.empty() || content_of_ignored_rules(git) != ignored_rules_content_;
  PEDRO_TRY(const bool were_dirty, rules_were_dirty(git, commit));
  if (!has_new_rules && !were_dirty) return {};
  const bool has_own = were_dirty || !ignored_rules_.empty();
  PEDRO_TRY(const std::string rules, has_own && !rules_commit_.empty()
                                         ? rules_.at(git, rules_commit_)
                                         : Result<std::string>(index));
  PEDRO_TRY(std::set<std::string> ignored, ignored_before(git, rules, added));
  ignored.insert(ignored_rules_.begin(), ignored_rules_.end());
  for (ChangedFile& file : files) {
    if (!file.untracked || !ignored.contains(file.path)) continue;
    file.private_by = PrivateBy::kIgnored;
  }
  return {};
}

// Returns true if a folder of `added` has a new `.gitignore` that ignores itself. `listed` are
// those that git lists as changed.
Result<bool> PrivateFiles::has_hidden_rules(const GitRunner& git, const std::string& index,
                                            const std::string& commit,
                                            const std::vector<std::string>& added,
                                            const std::set<std::string>& listed) {
  if (tracked_at_ != commit) tracked_rules_.clear();
  tracked_at_ = commit;
  std::set<std::string> folders = {""};
  for (const std::string& path : added) {
    for (std::size_t slash = path.rfind('/'); slash != path.npos && slash > 0;
         slash = path.rfind('/', slash - 1)) {
      if (!folders.insert(path.substr(0, slash + 1)).second) break;
    }
  }
  std::vector<std::string> arguments = {"-c", "core.quotepath=on", "ls-files", "--"};
  std::vector<std::string> unknown;
  for (const std::string& folder : folders) {
    std::string path = folder + std::string(kRules);
    const bool is_known =
        listed.contains(path) || tracked_rules_.contains(path) ||
        std::find(ignored_rules_.begin(), ignored_rules_.end(), path) != ignored_rules_.end();
    const std::string place = join_path(git.root(), path);
    if (is_known || git.files().link_info(place).kind == FileKind::kMissing) continue;
    if (unknown.size() == kMaxNamedFiles) return true;
    unknown.push_back(std::move(path));
  }
  if (unknown.empty()) return false;
  arguments.insert(arguments.end(), unknown.begin(), unknown.end());
  PEDRO_TRY(const std::string names, git.run(std::move(arguments), {.index = index}));
  for (const std::string_view line : split_lines(names)) {
    if (auto path = unquoted_path(line)) tracked_rules_.insert(*std::move(path));
  }
  return std::any_of(unknown.begin(), unknown.end(),
                     [this](const std::string& path) { return !tracked_rules_.contains(path); });
}

// Returns true if `.gitignore` files differed from those of `commit` before the job, except for
// those that git ignores.
Result<bool> PrivateFiles::rules_were_dirty(const GitRunner& git, const std::string& commit) {
  if (rules_commit_.empty() || compared_commit_ == commit) return rules_were_dirty_;
  PEDRO_TRY(const std::string names,
            git.run({"-c", "core.quotepath=on", "diff-tree", "-r", "--name-only", "--no-renames",
                     "--no-ext-diff", commit, rules_commit_, "--"}));
  const auto lines = split_lines(names);
  rules_were_dirty_ = std::any_of(lines.begin(), lines.end(), [this](std::string_view line) {
    const auto path = unquoted_path(line);
    return path && base_name(*path) == kRules &&
           std::find(ignored_rules_.begin(), ignored_rules_.end(), *path) == ignored_rules_.end();
  });
  compared_commit_ = commit;
  return rules_were_dirty_;
}

void PrivateFiles::set_ignored(const GitRunner& git, std::vector<std::string> paths) {
  for (const std::string& path : paths) {
    if (base_name(path) == kRules) ignored_rules_.push_back(path);
  }
  ignored_rules_content_ = content_of_ignored_rules(git);
  std::vector<ChangedFile> files;  // one in each folder
  for (const std::string& path : paths) {
    files.push_back({path + (path.ends_with('/') ? "x" : ""), ChangeKind::kAdded});
  }
  mark_generated(files);
  for (std::size_t i = 0; i < files.size() && ignored_.size() < kMaxIgnored; ++i) {
    const bool is_output =
        files[i].generated || is_product(join_path(git.root(), paths[i]), git.root());
    if (!is_output) ignored_.push_back(std::move(paths[i]));
  }
}

std::vector<std::string> PrivateFiles::removed(const GitRunner& git) const {
  std::vector<std::string> removed;
  for (const std::string& path : ignored_) {
    const std::string place = join_path(git.root(), path);
    if (git.files().link_info(place).kind == FileKind::kMissing) removed.push_back(path);
  }
  return removed;
}

std::uint64_t PrivateFiles::content_of_ignored_rules(const GitRunner& git) const {
  std::uint64_t hash = ignored_rules_.empty() ? 0 : kHashSeed;
  for (const std::string& path : ignored_rules_) {
    hash = hash_bytes(to_hex(content_of(git.files(), join_path(git.root(), path)).hash), hash);
  }
  return hash;
}

}  // namespace pedro
