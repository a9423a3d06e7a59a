#include "git/checkpoints.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <set>

#include "base/text.h"
#include "git/commit_files.h"
#include "sys/open_tree.h"
#include "tools/git_command.h"

namespace pedro {
namespace {

constexpr std::string_view kCheckpoint = "checkpoint/";
constexpr std::string_view kKept = "kept/";
constexpr std::string_view kUserLine = "Changed by the user: ";  // in messages, with a quoted path
constexpr long long kMaxKept = 1'000'000'000;                    // commands may write refs
constexpr std::size_t kMaxGeneratedFiles = 1000;
constexpr std::uint64_t kMaxGeneratedBytes = 64u << 20;

// Returns N of a ref "kept/N".
std::optional<long long> kept_number(std::string_view name) {
  if (!name.starts_with(kKept)) return std::nullopt;
  name.remove_prefix(kKept.size());
  long long number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error != std::errc() || end != name.data() + name.size()) return std::nullopt;
  return number;
}

// Removes the files from `changes` that an undo keeps: project settings and, with `jobs`, files
// that are not in it. Returns true if there are any.
bool drop_users(std::vector<ChangedFile>& changes,
                const std::optional<std::set<std::string>>& jobs) {
  return std::erase_if(changes, [&jobs](const ChangedFile& file) {
           return is_project_setting(file.path) || (jobs && !jobs->contains(file.path));
         }) > 0;
}

// Returns a line for each file that the user changed.
std::string user_lines(const std::vector<ChangedFile>& files) {
  std::string lines;
  for (const ChangedFile& file : files) {
    if (file.private_by != PrivateBy::kUser) continue;
    lines += fmt::format("{}{}\n", kUserLine, quoted_path(file.path));
  }
  return lines.empty() ? lines : "\n" + lines;
}

// Adds the path, or the file at one of its parent folders, if it exists.
void add_in_the_way(const FileSystem& files, const std::string& root, const ChangedFile& file,
                    std::vector<ChangedFile>& found) {
  for (std::size_t end = file.path.find('/'); end <= file.path.size();
       end = file.path.find('/', end + 1)) {
    ChangedFile part = file;
    part.path.resize(end);
    const FileKind kind = files.link_info(join_path(root, part.path)).kind;
    if (kind == FileKind::kFile || kind == FileKind::kSymlink) found.push_back(std::move(part));
    if (kind != FileKind::kFolder) return;
  }
  const FileKind kind = files.link_info(join_path(root, file.path)).kind;
  if (kind == FileKind::kFile || kind == FileKind::kSymlink) found.push_back(file);
}

}  // namespace

Result<std::string> Checkpoints::index_path() const {
  return repository_.private_index("pedrocli-" + job_ + ".index");
}

Result<std::vector<ChangedFile>> Checkpoints::files_now(const std::string& base) const {
  auto files = repository_.changed_files(base);
  if (files) std::erase_if(*files, [](const ChangedFile& file) { return file.generated; });
  return files;
}

Result<std::string> Checkpoints::commit(const std::string& base,
                                        const std::vector<ChangedFile>& files,
                                        const std::string& message) const {
  const Result<std::string> index = index_path();
  if (!index) return index;
  return repository_.snapshot(base, files, *index, message);
}

// Returns generated files from before the job, if they are few, and ignored `.gitignore` files.
Result<std::vector<ChangedFile>> Checkpoints::more_before_job(const std::string& base) const {
  PEDRO_TRY(auto files, repository_.changed_files(base));
  std::erase_if(files, [](const ChangedFile& file) { return !file.generated || file.is_folder(); });
  std::uint64_t bytes = 0;
  for (const ChangedFile& file : files) {
    bytes += repository_.files().link_info(join_path(repository_.root(), file.path)).bytes;
  }
  if (files.size() > kMaxGeneratedFiles || bytes > kMaxGeneratedBytes) files.clear();
  for (const std::string& path : repository_.ignored_rules()) {
    files.push_back({path, ChangeKind::kAdded});
  }
  return files;
}

Result<std::string> Checkpoints::take(const std::string& base, int rounds) {
  PEDRO_TRY(auto files, files_now(base));
  if (taken_ && files == last_) return std::string();
  std::vector<ChangedFile> all = files;
  if (rounds == 0) {
    PEDRO_TRY(const auto more, more_before_job(base));
    all.insert(all.end(), more.begin(), more.end());
  }
  Result<std::string> taken =
      commit(base, all, fmt::format("{}: after {} rounds\n{}", job_, rounds, user_lines(files)));
  if (!taken) return taken;
  const std::string ref = fmt::format("{}{}{}", prefix_, kCheckpoint, rounds);
  PEDRO_RETURN_IF_ERROR(repository_.set_ref(ref, *taken));
  commits_[rounds] = *taken;
  if (rounds == 0) repository_.add_rules_of(*taken);
  taken_ = true;
  last_ = std::move(files);
  return taken;
}

