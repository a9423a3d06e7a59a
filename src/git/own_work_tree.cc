#include "git/own_work_tree.h"

#include "base/text.h"
#include "sys/scratch_folder.h"

namespace pedro {
namespace {

constexpr std::uint64_t kMaxLinkBytes = 16u << 10;
constexpr std::string_view kGitFolder = "gitdir:";

}  // namespace

Result<OwnWorkTree> OwnWorkTree::make(const Repository& repository, const std::string& path,
                                      const std::string& commit) {
  FileSystem& files = repository.files();
  if (files.link_info(path).kind != FileKind::kMissing) {
    return usage_error(path + ": already exists");
  }
  if (Status made = files.make_folders(std::string(folder_name(path)), 0700); !made) {
    return made.error();
  }
  const CancelToken none;  // cleanup ignores cancellation
  if (Status added = repository.add_work_tree(path, commit); !added) {
    remove_tree(path);
    (void)repository.with_cancel(none).remove_work_tree(path);
    return added.error();
  }
  Result<Repository> own =
      Repository::open(files, repository.processes(), repository.cancel(), path);
  if (own) return OwnWorkTree(repository, *std::move(own), commit);
  remove_tree(path);
  (void)repository.with_cancel(none).remove_work_tree(path);
  return own.error();
}

Result<OwnWorkTree> OwnWorkTree::find(FileSystem& files, ProcessRunner& processes,
                                      const CancelToken& cancel, const std::string& path) {
  PEDRO_TRY(Repository own, Repository::open(files, processes, cancel, path));
  const Result<std::string> real = files.canonical(path);
  if (!real || own.root() != *real) {
    return usage_error(path + ": is not the top of a work tree of git");
  }
  PEDRO_TRY(const std::string root, own.other_work_tree());
  PEDRO_TRY(Repository main, Repository::open(files, processes, cancel, root));
  return OwnWorkTree(std::move(main), std::move(own), "");
}

bool OwnWorkTree::is_cut_off(const FileSystem& files, const std::string& path) {
  const std::string link = join_path(path, ".git");
  const FileKind kind = files.link_info(link).kind;
  const Result<std::string> text = files.read_begin(link, kMaxLinkBytes);
  if (kind != FileKind::kFile || !text) return kind == FileKind::kMissing;
  const std::string_view said = trim(*text);
  if (!said.starts_with(kGitFolder)) return false;
  const std::string folder = join_path(path, trim(said.substr(kGitFolder.size())));
  return files.info(folder).kind == FileKind::kMissing;
}

Result<bool> OwnWorkTree::has_work() const {
  const CancelToken none;
  const Repository repository = repository_.with_cancel(none);
  PEDRO_TRY(const auto files, repository.uncommitted_files());
  if (!files.empty()) return true;
  PEDRO_TRY(const std::string head, repository.commit_id("HEAD"));
  if (head == base_) return false;
  PEDRO_TRY(const bool kept, repository.is_kept(head));
  return !kept;
}

Status OwnWorkTree::remove() const {
  const CancelToken none;
  // Git fails at folders without permissions.
  remove_tree(path());
  return main_.with_cancel(none).remove_work_tree(path());
}

}  // namespace pedro
