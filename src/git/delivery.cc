#include "git/delivery.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/json.h"
#include "base/text.h"
#include "base/utf8.h"
#include "git/branch_push.h"
#include "git/commit_files.h"
#include "tools/gh_command.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxSlugBytes = 40;
constexpr std::size_t kMaxSubjectChars = 72;
constexpr std::size_t kMaxBodyBytes = 4000;
constexpr std::uint64_t kMaxNewFileBytes = 50u << 20;
constexpr std::uint64_t kMaxSearchedBytes = 50u << 20;
constexpr int kMaxRemovedFiles = 100;
constexpr std::string_view kEllipsis = "...";

bool begins_character(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
}

/// Returns the longest prefix of at most `count` characters.
std::string_view first_characters(std::string_view text, std::size_t count) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (begins_character(text[i]) && count-- == 0) return text.substr(0, i);
  }
  return text;
}

std::string collapsed_line(std::string_view text) {
  std::string line;
  for (const char c : make_printable(text)) {
    const bool blank = c == ' ' || c == '\n' || c == '\r' || c == '\t';
    if (!blank) line += c;
    if (blank && !line.empty() && line.back() != ' ') line += ' ';
  }
  return std::string(trim(line));
}

std::string subject_of(std::string_view text) {
  const std::string line = collapsed_line(text);
  const std::string_view fits = first_characters(line, kMaxSubjectChars);
  if (fits.size() == line.size()) return line;
  std::string_view cut = first_characters(line, kMaxSubjectChars - kEllipsis.size());
  const std::size_t blank = line.rfind(' ', cut.size());
  if (blank != std::string::npos && blank > cut.size() / 2) cut = cut.substr(0, blank);
  return std::string(cut).append(kEllipsis);
}

bool closes(std::string_view body, int issue_number) {
  const std::string lower = to_lower(body);
  for (const std::string_view word :
       {"fix", "fixes", "fixed", "close", "closes", "closed", "resolve", "resolves", "resolved"}) {
    const std::string phrase = fmt::format("{} #{}", word, issue_number);
    for (std::size_t at = lower.find(phrase); at != std::string::npos;
         at = lower.find(phrase, at + 1)) {
      const std::size_t end = at + phrase.size();
      const bool begins = at == 0 || !(lower[at - 1] >= 'a' && lower[at - 1] <= 'z');
      if (begins && (end == lower.size() || lower[end] < '0' || lower[end] > '9')) return true;
    }
  }
  return false;
}

bool is_large(const ChangedFile& file, const Repository& repository) {
  const FileInfo info = repository.files().link_info(join_path(repository.root(), file.path));
  return file.kind == ChangeKind::kAdded && info.kind == FileKind::kFile &&
         info.bytes > kMaxNewFileBytes;
}

/// Searches changed files for secrets that a base lacks. Searches the first 50 MiB of a file, the
/// target of a link, and the path. Borrows all references.
class NewSecrets {
 public:
  /// `changed`: all changes from the commit `base`. `secrets` may be null: there are none.
  NewSecrets(const SecretMask* secrets, const std::string& base,
             const std::vector<ChangedFile>& changed, const Repository& repository)
      : secrets_(secrets), base_(base), changed_(changed), repository_(repository) {}

  /// Returns true if the file has a secret that neither its version in the base nor a removed file
  /// has. A renamed file keeps its secrets. Considers the first 100 removed files.
  bool has(const ChangedFile& file) {
    if (secrets_ == nullptr || file.kind == ChangeKind::kDeleted) return false;
    const std::set<std::string> found = secrets_in(file.path);
    if (found.empty()) return false;
    std::set<std::string> known = secrets_before(file.path);
    known.insert(removed_secrets().begin(), removed_secrets().end());
    return !std::ranges::includes(known, found);
  }

 private:
  std::set<std::string> secrets_in(const std::string& path) const {
    const FileSystem& files = repository_.files();
    const std::string full = join_path(repository_.root(), path);
    const bool is_link = files.link_info(full).kind == FileKind::kSymlink;
    const auto text = is_link ? files.read_link(full) : files.read_begin(full, kMaxSearchedBytes);
    std::set<std::string> found = secrets_->certain_secrets_in(path);
    if (text) found.merge(secrets_->certain_secrets_in(*text));
    return found;
  }

  std::set<std::string> secrets_before(const std::string& path) const {
    const auto text = CommitFiles(repository_.git()).text_at(base_, path);
    return text ? secrets_->certain_secrets_in(*text) : std::set<std::string>();
  }

  const std::set<std::string>& removed_secrets() {
    if (removed_) return *removed_;
    removed_.emplace();
    int files = 0;
    for (const ChangedFile& file : changed_) {
      if (file.kind != ChangeKind::kDeleted || ++files > kMaxRemovedFiles) continue;
      removed_->merge(secrets_before(file.path));
    }
    return *removed_;
  }

