#include "agent/clean_clone.h"

#include <fmt/format.h>

#include "base/text.h"
#include "sys/scratch_folder.h"

namespace pedro {
namespace {

constexpr std::uint64_t kMaxShallowBytes = 16u << 20;

// Makes an empty repository at `path` with the objects of the one at `common`.
Status make_empty(const GitRunner& git, const std::string& common, const std::string& path) {
  FileSystem& files = git.files();
  PEDRO_TRY(const std::string format, git.run({"rev-parse", "--show-object-format"}));
  PEDRO_RETURN_IF_ERROR(files.make_folders(std::string(folder_name(path)), 0700));
  PEDRO_RETURN_IF_ERROR(git.run({"init", "--quiet", "--template=",
                                 fmt::format("--object-format={}", trim(format)), "--", path}));
  const std::string own = join_path(path, ".git");
  PEDRO_RETURN_IF_ERROR(files.make_folders(join_path(own, "objects/info"), 0755));
  PEDRO_RETURN_IF_ERROR(files.write_atomic(join_path(own, "objects/info/alternates"),
                                           join_path(common, "objects") + "\n", 0644));
  const auto shallow = files.read(join_path(common, "shallow"), kMaxShallowBytes);
  return shallow ? files.write_atomic(join_path(own, "shallow"), *shallow, 0644) : Status();
}

// Copies branches and tags as a fetch does.
Status copy_refs(const Repository& source, const GitRunner& clone) {
  std::string input;
  for (const auto& [from, to] :
       {std::pair("refs/heads/", "refs/remotes/origin/"), std::pair("refs/tags/", "refs/tags/")}) {
    PEDRO_TRY(const auto refs, source.refs_below(from));
    for (const auto& [name, id] : refs) input += fmt::format("create {}{} {}\n", to, name, id);
  }
  if (input.empty()) return {};
  PEDRO_RETURN_IF_ERROR(clone.run({"update-ref", "--stdin"}, {.input = std::move(input)}));
  return {};
}

// Configures git LFS as its installation does, with the contents that the source has.
Status use_lfs(const Repository& source, const GitRunner& clone, const std::string& storage) {
  if (source.processes().find("git-lfs").empty()) return {};
  for (const auto& [key, value] : {std::pair<const char*, std::string>("lfs.storage", storage),
                                   {"filter.lfs.clean", "git-lfs clean -- %f"},
                                   {"filter.lfs.smudge", "git-lfs smudge -- %f"},
                                   {"filter.lfs.process", "git-lfs filter-process"},
                                   {"filter.lfs.required", "true"}}) {
    PEDRO_RETURN_IF_ERROR(clone.run({"config", key, value}));
  }
  return {};
}

Status fill(const Repository& source, const std::string& path, const std::string& commit,
            const std::string& branch) {
  PEDRO_TRY(const std::string place, source.git().run({"rev-parse", "--git-common-dir"}));
  const std::string common = normal_path(join_path(source.root(), trim(place)));
  PEDRO_RETURN_IF_ERROR(make_empty(source.git(), common, path));
  PEDRO_TRY(const GitRunner clone,
            GitRunner::open(source.files(), source.processes(), source.cancel(), path));
  PEDRO_RETURN_IF_ERROR(copy_refs(source, clone));
  PEDRO_TRY(const std::string address, source.remote_address());
  PEDRO_RETURN_IF_ERROR(
      clone.run({"config", "remote.origin.url", address.empty() ? source.root() : address}));
  PEDRO_RETURN_IF_ERROR(
      clone.run({"config", "remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*"}));
  PEDRO_RETURN_IF_ERROR(use_lfs(source, clone, join_path(common, "lfs")));
  PEDRO_RETURN_IF_ERROR(branch.empty() ? clone.run({"checkout", "--quiet", "--detach", commit})
                                       : clone.run({"checkout", "--quiet", "-B", branch, commit}));
  return {};
}

}  // namespace

Result<CleanClone> CleanClone::make(const Repository& source, const std::string& path,
                                    const std::string& commit, const std::string& branch) {
  if (source.files().link_info(path).kind != FileKind::kMissing) {
    return usage_error(path + ": already exists");
  }
  const Status filled = fill(source, path, commit, branch);
  Result<Repository> own =
      filled ? Repository::open(source.files(), source.processes(), source.cancel(), path)
             : Result<Repository>(filled.error());
  if (own) return CleanClone(*std::move(own));
  remove_tree(path);
  return own.error();
}

}  // namespace pedro
