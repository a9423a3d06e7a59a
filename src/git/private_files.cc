#include "git/private_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/hash.h"
#include "base/text.h"
#include "sys/environment.h"
#include "sys/repositories.h"
#include "sys/scratch_folder.h"
#include "tools/git_command.h"

namespace pedro {
namespace {

constexpr long long kNsPerMs = 1'000'000;
constexpr std::string_view kRules = ".gitignore";
constexpr std::string_view kAttributes = ".gitattributes";
constexpr std::size_t kMaxIgnored = 1000;
constexpr std::size_t kMaxNamedFiles = 1000;  // more are too long for a command line
constexpr std::uint64_t kMinCopiedBytes = 16;
constexpr std::uint64_t kMaxCopiedBytes = 1u << 20;
constexpr std::size_t kMaxKnownBytes = 8u << 20;  // of all ignored files
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

// Returns true if a `.gitignore` file has changed, or is in a folder of one of the files.
bool any_has_rules(const GitRunner& git, const std::vector<ChangedFile>& files) {
  std::set<std::string> folders = {""};
  for (const ChangedFile& file : files) {
    if (base_name(file.path) == kRules) return true;
    for (std::size_t slash = file.path.find('/'); slash != file.path.npos;
         slash = file.path.find('/', slash + 1)) {
      folders.insert(file.path.substr(0, slash + 1));
    }
  }
  return std::any_of(folders.begin(), folders.end(), [&git](const std::string& folder) {
    const std::string place = join_path(git.root(), folder + std::string(kRules));
    return git.files().link_info(place).kind != FileKind::kMissing;
  });
}

// Returns the files of `paths` that git ignores by the `.gitignore` files in `folder`. `index` must
// contain none of them.
Result<std::set<std::string>> ignored_by(const GitRunner& git, const std::string& folder,
                                         const std::string& index,
                                         const std::vector<std::string>& paths) {
  std::string names = fmt::format("{}{}/any\n", kHere, kIgnoredFolder);
  for (const std::string& path : paths) {
    names += quoted_path(std::string(kHere) + path) + "\n";
  }
  PEDRO_TRY(const std::string found,
            git.run({"-c", "core.quotepath=on", "check-ignore", "--stdin"},
                    {.input = names,
                     .index = index,
                     .environment = {kWithPatterns, {"GIT_WORK_TREE", folder}}}));
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

// Returns the bytes of a file that a job could copy.
std::optional<std::string> copied_bytes(const FileSystem& files, const std::string& path) {
  const FileInfo info = files.link_info(path);
  const bool fits = info.bytes >= kMinCopiedBytes && info.bytes <= kMaxCopiedBytes;
  if (info.kind != FileKind::kFile || !fits) return std::nullopt;
  auto bytes = files.read(path, kMaxCopiedBytes);
  return bytes ? std::optional(*std::move(bytes)) : std::nullopt;
}

}  // namespace

Status PrivateFiles::mark(const GitRunner& git, const std::string& index, const std::string& commit,
                          const std::set<std::string>& sparse, std::vector<ChangedFile>& files) {
  if (!marked_in_index_) {
    PEDRO_TRY(marked_in_index_, marked_in_index(git, files));
    std::erase_if(*marked_in_index_, [&](const std::string& path) {
      return sparse.contains(path) &&
             git.files().link_info(join_path(git.root(), path)).kind == FileKind::kMissing;
    });
  }
  PEDRO_TRY(const std::set<std::string> converted, filtered(git, index, files));
  for (ChangedFile& file : files) {
    if (marked_in_index_->contains(file.path)) file.private_by = PrivateBy::kHidden;
    if (converted.contains(file.path)) file.private_by = PrivateBy::kFilter;
  }
  for (Rules& rules : rules_) PEDRO_RETURN_IF_ERROR(mark_ignored(git, "", rules, files));
  if (!rules_.empty()) return {};
  if (compared_.commit != commit) compared_ = Rules{commit, {}, {}, {}};
  // A job's first list of changes takes no process for rules if there are none.
  if (sparse.empty() && ignored_rules_.empty() && !any_has_rules(git, files)) return {};
  return mark_ignored(git, index, compared_, files);
}

// Returns the files that a disabled filter converts. The attributes are those of the work tree, of
// `index` or of a commit of add_rules_of().
Result<std::set<std::string>> PrivateFiles::filtered(const GitRunner& git, const std::string& index,
                                                     const std::vector<ChangedFile>& files) {
  constexpr std::string_view kMark = ": filter: ";
  std::set<std::string> found;
  const auto disabled = disabled_filters(git);
  if (disabled.empty() || files.empty()) return found;
  std::string paths;
  for (const ChangedFile& file : files) paths += quoted_path(file.path) + "\n";
  std::vector<std::string> indexes = {"", index};  // "": the work tree
  for (Rules& rules : rules_) {
    PEDRO_TRY(indexes.emplace_back(), rules.index.at(git, rules.commit));
  }
  for (const std::string& source : indexes) {
    std::vector<std::string> arguments = {"-c", "core.quotepath=on", "check-attr", "--stdin"};
    if (!source.empty()) arguments.emplace_back("--cached");
    arguments.emplace_back("filter");
    PEDRO_TRY(
        const std::string text,
        git.run(std::move(arguments), {.input = paths, .index = source.empty() ? index : source}));
    for (const std::string_view line : split_lines(text)) {
      const std::size_t at = line.rfind(kMark);
      if (at == line.npos || !disabled.contains(line.substr(at + kMark.size()))) continue;
      if (auto path = unquoted_path(line.substr(0, at))) found.insert(*std::move(path));
    }
  }
  return found;
}

// `index`: the path of an index of the rules' commit; "": their own.
Status PrivateFiles::mark_ignored(const GitRunner& git, std::string index, Rules& rules,
                                  std::vector<ChangedFile>& files) const {
  std::vector<std::string> unknown;
  for (const ChangedFile& file : files) {
    if (file.untracked && !rules.ignored.contains(file.path)) unknown.push_back(file.path);
  }
  if (!unknown.empty()) {
    if (index.empty()) {
      PEDRO_TRY(index, rules.index.at(git, rules.commit));
    }
    if (!rules.folder) {
      PEDRO_TRY(ScratchFolder made,
                ScratchFolder::make_outside(git.root(), real_environment().get("TMPDIR")));
      PEDRO_RETURN_IF_ERROR(write_rules(git, index, made.path()));
      rules.folder = std::move(made);
    }
    PEDRO_TRY(const std::set<std::string> ignored,
              ignored_by(git, rules.folder->path(), index, unknown));
    for (const std::string& path : unknown) rules.ignored[path] = ignored.contains(path);
    for (const std::string& path : ignored_rules_) rules.ignored[path] = true;
  }
  for (ChangedFile& file : files) {
    if (!file.untracked) continue;
    const auto known = rules.ignored.find(file.path);
    if (known != rules.ignored.end() && known->second) file.private_by = PrivateBy::kIgnored;
  }
  return {};
}

Status PrivateFiles::drop_ignored(const GitRunner& git, std::vector<ChangedFile>& files) {
  for (ChangedFile& file : files) file.untracked = true;
  // Rules that ignore themselves may be the job's: this process may have begun after it.
  const std::vector<std::string> found_later = std::exchange(ignored_rules_, {});
  Status marked;
  for (auto rules = rules_.begin(); marked && rules != rules_.end(); ++rules) {
    Rules own{rules->commit, {}, {}, {}};
    marked = mark_ignored(git, "", own, files);
  }
  ignored_rules_ = found_later;
  PEDRO_RETURN_IF_ERROR(marked);
  std::erase_if(files,
                [](const ChangedFile& file) { return file.private_by == PrivateBy::kIgnored; });
  return {};
}

void PrivateFiles::add_rules_of(const std::string& commit) {
  const bool is_known = std::any_of(rules_.begin(), rules_.end(), [&commit](const Rules& rules) {
    return rules.commit == commit;
  });
  if (!is_known) rules_.emplace_back().commit = commit;
}

void PrivateFiles::set_ignored(const GitRunner& git, std::vector<std::string> paths) {
  const auto rules = std::stable_partition(paths.begin(), paths.end(), [](const auto& path) {
    return base_name(path) != kRules && base_name(path) != kAttributes;
  });
  ignored_rules_.assign(std::make_move_iterator(rules), std::make_move_iterator(paths.end()));
  paths.erase(rules, paths.end());
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
  std::size_t known = 0;
  for (std::size_t i = 0; i < ignored_.size() && known < kMaxKnownBytes; ++i) {
    const auto bytes = copied_bytes(git.files(), join_path(git.root(), ignored_[i]));
    if (!bytes) continue;
    known += bytes->size();
    contents_.insert(hash_bytes(*bytes));
  }
}

std::vector<std::string> PrivateFiles::removed(const GitRunner& git) const {
  std::vector<std::string> removed;
  for (const std::string& path : ignored_) {
    const FileKind kind = git.files().link_info(join_path(git.root(), path)).kind;
    const bool is_replaced = kind == FileKind::kFolder && !path.ends_with('/');
    if (kind == FileKind::kMissing || is_replaced) removed.push_back(path);
  }
  return removed;
}

bool PrivateFiles::is_copy(const GitRunner& git, const std::string& path) const {
  const auto bytes = copied_bytes(git.files(), join_path(git.root(), path));
  return bytes && contents_.contains(hash_bytes(*bytes));
}

void UserEdits::add_wait(long long begin_ms, long long end_ms) {
  const bool is_back = !waits_.empty() && (begin_ms - kMarginMs) * kNsPerMs < waits_.back().end_ns;
  has_lost_time_ = has_lost_time_ || is_back || end_ms < begin_ms;
  waits_.push_back({(begin_ms + kMarginMs) * kNsPerMs, (end_ms - kMarginMs) * kNsPerMs});
}

bool UserEdits::is_users(const std::string& path, const FileInfo& info) {
  if (waits_.empty() || info.changed_ns < waits_.front().begin_ns) return users_.contains(path);
  if (has_lost_time_ || jobs_.contains(path)) return false;
  const auto after = std::ranges::upper_bound(waits_, info.changed_ns, {}, &Wait::begin_ns);
  if (info.changed_ns < std::prev(after)->end_ns) return true;
  jobs_.insert(path);
  return false;
}

}  // namespace pedro