  const SecretMask* secrets_;
  const std::string& base_;
  const std::vector<ChangedFile>& changed_;
  const Repository& repository_;
  std::optional<std::set<std::string>> removed_;  // those of removed files
};

/// Returns the files for the commit. Omits generated, private and large new files, and those
/// unchanged since before the job.
std::vector<ChangedFile> ours(const std::vector<ChangedFile>& changed, const DeliveryPlan& plan,
                              const Repository& repository, Delivery& delivery) {
  std::map<std::string_view, const ChangedFile*> before;
  for (const ChangedFile& file : plan.before) before.emplace(file.path, &file);
  NewSecrets new_secrets(plan.secrets, plan.base, changed, repository);
  std::vector<ChangedFile> files;
  for (const ChangedFile& file : changed) {
    const auto was = before.find(file.path);
    const bool is_same = was != before.end() && same_state(*was->second, file);
    if (file.private_by != PrivateBy::kNone && !is_same) {
      delivery.kept_private.push_back(file);
    } else if (file.generated || plan.generated.contains(file.path)) {
      delivery.left_out.push_back(file.path);
    } else if (is_large(file, repository)) {
      delivery.large.push_back(file.path);
    } else if (is_same) {
      delivery.untouched.push_back(file.path);
    } else if (new_secrets.has(file) ||
               (file.untracked && repository.is_copy_of_ignored(file.path))) {
      delivery.kept_private.push_back(file);
      delivery.kept_private.back().private_by = PrivateBy::kSecret;
    } else {
      files.push_back(file);
      if (was != before.end()) delivery.mixed.push_back(file.path);
    }
  }
  return files;
}

/// Returns true if git LFS stores one of the files.
Result<bool> has_lfs(const Repository& repository, const std::vector<ChangedFile>& files) {
  std::string paths;
  for (const ChangedFile& file : files) paths += quoted_path(file.path) + "\n";
  PEDRO_TRY(const std::string text,
            repository.git().run({"-c", "core.quotepath=on", "check-attr", "--stdin", "filter"},
                                 {.input = paths}));
  const auto lines = split_lines(text);
  return std::any_of(lines.begin(), lines.end(),
                     [](std::string_view line) { return line.ends_with(": filter: lfs"); });
}

/// Returns the user's commit at HEAD if HEAD or the branch was moved during the job, else "".
Result<std::string> users_head(const DeliveryPlan& plan, const Repository& repository) {
  if (!plan.git_is_protected) return std::string();
  PEDRO_TRY(const std::string branch, repository.branch());
  PEDRO_TRY(std::string head, repository.commit_id("HEAD"));
  if (branch != plan.branch) return head;
  if (head == plan.base) return std::string();
  PEDRO_TRY(const bool own, repository.is_own_tip(branch));  // with another message
  return own ? std::string() : head;
}

/// Commits the files on the base without moving HEAD, and points the branch to the commit.
Result<NewCommit> commit_beside(const DeliveryPlan& plan, const Repository& repository,
                                const std::vector<ChangedFile>& files, Delivery& delivery) {
  PEDRO_TRY(const std::string branch, repository.branch());
  PEDRO_TRY(const auto branches, repository.branches());
  const auto tip = branches.find(plan.branch);
  const bool is_free = branch != plan.branch && (tip == branches.end() || tip->second == plan.base);
  if (!is_free) {
    PEDRO_TRY(delivery.branch, repository.free_branch_name(plan.branch));
  }
  PEDRO_TRY(NewCommit made, repository.commit_on(plan.base, files, delivery.message, plan.date_s));
  PEDRO_RETURN_IF_ERROR(repository.set_ref("refs/heads/" + delivery.branch, made.id));
  return made;
}

/// Returns the URL of an open pull request for the branch, or "".
Result<std::string> open_pull_request(const std::string& branch, const Repository& repository) {
  const auto answer =
      run_gh(repository.root(),
             {"pr", "list", "--head=" + branch, "--state=open", "--limit=1", "--json=url"},
             repository.processes(), repository.cancel());
  if (!answer) return answer;
  const auto json = parse_json(*answer);
  if (!json) return json.error().at("gh pr list");
  return json->is_array() && !json->empty() ? text_of(json->front(), "url") : "";
}

Result<std::string> create_pull_request(const DeliveryPlan& plan, const Repository& repository,
                                        const Delivery& delivery) {
  const std::string& message = delivery.message;
  const std::size_t line = message.find('\n');
  std::vector<std::string> arguments = {"pr", "create", "--head=" + delivery.branch,
                                        "--title=" + message.substr(0, line), "--body-file=-"};
  if (plan.draft) arguments.push_back("--draft");
  if (!plan.base_branch.empty()) arguments.push_back("--base=" + plan.base_branch);
  auto answer = run_gh(repository.root(), std::move(arguments), repository.processes(),
                       repository.cancel(), std::string(trim(message.substr(line))));
  if (!answer) return answer;
  return std::string(trim(*answer));
}

}  // namespace

