#include "git/checkpoints.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <set>

#include "base/text.h"
#include "git/commit_files.h"
#include "git/ignored_copies.h"
#include "git/new_commit.h"
#include "git/own_index.h"
#include "sys/tree_entries.h"
#include "tools/git_command.h"

namespace pedro {
namespace {

constexpr std::string_view kCheckpoint = "checkpoint/";
constexpr std::string_view kKept = "kept/";
constexpr std::string_view kUserLine = "Changed by the user: ";  // in messages, with a quoted path
constexpr std::string_view kLfsLine = "Stored by git LFS: ";     // the same
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
  return lines;
}

std::set<std::string> paths_of(const std::vector<ChangedFile>& files) {
  std::set<std::string> paths;
  for (const ChangedFile& file : files) paths.insert(file.path);
  return paths;
}

// Returns the paths in the lines of a message that begin with `mark`.
std::set<std::string> marked_paths(std::string_view message, std::string_view mark) {
  std::set<std::string> paths;
  for (const std::string_view line : split_lines(message)) {
    if (!line.starts_with(mark)) continue;
    if (auto path = unquoted_path(line.substr(mark.size()))) paths.insert(*std::move(path));
  }
  return paths;
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

bool Checkpoints::are_many(const std::vector<ChangedFile>& files) const {
  std::uint64_t bytes = 0;
  for (const ChangedFile& file : files) {
    bytes += repository_.files().link_info(join_path(repository_.root(), file.path)).bytes;
  }
  return files.size() > kMaxGeneratedFiles || bytes > kMaxGeneratedBytes;
}

// Returns generated files from before the job, if they are few, and ignored `.gitignore` files.
Result<std::vector<ChangedFile>> Checkpoints::more_before_job(const std::string& base) const {
  PEDRO_TRY(auto files, repository_.changed_files(base));
  std::erase_if(files, [](const ChangedFile& file) { return !file.generated || file.is_folder(); });
  if (are_many(files)) files.clear();
  for (const std::string& path : repository_.ignored_rules()) {
    files.push_back({path, ChangeKind::kAdded});
  }
  return files;
}

// Adds files that differ from before the job only in bytes that git's attributes hide, such as line
// ends. `same` receives those that are as before the job, and unlike the base.
Status Checkpoints::add_raw(const std::string& base, int rounds, std::vector<ChangedFile>& files,
                            std::vector<ChangedFile>& same) {
  const bool writes_rules = std::any_of(files.begin(), files.end(), [](const ChangedFile& file) {
    return base_name(file.path) == ".gitattributes";
  });
  if (!*converts_ && !writes_rules) return {};
  const bool is_first = rounds == 0 || commits_.empty();
  const std::string& before = is_first ? base : commits_.begin()->second;
  std::set<std::string> known = paths_of(files);
  PEDRO_TRY(auto raw, raw_.changes(repository_.git(), before));
  std::erase_if(raw, [&](const ChangedFile& file) {
    const FileKind kind =
        repository_.files().link_info(join_path(repository_.root(), file.path)).kind;
    const bool has_bytes = kind == FileKind::kFile || kind == FileKind::kSymlink;
    return !has_bytes || known.contains(file.path) || lfs_.contains(file.path);
  });
  if (is_first) {
    PEDRO_RETURN_IF_ERROR(take_lfs(raw));
    same = std::move(raw);
    return {};
  }
  for (ChangedFile& file : raw) {
    file.content = content_of(repository_.files(), join_path(repository_.root(), file.path)).hash;
    known.insert(file.path);
  }
  files.insert(files.end(), raw.begin(), raw.end());
  if (!raw_before_) {
    PEDRO_TRY(auto changes, CommitFiles(repository_.git()).difference(base, before));
    std::erase_if(changes,
                  [](const ChangedFile& file) { return file.kind != ChangeKind::kModified; });
    raw_before_ = paths_of(changes);
  }
  for (const std::string& path : *raw_before_) {
    if (!known.contains(path)) same.push_back({path});
  }
  return {};
}

// Moves the files that git LFS stores from `files` to `lfs_`.
Status Checkpoints::take_lfs(std::vector<ChangedFile>& files) {
  constexpr std::string_view kLfs = ": filter: lfs";
  if (files.empty()) return {};
  std::string paths;
  for (const ChangedFile& file : files) paths += quoted_path(file.path) + "\n";
  PEDRO_TRY(const std::string text,
            repository_.git().run({"-c", "core.quotepath=on", "check-attr", "--stdin", "filter"},
                                  {.input = paths}));
  for (const std::string_view line : split_lines(text)) {
    if (!line.ends_with(kLfs)) continue;
    auto path = unquoted_path(line.substr(0, line.size() - kLfs.size()));
    if (path) lfs_.insert(*std::move(path));
  }
  std::erase_if(files, [this](const ChangedFile& file) { return lfs_.contains(file.path); });
  return {};
}

Result<std::string> Checkpoints::take(const std::string& base, int rounds) {
  PEDRO_TRY(auto files, files_now(base));
  std::optional<WorkTreeShape> shape;
  if (rounds == 0) shape = WorkTreeShape::of(repository_.git());
  if (!converts_) {
    converts_ = repository_.git().converts() || !shape || shape->has_attributes();
  }
  std::vector<ChangedFile> more;
  PEDRO_RETURN_IF_ERROR(add_raw(base, rounds, files, more));
  if (taken_ && files == last_) return std::string();
  std::string message = fmt::format("{}: after {} rounds\n\n{}", job_, rounds, user_lines(files));
  if (rounds == 0) {
    PEDRO_TRY(const auto generated, more_before_job(base));
    more.insert(more.end(), generated.begin(), generated.end());
    for (const std::string& path : lfs_)
      message += fmt::format("{}{}\n", kLfsLine, quoted_path(path));
    message += shape->text();
  }
  std::vector<ChangedFile> all = files;
  all.insert(all.end(), more.begin(), more.end());
  const std::string ref = fmt::format("{}{}{}", prefix_, kCheckpoint, rounds);
  PEDRO_TRY(std::string taken,
            write_raw_commit(repository_.git(), {ref, base, std::move(message)}, all));
  commits_[rounds] = taken;
  if (rounds == 0) repository_.add_rules_of(taken);
  taken_ = true;
  last_ = std::move(files);
  return taken;
}

// Returns the next free ref for the files before an undo.
Result<std::string> Checkpoints::next_kept() const {
  PEDRO_TRY(const auto refs, repository_.refs_below(prefix_));
  long long next = 1;
  for (const auto& [name, kept] : refs) {
    if (const auto number = kept_number(name))
      next = std::max(next, std::min(*number, kMaxKept) + 1);
  }
  return fmt::format("{}{}{}", prefix_, kKept, next);
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

// Returns an error if a folder with ignored files is in the place of a file.
Status Checkpoints::require_no_ignored(const std::vector<ChangedFile>& changes) const {
  std::vector<std::string> folders;
  for (const ChangedFile& file : changes) {
    if (file.kind == ChangeKind::kDeleted) continue;
    const FileInfo info = repository_.files().link_info(join_path(repository_.root(), file.path));
    if (info.kind == FileKind::kFolder) folders.push_back(file.path);
  }
  PEDRO_TRY(const auto lost, repository_.with_ignored(folders));
  if (lost.empty()) return {};
  return usage_error(fmt::format(
      "{}: a folder with files that git ignores has replaced a file; move it away first",
      join_path(repository_.root(), lost.front())));
}

// Returns new files that only rules of the job ignore. `known` lacks them, and the rules from
// before the job do not ignore them. Not if they are many, like the products of a build.
Result<std::vector<ChangedFile>> Checkpoints::hidden_by_job(const std::string& base,
                                                            const std::set<std::string>& known,
                                                            long long ended_ns) const {
  PEDRO_TRY(const auto listed, files_now(base));
  const std::set<std::string> current = paths_of(listed);
  const std::vector<TreeEntry> entries = WorkTreeShape::entries(repository_.git());
  const bool has_new_rules =
      std::any_of(entries.begin(), entries.end(), [&](const TreeEntry& entry) {
        return base_name(entry.path) == ".gitignore" &&
               (!known.contains(entry.path) || current.contains(entry.path));
      });
  std::vector<ChangedFile> files;
  if (!has_new_rules) return files;
  for (const TreeEntry& entry : entries) {
    const bool is_file = entry.kind == FileKind::kFile || entry.kind == FileKind::kSymlink;
    if (!is_file || entry.changed_ns > ended_ns || known.contains(entry.path)) continue;
    if (!current.contains(entry.path)) files.push_back({entry.path, ChangeKind::kAdded});
  }
  mark_generated(files);
  std::erase_if(files, [](const ChangedFile& file) { return file.generated; });
  PEDRO_RETURN_IF_ERROR(repository_.drop_ignored(files));
  if (are_many(files)) files.clear();
  return files;
}

// Commits the current files before an undo. Includes files that git now ignores but the checkpoint
// contains; they would be lost otherwise. Includes the bytes of files that git would convert.
Result<std::string> Checkpoints::commit_before(const std::string& base, const std::string& target,
                                               const std::set<std::string>& lfs,
                                               const std::string& ref,
                                               std::vector<ChangedFile> hidden,
                                               RawView& raw) const {
  const GitRunner& git = repository_.git();
  PEDRO_TRY(auto current, files_now(base));
  const std::set<std::string> known = paths_of(current);
  PEDRO_TRY(auto others, CommitFiles(git).difference(base, target));
  PEDRO_TRY(const auto converted, raw.changes(git, target));
  others.insert(others.end(), converted.begin(), converted.end());
  std::erase_if(others, [&](const ChangedFile& file) {
    return known.contains(file.path) || lfs.contains(file.path);
  });
  for (const ChangedFile& file : current) {
    if (file.kind == ChangeKind::kDeleted) others.push_back(file);
  }
  for (const ChangedFile& file : others) {
    add_in_the_way(repository_.files(), repository_.root(), file, hidden);
  }
  current.insert(current.end(), hidden.begin(), hidden.end());
  return write_raw_commit(git, {ref, base, fmt::format("{}: before the undo\n", job_)}, current);
}

// Lets git LFS write its files, which checkpoints have without their bytes.
Status Checkpoints::smudge(const std::string& base, const std::set<std::string>& lfs,
                           const std::vector<ChangedFile>& written) const {
  std::string names;
  for (const ChangedFile& file : written) {
    if (lfs.contains(file.path)) names.append(file.path) += '\0';
  }
  if (names.empty()) return {};
  OwnIndex index;
  PEDRO_TRY(const std::string path, index.at(repository_.git(), base));
  return repository_.git().perform({"checkout-index", "--force", "-z", "--stdin"},
                                   {.input = names, .index = path});
}

// Removes files from `jobs` that only the first checkpoint has, unless they are missing from an
// existing folder. Later checkpoints omit them, so the job need not have changed them.
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

Result<std::string> Checkpoints::message_of(const std::string& commit) const {
  return repository_.git().run({"cat-file", "commit", commit});
}

// Returns the files that the user changed during the job.
Result<std::set<std::string>> Checkpoints::changed_by_user(const std::string& commit) const {
  PEDRO_TRY(const std::string message, message_of(commit));
  return marked_paths(message, kUserLine);
}

Result<Checkpoints::Story> Checkpoints::story() const {
  if (commits_.empty() || commits_.begin()->first != 0) return Story();
  PEDRO_TRY(const std::string message, message_of(commits_.begin()->second));
  return Story{WorkTreeShape::parse(message), marked_paths(message, kLfsLine)};
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

Result<Restored> Checkpoints::restore(int rounds, bool only_jobs, long long ended_ns) const {
  const GitRunner& git = repository_.git();
  PEDRO_TRY(const auto found, find(rounds));
  open_tree(repository_.root());  // a command may have taken the permissions
  repository_.forget_changes();
  std::optional<std::set<std::string>> jobs;
  if (only_jobs) {
    std::vector<std::string> commits;
    for (const auto& [taken_after, commit] : commits_) commits.push_back(commit);
    PEDRO_TRY(jobs, CommitFiles(git).changed_between(commits));
    PEDRO_RETURN_IF_ERROR(drop_only_before(*jobs));
    PEDRO_TRY(const auto users, changed_by_user(std::prev(commits_.end())->second));
    for (const std::string& path : users) jobs->erase(path);
  }
  std::string target = found.second;
  Restored restored;
  restored.rounds = found.first;
  PEDRO_TRY(const std::string base, repository_.commit_id(target + "~1"));
  PEDRO_TRY(Story story, this->story());
  PEDRO_TRY(std::string kept, next_kept());
  RawView raw;
  WorkTreeShape::Extent extent{.written = {}, .known = {}, .until_ns = ended_ns};
  PEDRO_TRY(extent.known, CommitFiles(git).paths_in(target, {}));
  std::vector<ChangedFile> hidden;
  if (found.first == 0) {
    repository_.add_rules_of(target);
    PEDRO_TRY(hidden, hidden_by_job(base, extent.known, ended_ns));
    if (jobs) jobs->merge(paths_of(hidden));
  }
  PEDRO_TRY(const std::string now,
            commit_before(base, target, story.lfs, kept, std::move(hidden), raw));
  PEDRO_TRY(auto changes, CommitFiles(git).difference(now, target));
  Status possible = require_no_ignored(changes);
  PEDRO_TRY(const std::string index, index_path());
  if (possible && drop_users(changes, jobs)) {
    PEDRO_TRY(target, CommitFiles(git).with_paths_of(target, changes, now, index));
  }
  if (!possible || changes.empty()) PEDRO_RETURN_IF_ERROR(repository_.delete_refs({kept}));
  if (!possible) return possible.error();
  PEDRO_TRY(restored.submodules, CommitFiles(git).moved_submodules(now, target));
  if (!changes.empty()) {
    PEDRO_RETURN_IF_ERROR(remove_special(changes));
    repository_.forget_changes();
    PEDRO_RETURN_IF_ERROR(raw.move_files(git, now, target));
    PEDRO_RETURN_IF_ERROR(smudge(base, story.lfs, changes));
    restored.kept = std::move(kept);
    restored.files = static_cast<int>(changes.size());
  }
  extent.written = paths_of(changes);
  if (found.first > 0) {  // only the first checkpoint knows the shape
    story.shape.keep_modes();
    extent.until_ns = 0;
  }
  restored.shape = story.shape.restore(git, extent);
  return restored;
}

void Checkpoints::restore_shape(std::set<std::string> written) const {
  const Result<Story> story = this->story();
  if (!story || written.empty()) return;
  WorkTreeShape::Extent extent{.written = written, .known = std::move(written), .until_ns = 0};
  story->shape.restore(repository_.git(), extent);
}

void Checkpoints::continue_with(std::map<int, std::string> taken) {
  commits_ = std::move(taken);
  if (const auto before = at(0)) repository_.add_rules_of(*before);
  if (auto told = story()) lfs_ = std::move(told->lfs);
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
  const IgnoredCopies ignored(repository_, job_);
  PEDRO_RETURN_IF_ERROR(ignored.remove());
  if (kept == KeptRefs::kGo) ignored.remove_replaced();
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
