#include "git/repository.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>

#include "base/hash.h"
#include "base/text.h"
#include "git/own_index.h"
#include "git/raw_view.h"

namespace pedro {
namespace {

// The author of commits that only this program reads. Users may have no identity in git.
const std::map<std::string, std::string> kOwnIdentity = {
    {"GIT_AUTHOR_NAME", "pedrocli"},
    {"GIT_AUTHOR_EMAIL", "pedrocli@localhost"},
    {"GIT_COMMITTER_NAME", "pedrocli"},
    {"GIT_COMMITTER_EMAIL", "pedrocli@localhost"}};

constexpr int kMaxNameSuffix = 99;
// Contents of the index entries of `git add --intent-to-add`, for SHA-1 and SHA-256.
constexpr std::string_view kEmptyBlob = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";
constexpr std::string_view kEmptyBlob256 =
    "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813";
constexpr std::string_view kIntent = "intent-to-add\t";  // and a quoted path, in staged()
constexpr std::string_view kBranches = "refs/heads/";
constexpr const char* kOwnCommit = "commit: by pedrocli";  // in the reflog

/// Returns the paths for options that read NUL-separated names from stdin.
std::string nul_separated(std::span<const ChangedFile> files) {
  std::string names;
  for (const ChangedFile& file : files) names.append(file.path) += '\0';
  return names;
}

Status check(std::string problem) {
  if (problem.empty()) return {};
  return usage_error(std::move(problem));
}

}  // namespace

Result<Repository> Repository::open(FileSystem& files, ProcessRunner& processes,
                                    const CancelToken& cancel, const std::string& folder) {
  PEDRO_TRY(auto git, GitRunner::open(files, processes, cancel, folder));
  Repository repository(std::move(git));
  PEDRO_TRY(const std::string head, repository.head_id());
  if (head.empty()) {
    return usage_error(folder +
                       ": no commits yet; commit something first: git add --all; git commit");
  }
  return repository;
}

Result<bool> Repository::exists(const std::string& ref) const {
  PEDRO_TRY(const auto result, git_.ask({"rev-parse", "--verify", "--quiet", ref}));
  return result.ok();
}

Result<std::string> Repository::head_id() const {
  if (auto head = git_.read_head(); head && !head->commit.empty()) return std::move(head->commit);
  PEDRO_TRY(const auto result, git_.ask({"rev-parse", "--verify", "--quiet", "HEAD^{commit}"}));
  return result.ok() ? std::string(trim(result.out)) : std::string();
}

Result<bool> Repository::is_taken(const std::string& branch) const {
  const auto here = exists("refs/heads/" + branch);
  if (!here || *here) return here;
  PEDRO_TRY(const auto remotes, git_.run({"for-each-ref", "--format=%(refname)", "refs/remotes"}));
  const auto lines = split_lines(remotes);
  return std::any_of(lines.begin(), lines.end(), [&](std::string_view line) {
    const std::size_t slash = line.find('/', std::string_view("refs/remotes/").size());
    return slash != std::string_view::npos && line.substr(slash + 1) == branch;
  });
}

Result<std::string> Repository::branch() const {
  if (auto head = git_.read_head()) return std::move(head->branch);
  // Not --short, which returns "heads/NAME" if a tag has the same name.
  PEDRO_TRY(const auto result, git_.ask({"symbolic-ref", "--quiet", "HEAD"}));
  const std::string_view ref = trim(result.out);
  if (!result.ok() || !ref.starts_with(kBranches)) return std::string();
  return std::string(ref.substr(kBranches.size()));
}

Result<std::string> Repository::commit_id(const std::string& revision) const {
  PEDRO_RETURN_IF_ERROR(check(revision_problem(revision)));
  std::string id;
  if (revision == "HEAD") {
    PEDRO_TRY(id, head_id());
  } else {
    PEDRO_TRY(const auto result,
              git_.ask({"rev-parse", "--verify", "--quiet", revision + "^{commit}"}));
    if (result.ok()) id = trim(result.out);
  }
  if (id.empty())
    return usage_error(fmt::format("'{}' is not a commit of this repository", revision));
  return id;
}

Result<std::string> Repository::remote_address(const std::string& remote) const {
  return pedro::remote_address(root(), remote, processes(), cancel());
}

Result<std::string> Repository::full_id(const std::string& commit) const {
  return is_full_id(commit) ? commit : commit_id(commit);
}

Result<std::vector<ChangedFile>> Repository::changed_files(const std::string& commit) const {
  const Result<std::string> id = full_id(commit);
  return id ? changes_->list(git_, *id) : id.error();
}

Result<std::vector<ChangedFile>> Repository::uncommitted_files() const {
  auto files = changed_files("HEAD");
  if (files) std::erase_if(*files, is_omitted);
  return files;
}

Result<std::string> Repository::diff(const std::string& commit) const {
  const Result<std::string> id = full_id(commit);
  return id ? changes_->diff(git_, *id) : id;
}

Result<std::string> Repository::fingerprint(const std::string& commit,
                                            const std::set<std::string>& without) const {
  PEDRO_TRY(const auto files, changed_files(commit));
  std::uint64_t hash = kHashSeed;
  for (const ChangedFile& file : files) {
    if (file.generated || without.contains(file.path)) continue;
    hash = hash_bytes(file.path, hash);
    hash = hash_bytes(fmt::format("\n{} {}\n", static_cast<int>(file.kind), file.content), hash);
  }
  return to_hex(hash);
}

Result<std::string> Repository::free_branch_name(const std::string& name) const {
  PEDRO_RETURN_IF_ERROR(check(branch_problem(name)));
  std::string free_name = name;
  for (int suffix = 2; suffix <= kMaxNameSuffix; ++suffix) {
    PEDRO_TRY(const auto taken, is_taken(free_name));
    if (!taken) return free_name;
    free_name = fmt::format("{}-{}", name, suffix);
  }
  return usage_error(fmt::format("branch '{}' and 98 more exist", name));
}

Status Repository::create_branch(const std::string& name, const std::string& base) const {
  forget_changes();
  Status named = check(branch_problem(name));
  if (named) named = check(revision_problem(base));
  if (!named) return named;
  return git_.perform(
      {"switch", "--quiet", "--no-overwrite-ignore", "--no-track", "--create", name, base});
}

Status Repository::switch_to(const std::string& revision) const {
  forget_changes();
  const Status named = check(revision_problem(revision));
  if (!named) return named;
  return git_.perform({"checkout", "--quiet", "--no-overwrite-ignore", revision, "--"});
}

Status Repository::delete_branch(const std::string& branch) const {
  const Status named = check(branch_problem(branch));
  if (!named) return named;
  return git_.perform({"branch", "--quiet", "--delete", "--force", branch});
}

Status Repository::settle(const std::string& branch, const std::string& base) const {
  forget_changes();
  const Status named = check(branch_problem(branch));
  if (!named) return named;
  const std::optional<GitRunner::Head> head = git_.read_head();
  if (!head || head->branch != branch || head->commit != base) {
    PEDRO_RETURN_IF_ERROR(git_.run({"symbolic-ref", "HEAD", "refs/heads/" + branch}));
    PEDRO_RETURN_IF_ERROR(git_.run({"update-ref", "--no-deref", "refs/heads/" + branch, base}));
  }
  // An unfinished merge would prevent the commit. Its files are kept.
  const FileKind merge = files().link_info(join_path(git_.git_folder(), "MERGE_HEAD")).kind;
  return merge == FileKind::kMissing ? Status() : git_.perform({"merge", "--quit"});
}

Status Repository::unstage() const {
  forget_changes();
  return git_.perform({"reset", "--quiet", "--mixed", "HEAD", "--"});
}

Result<std::string> Repository::staged() const {
  // Format: ":MODE MODE ID ID STATUS\tPATH". The second of each pair belongs to the index.
  PEDRO_TRY(const std::string listed,
            git_.run({"-c", "core.quotepath=on", "diff-index", "--cached", "--raw", "--no-abbrev",
                      "--no-renames", "--ignore-submodules=none", "--ita-visible-in-index", "HEAD",
                      "--"}));
  std::set<std::string, std::less<>> intents;  // quoted paths
  if (listed.find(kEmptyBlob) != listed.npos || listed.find(kEmptyBlob256) != listed.npos) {
    PEDRO_TRY(const std::string added,
              git_.run({"-c", "core.quotepath=on", "diff-files", "--name-only", "--diff-filter=A",
                        "--ita-invisible-in-index", "--"}));
    for (const std::string_view line : split_lines(added)) intents.emplace(line);
  }
  std::string entries;
  for (const std::string_view line : split_lines(listed)) {
    const auto fields = split(line, ' ');
    const std::size_t tab = line.find('\t');
    if (fields.size() < 5 || tab == line.npos) continue;
    const bool is_intent = intents.contains(line.substr(tab + 1));
    entries += is_intent ? fmt::format("{}{}\n", kIntent, line.substr(tab + 1))
                         : fmt::format("{} {}{}\n", fields[1], fields[3], line.substr(tab));
  }
  return entries;
}

Status Repository::restage(const std::string& entries) const {
  forget_changes();
  std::string staged;
  std::string intents;
  for (const std::string_view line : split_lines(entries)) {
    if (!line.starts_with(kIntent)) {
      staged.append(line) += '\n';
      continue;
    }
    const auto path = unquoted_path(line.substr(kIntent.size()));
    const bool is_there =
        path && git_.files().link_info(join_path(root(), *path)).kind != FileKind::kMissing;
    if (is_there) intents.append(*path) += '\0';
  }
  if (!staged.empty()) {
    PEDRO_RETURN_IF_ERROR(
        git_.run({"update-index", "--replace", "--index-info"}, {.input = staged}));
  }
  if (intents.empty()) return {};
  return git_.perform(
      {"add", "--intent-to-add", "--force", "--pathspec-from-file=-", "--pathspec-file-nul"},
      {.input = intents});
}

// Returns the lines of `git ls-files -v` for files with marks: "S PATH", or a lower-case letter.
Result<std::string> Repository::marks_of(const std::vector<ChangedFile>& files) const {
  constexpr std::size_t kMaxNamedFiles = 1000;  // more are too long for a command line
  std::vector<std::string> arguments = {"-c", "core.quotepath=on", "ls-files", "-v", "--"};
  std::set<std::string> paths;
  for (const ChangedFile& file : files) paths.insert(file.path);
  if (paths.size() <= kMaxNamedFiles) {
    arguments.insert(arguments.end(), paths.begin(), paths.end());
  }
  PEDRO_TRY(const std::string listed, git_.run(std::move(arguments)));
  std::string marks;
  for (const std::string_view line : split_lines(listed)) {
    const bool is_marked =
        line.size() > 2 && (line[0] == 'S' || (line[0] >= 'a' && line[0] <= 'z'));
    const auto path = is_marked ? unquoted_path(line.substr(2)) : std::nullopt;
    if (path && paths.contains(*path)) marks.append(line) += '\n';
  }
  return marks;
}

Status Repository::mark(const std::string& marks) const {
  return set_marks(marks, "--skip-worktree", "--assume-unchanged");
}

Status Repository::set_marks(const std::string& marks, const char* skip, const char* assume) const {
  std::string skipped;
  std::string assumed;
  for (const std::string_view line : split_lines(marks)) {
    const auto path = unquoted_path(line.substr(std::min<std::size_t>(2, line.size())));
    if (!path) continue;
    if (line[0] == 'S' || line[0] == 's') skipped.append(*path) += '\0';
    if (line[0] != 'S') assumed.append(*path) += '\0';
  }
  for (const auto& [option, paths] : {std::pair(skip, &skipped), std::pair(assume, &assumed)}) {
    if (paths->empty()) continue;
    PEDRO_RETURN_IF_ERROR(git_.run({"update-index", option, "-z", "--stdin"}, {.input = *paths}));
  }
  return {};
}

Status Repository::stage(const std::vector<ChangedFile>& files, const std::string& index) const {
  if (index.empty()) forget_changes();
  std::vector<ChangedFile> gone = files;
  std::vector<ChangedFile> there = files;
  const auto deleted = [](const ChangedFile& file) { return file.kind == ChangeKind::kDeleted; };
  std::erase_if(gone, [&](const ChangedFile& file) { return !deleted(file); });
  std::erase_if(there, deleted);
  // Removals are first: a file may replace a folder, or a folder a file.
  if (!gone.empty()) {
    PEDRO_RETURN_IF_ERROR(git_.run({"update-index", "--force-remove", "-z", "--stdin"},
                                   {.input = nul_separated(gone), .index = index}));
  }
  return there.empty() ? Status() : add_converted(there, index);
}

Status Repository::add_converted(std::span<const ChangedFile> files,
                                 const std::string& index) const {
  const std::string names = nul_separated(files);
  const Status added = git_.perform({"update-index", "--add", "--replace", "-z", "--stdin"},
                                    {.input = names, .index = index});
  if (added || added.error().kind == ErrorKind::kInterrupted) return added;
  if (files.size() == 1) {
    RawView raw;
    return raw.add(git_, names, index.empty() ? join_path(git_.git_folder(), "index") : index)
               ? Status()
               : added;
  }
  const std::size_t half = files.size() / 2;
  PEDRO_RETURN_IF_ERROR(add_converted(files.first(half), index));
  return add_converted(files.subspan(half), index);
}

Result<NewCommit> Repository::commit(const std::vector<ChangedFile>& files,
                                     const std::string& message, long long date_s) const {
  Result<NewCommit> made = commit_on("HEAD", files, message, date_s);
  if (!made) return made;
  PEDRO_TRY(made->marks, marks_of(files));
  PEDRO_RETURN_IF_ERROR(set_marks(made->marks, "--no-skip-worktree", "--no-assume-unchanged"));
  PEDRO_RETURN_IF_ERROR(stage(files, ""));
  PEDRO_RETURN_IF_ERROR(
      git_.run({"update-ref", "--create-reflog", "-m", kOwnCommit, "HEAD", made->id}));
  return made;
}

Result<NewCommit> Repository::commit_on(const std::string& base,
                                        const std::vector<ChangedFile>& files,
                                        const std::string& message, long long date_s) const {
  forget_changes();
  PEDRO_TRY(const auto index, private_index("pedrocli.index"));
  auto arguments = commit_arguments(index, base, files);
  (void)git_.files().remove(index);
  if (!arguments) return arguments.error();
  PEDRO_TRY(const auto identity, git_.identity());
  arguments->insert(arguments->begin(), identity.begin(), identity.end());
  return write_commit(git_, *std::move(arguments), {.input = message, .date_s = date_s});
}

Result<bool> Repository::is_own_tip(const std::string& branch) const {
  PEDRO_TRY(const auto last, git_.ask({"reflog", "show", "--max-count=1", "--format=%gs",
                                       "refs/heads/" + branch, "--"}));
  return last.ok() && trim(last.out) == kOwnCommit;
}

// Returns the arguments of `git commit-tree` for a commit of these files on `base`. A private index
// keeps other staged changes unaffected.
Result<std::vector<std::string>> Repository::commit_arguments(
    const std::string& index, const std::string& base,
    const std::vector<ChangedFile>& files) const {
  PEDRO_RETURN_IF_ERROR(git_.run({"read-tree", base}, {.index = index}));
  PEDRO_RETURN_IF_ERROR(stage(files, index));
  PEDRO_TRY(const auto tree, git_.run({"write-tree"}, {.index = index}));
  return std::vector<std::string>{"commit-tree", std::string(trim(tree)), "-p", base};
}

Result<std::string> Repository::private_index(const std::string& name) const {
  std::string index = join_path(git_.git_folder(), name);
  for (const std::string& left : {index, index + ".lock"}) {
    if (git_.files().link_info(left).kind == FileKind::kMissing) continue;
    PEDRO_RETURN_IF_ERROR(git_.files().remove(left));
  }
  return index;
}

Result<std::string> Repository::snapshot(const std::string& base,
                                         const std::vector<ChangedFile>& files,
                                         const std::string& index,
                                         const std::string& message) const {
  auto arguments = commit_arguments(index, base, files);
  (void)git_.files().remove(index);
  if (!arguments) return arguments.error();
  PEDRO_TRY(const auto made,
            git_.run(*std::move(arguments), {.input = message, .environment = kOwnIdentity}));
  return std::string(trim(made));
}

Result<std::map<std::string, std::string>> Repository::refs_below(const std::string& prefix) const {
  PEDRO_TRY(const auto listed,
            git_.run({"for-each-ref", "--format=%(objectname) %(refname)", prefix}));
  std::map<std::string, std::string> refs;
  for (const std::string_view line : split_lines(listed)) {
    const std::size_t blank = line.find(' ');
    if (blank == std::string_view::npos || !line.substr(blank + 1).starts_with(prefix)) continue;
    refs.emplace(line.substr(blank + 1 + prefix.size()), line.substr(0, blank));
  }
  return refs;
}

Status Repository::set_ref(const std::string& ref, const std::string& commit) const {
  return git_.perform(
      {"-c", "core.logAllRefUpdates=false", "update-ref", "--no-deref", ref, commit});
}

Status Repository::delete_refs(const std::vector<std::string>& refs) const {
  if (refs.empty()) return {};
  std::string input;
  for (const std::string& ref : refs) input += "delete " + ref + "\n";
  return git_.perform({"update-ref", "--stdin"}, {.input = std::move(input)});
}

Status Repository::add_work_tree(const std::string& path, const std::string& commit) const {
  PEDRO_RETURN_IF_ERROR(check(revision_problem(commit)));
  return git_.perform({"worktree", "add", "--quiet", "--detach", "--", path, commit});
}

Status Repository::remove_work_tree(const std::string& path) const {
  // Twice, to remove also a locked work tree or one with submodules.
  return git_.perform({"worktree", "remove", "--force", "--force", "--", path});
}

Result<std::string> Repository::other_work_tree() const {
  PEDRO_TRY(const auto listed, git_.run({"worktree", "list", "--porcelain"}));
  constexpr std::string_view kPath = "worktree ";
  std::string path;  // of the current block; "" if it is not usable
  for (const std::string_view line : split_lines(listed)) {
    if (line.starts_with(kPath)) path = line.substr(kPath.size());
    if (line == "bare" || path == root()) path.clear();
    if (line.empty() && git_.files().info(path).kind == FileKind::kFolder) return path;
  }
  return usage_error(root() + ": the work tree it was made from is gone");
}

Result<bool> Repository::is_kept(const std::string& commit) const {
  PEDRO_TRY(const auto listed, git_.run({"for-each-ref", "--count=1", "--contains", commit,
                                         "refs/heads", "refs/remotes", "refs/tags"}));
  return !listed.empty();
}

Result<std::set<std::string>> Repository::left_out_files() const {
  OwnIndex index;
  PEDRO_TRY(const auto files, index.left_out(git_));
  return *files;
}

Result<std::vector<std::string>> Repository::with_ignored(
    const std::vector<std::string>& folders) const {
  std::vector<std::string> found;
  for (const std::string& folder : folders) {
    const auto listed =
        git_.run({"ls-files", "--others", "--ignored", "--exclude-standard", "--", folder},
                 {.may_be_cut = true});
    if (!listed) return listed.error();
    if (!listed->empty()) found.push_back(folder);
  }
  return found;
}

Result<std::map<std::string, std::string>> Repository::branches() const {
  return refs_below(std::string(kBranches));
}

Status Repository::point_head(const std::string& branch, const std::string& commit) const {
  const auto done = branch.empty() ? git_.run({"update-ref", "--no-deref", "HEAD", commit})
                                   : git_.run({"symbolic-ref", "HEAD", "refs/heads/" + branch});
  return done ? Status() : Status(done.error());
}

}  // namespace pedro
