#include "git/new_secrets.h"

#include <algorithm>

#include "git/commit_files.h"

namespace pedro {
namespace {

constexpr std::uint64_t kMaxSearchedBytes = 50u << 20;
constexpr int kMaxRemovedFiles = 100;

}  // namespace

bool NewSecrets::has(const ChangedFile& file) {
  if (secrets_ == nullptr || file.kind == ChangeKind::kDeleted) return false;
  const std::set<std::string> found = secrets_in(file.path);
  if (found.empty()) return false;
  std::set<std::string> known = secrets_before(file.path);
  known.insert(removed_secrets().begin(), removed_secrets().end());
  return !std::ranges::includes(known, found);
}

std::set<std::string> NewSecrets::secrets_in(const std::string& path) const {
  const FileSystem& files = repository_.files();
  const std::string full = join_path(repository_.root(), path);
  const bool is_link = files.link_info(full).kind == FileKind::kSymlink;
  const auto text = is_link ? files.read_link(full) : files.read_begin(full, kMaxSearchedBytes);
  std::set<std::string> found = secrets_->certain_secrets_in(path);
  if (text) found.merge(secrets_->certain_secrets_in(*text));
  return found;
}

std::set<std::string> NewSecrets::secrets_before(const std::string& path) const {
  const auto text = CommitFiles(repository_.git()).text_at(base_, path);
  return text ? secrets_->certain_secrets_in(*text) : std::set<std::string>();
}

const std::set<std::string>& NewSecrets::removed_secrets() {
  if (removed_) return *removed_;
  removed_.emplace();
  int files = 0;
  for (const ChangedFile& file : changed_) {
    if (file.kind != ChangeKind::kDeleted || ++files > kMaxRemovedFiles) continue;
    removed_->merge(secrets_before(file.path));
  }
  return *removed_;
}

}  // namespace pedro