Result<std::string> Checkpoints::keep(const std::string& commit) const {
  PEDRO_TRY(const auto refs, repository_.refs_below(prefix_));
  long long next = 1;
  for (const auto& [name, kept] : refs) {
    if (const auto number = kept_number(name))
      next = std::max(next, std::min(*number, kMaxKept) + 1);
  }
  std::string ref = fmt::format("{}{}{}", prefix_, kKept, next);
  PEDRO_RETURN_IF_ERROR(repository_.set_ref(ref, commit));
  return ref;
}

Result<std::pair<int, std::string>> Checkpoints::find(int rounds) const {
  const auto next = commits_.upper_bound(rounds);
  if (next != commits_.begin()) {
    const auto& [taken_after, commit] = *std::prev(next);
    const Result<std::string> id = repository_.commit_id(commit);
    if (id && *id == commit) return std::pair(taken_after, commit);
  }
  return Error{ErrorKind::kUsage,
               fmt::format("{}: no checkpoint of this job is in {}", job_, repository_.root())};
}

Result<std::string> Checkpoints::at(int rounds) const {
  const auto found = find(rounds);
  return found ? found->second : Result<std::string>(found.error());
}

// Commits the current files before an undo. Includes files that git now ignores but the checkpoint
// contains; they would be lost otherwise.
Result<std::string> Checkpoints::commit_before(const std::string& base,
                                               const std::string& target) const {
  const std::string message = fmt::format("{}: before the undo\n", job_);
  PEDRO_TRY(auto current, files_now(base));
  Result<std::string> now = commit(base, current, message);
  if (!now) return now;
  PEDRO_TRY(const auto changes, CommitFiles(repository_.git()).difference(*now, target));
  const FileSystem& files = repository_.files();
  std::vector<ChangedFile> hidden;
  std::vector<std::string> folders;
  for (const ChangedFile& file : changes) {
    if (file.kind == ChangeKind::kDeleted) continue;
    if (file.kind == ChangeKind::kAdded) {
      add_in_the_way(files, repository_.root(), file, hidden);
    }
    const FileInfo info = files.link_info(join_path(repository_.root(), file.path));
    if (info.kind == FileKind::kFolder) folders.push_back(file.path);
  }
  PEDRO_TRY(const auto lost, repository_.with_ignored(folders));
  if (!lost.empty()) {
    return Error{
        ErrorKind::kUsage,
        fmt::format(
            "{}: a folder with files that git ignores has replaced a file; move it away first",
            join_path(repository_.root(), lost.front()))};
  }
  if (hidden.empty()) return now;
  current.insert(current.end(), hidden.begin(), hidden.end());
  return commit(base, current, message);
}

// Removes files from `jobs` that only the first checkpoint has, unless they are missing from an
// existing folder: later checkpoints omit them, so the job need not have changed them.
Status Checkpoints::drop_only_before(std::set<std::string>& jobs) const {
  if (commits_.empty() || jobs.empty()) return {};
  PEDRO_TRY(const auto later,
            CommitFiles(repository_.git()).paths_in(std::prev(commits_.end())->second, jobs));
  PEDRO_TRY(const std::string base, repository_.commit_id(commits_.begin()->second + "~1"));
  PEDRO_TRY(const auto at_base, CommitFiles(repository_.git()).paths_in(base, jobs));
  std::vector<ChangedFile> files;
  for (const std::string& path : jobs) {
    if (!later.contains(path) && !at_base.contains(path)) {
      files.push_back({path, ChangeKind::kAdded});
    }
  }
  mark_generated(files);
  const FileSystem& disk = repository_.files();
  for (const ChangedFile& file : files) {
    const std::string_view name = base_name(file.path);
    if (!file.generated && name != ".gitignore" && name != ".gitattributes") continue;
    const std::string place = join_path(repository_.root(), file.path);
    const bool is_there = disk.link_info(place).kind != FileKind::kMissing;
    const bool has_folder =
        disk.link_info(std::string(folder_name(place))).kind == FileKind::kFolder;
    if (is_there || !has_folder) jobs.erase(file.path);
  }
  return {};
}