std::string branch_name(std::string_view prefix, int issue_number, std::string_view title) {
  const std::string slug = slug_of(title, kMaxSlugBytes);
  if (issue_number <= 0) return fmt::format("{}{}", prefix, slug.empty() ? "task" : slug);
  return fmt::format("{}issue-{}{}{}", prefix, issue_number, slug.empty() ? "" : "-", slug);
}

std::string commit_message(const CommitText& text, int issue_number, std::string_view fallback) {
  std::string message = subject_of(trim(text.subject).empty() ? fallback : text.subject);
  if (message.empty()) message = "Work by pedrocli";
  const std::string lines = replace_all(make_printable(text.body), "\r\n", "\n");
  const std::string_view body = trim(truncate_utf8(trim(lines), kMaxBodyBytes));
  if (!body.empty()) message.append("\n\n").append(body);
  if (issue_number > 0 && !closes(body, issue_number)) {
    message += fmt::format("\n\nFixes #{}", issue_number);
  }
  return message + "\n";
}

Status write_patch(const Repository& repository, const std::string& base, const std::string& commit,
                   const std::string& path) {
  // Writes to a file, since a pipe would make the bytes of the patch printable. The other options
  // override the user's format.* settings.
  return repository.git().perform({"format-patch", "--quiet", "--no-signature", "--no-cover-letter",
                                   "--no-attach", "--no-thread", "--no-signoff", "--no-numbered",
                                   "--no-base", "--no-notes", "--no-ext-diff", "--no-textconv",
                                   "--binary", "--output=" + path, base + ".." + commit});
}

Result<Delivery> deliver(const DeliveryPlan& plan, const Repository& repository) {
  Delivery delivery;
  repository.forget_changes();  // the user may have changed files too
  PEDRO_TRY(const std::string moved_to, users_head(plan, repository));
  const bool moved = !moved_to.empty();
  PEDRO_TRY(const auto changed, repository.changed_files(moved ? moved_to : plan.base));
  const std::vector<ChangedFile> files = ours(changed, plan, repository, delivery);
  if (files.empty()) {
    delivery.nothing_changed = true;
    return delivery;
  }
  PEDRO_TRY(delivery.has_lfs, has_lfs(repository, files));
  delivery.branch = plan.branch;
  delivery.message = commit_message(plan.text, plan.issue_number, plan.title);
  if (!moved) PEDRO_RETURN_IF_ERROR(repository.settle(plan.branch, plan.base));
  PEDRO_TRY(NewCommit commit, moved ? commit_beside(plan, repository, files, delivery)
                                    : repository.commit(files, delivery.message, plan.date_s));
  delivery.commit = std::move(commit.id);
  delivery.not_signed = std::move(commit.not_signed);
  delivery.marks = std::move(commit.marks);
  for (const ChangedFile& file : files) delivery.files.push_back(file.path);
  const CommitFiles commits(repository.git());
  PEDRO_TRY(const auto found, commits.compare(delivery.commit, plan.base, files));
  delivery.otherwise = {found.otherwise.begin(), found.otherwise.end()};
  delivery.line_ends = {found.line_ends.begin(), found.line_ends.end()};
  const std::string& patch_base = plan.patch_base.empty() ? plan.base : plan.patch_base;
  Status done = write_patch(repository, patch_base, delivery.commit, plan.patch_path);
  if (done) delivery.patch_path = plan.patch_path;
  if (!done && done.error().kind == ErrorKind::kUsage) {  // not caused by the user
    done = Error{ErrorKind::kInternal, done.error().message};
  }
  if (!done) delivery.problem = done.error();
  return delivery;
}

Status publish(const DeliveryPlan& plan, const Repository& repository, Delivery& delivery) {
  PEDRO_RETURN_IF_ERROR(push_branch(repository, plan.remote, delivery.branch, delivery.has_lfs));
  delivery.pushed = true;
  auto url = open_pull_request(delivery.branch, repository);
  if (!url) return url.error().at("the branch is pushed, but there is no pull request");
  delivery.pr_existed = !url->empty();
  if (url->empty()) url = create_pull_request(plan, repository, delivery);
  if (!url) return url.error().at("the branch is pushed, but there is no pull request");
  if (url->empty()) {
    return Error{ErrorKind::kUsage, "the branch is pushed, but gh returned no pull request"};
  }
  delivery.pr_url = std::move(*url);
  return {};
}

}  // namespace pedro