// Returns the files that the user changed during the job, from the message of a checkpoint.
Result<std::set<std::string>> Checkpoints::changed_by_user(const std::string& commit) const {
  PEDRO_TRY(const std::string message,
            repository_.git().run({"log", "-1", "--format=%b", "--no-show-signature", commit}));
  std::set<std::string> paths;
  for (const std::string_view line : split_lines(message)) {
    if (!line.starts_with(kUserLine)) continue;
    if (auto path = unquoted_path(line.substr(kUserLine.size()))) paths.insert(*std::move(path));
  }
  return paths;
}

// Removes pipes, sockets and devices in the place of files and of their folders: they have no
// contents.
Status Checkpoints::remove_special(const std::vector<ChangedFile>& changes) const {
  FileSystem& files = repository_.files();
  for (const ChangedFile& file : changes) {
    if (file.kind != ChangeKind::kAdded) continue;
    for (std::size_t end = 0; end != file.path.npos;) {
      end = file.path.find('/', end + 1);
      const std::string place = join_path(repository_.root(), file.path.substr(0, end));
      if (files.link_info(place).kind != FileKind::kOther) continue;
      PEDRO_RETURN_IF_ERROR(files.remove(place));
    }
  }
  return {};
}

Result<Restored> Checkpoints::restore(int rounds, bool only_jobs) const {
  PEDRO_TRY(const auto found, find(rounds));
  open_tree(repository_.root());  // a command may have taken the permissions
  repository_.forget_changes();
  std::optional<std::set<std::string>> jobs;
  if (only_jobs) {
    std::vector<std::string> commits;
    for (const auto& [taken_after, commit] : commits_) commits.push_back(commit);
    PEDRO_TRY(jobs, CommitFiles(repository_.git()).changed_between(commits));
    PEDRO_RETURN_IF_ERROR(drop_only_before(*jobs));
    PEDRO_TRY(const auto users, changed_by_user(std::prev(commits_.end())->second));
    for (const std::string& path : users) jobs->erase(path);
  }
  std::string target = found.second;
  Restored restored{found.first, 0, ""};
  PEDRO_TRY(const std::string base, repository_.commit_id(target + "~1"));
  PEDRO_TRY(const std::string now, commit_before(base, target));
  PEDRO_TRY(auto changes, CommitFiles(repository_.git()).difference(now, target));
  PEDRO_TRY(const std::string index, index_path());
  if (drop_users(changes, jobs)) {
    PEDRO_TRY(const auto without,
              CommitFiles(repository_.git()).with_paths_of(target, changes, now, index));
    target = without;
  }
  PEDRO_TRY(auto submodules, CommitFiles(repository_.git()).moved_submodules(now, target));
  restored.submodules = std::move(submodules);
  if (changes.empty()) return restored;
  PEDRO_TRY(std::string kept, keep(now));
  PEDRO_RETURN_IF_ERROR(remove_special(changes));
  PEDRO_RETURN_IF_ERROR(repository_.move_files(now, target, index));
  restored.kept = std::move(kept);
  restored.files = static_cast<int>(changes.size());
  return restored;
}

void Checkpoints::continue_with(std::map<int, std::string> taken) {
  commits_ = std::move(taken);
  if (const auto before = at(0)) repository_.add_rules_of(*before);
}

Result<Restored> Checkpoints::resume(const std::string& base, int rounds,
                                     std::map<int, std::string> taken) {
  commits_ = taken;
  Result<Restored> restored = restore(rounds);
  if (!restored) return restored;
  continue_with(std::move(taken));
  PEDRO_TRY(const auto found, find(rounds));
  PEDRO_TRY(auto users, changed_by_user(found.second));
  repository_.add_users(std::move(users));
  PEDRO_TRY(auto files, files_now(base));
  taken_ = true;
  last_ = std::move(files);
  return restored;
}

Result<Checkpoints::Dropped> Checkpoints::drop(KeptRefs kept) const {
  PEDRO_RETURN_IF_ERROR(index_path());  // removes a leftover index
  PEDRO_TRY(const auto refs, repository_.refs_below(prefix_));
  Dropped dropped;
  std::vector<std::string> names;
  for (const auto& [name, commit] : refs) {
    const bool stays = kept == KeptRefs::kStay && kept_number(name).has_value();
    if (stays) dropped.kept = prefix_ + std::string(kKept);
    if (!stays) names.push_back(prefix_ + name);
  }
  PEDRO_RETURN_IF_ERROR(repository_.delete_refs(names));
  dropped.refs = static_cast<int>(names.size());
  return dropped;
}

}  // namespace pedro
