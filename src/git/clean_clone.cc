#include "git/clean_clone.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "sys/scratch_folder.h"
#include "tools/git_command.h"

namespace pedro {
namespace {

constexpr std::uint64_t kMaxShallowBytes = 16u << 20;

// Git's settings in a clone of `address`.
constexpr const char* kOrigin =
    "[remote \"origin\"]\n\turl = {}\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n";
// The settings of git LFS's installation, with the contents that the source has.
constexpr const char* kLfs =
    "[lfs]\n\tstorage = {}\n[filter \"lfs\"]\n\tclean = git-lfs clean -- %f\n"
    "\tsmudge = git-lfs smudge -- %f\n\tprocess = git-lfs filter-process\n\trequired = true\n";

// Writes the refs of a fetch of `refs`, the lines "ID REF" of for-each-ref.
Status write_refs(FileSystem& files, const std::string& own, const std::string& refs,
                  const std::string& commit, const std::string& branch) {
  const std::string packed = replace_all(refs, " refs/heads/", " refs/remotes/origin/");
  PEDRO_RETURN_IF_ERROR(files.write_atomic(join_path(own, "packed-refs"), packed, 0644));
  const std::string ref = join_path(own, branch.empty() ? "HEAD" : "refs/heads/" + branch);
  PEDRO_RETURN_IF_ERROR(files.make_folders(std::string(folder_name(ref)), 0755));
  return files.write_atomic(ref, commit + "\n", 0644);
}

// Makes a repository without files at `path`, with the objects of `source`.
Status make_repository(const Repository& source, const std::string& path, const std::string& commit,
                       const std::string& branch) {
  const GitRunner& git = source.git();
  FileSystem& files = source.files();
  PEDRO_TRY(const std::string answer,
            git.run_once({"rev-parse", "--show-object-format", "--git-common-dir"}));
  const std::size_t line = std::min(answer.find('\n'), answer.size());
  const std::string common = normal_path(join_path(source.root(), trim(answer.substr(line))));
  std::vector<std::string> init = {"init", "--quiet",
                                   "--template=", "--object-format=" + answer.substr(0, line)};
  if (!branch.empty()) init.push_back("--initial-branch=" + branch);
  init.insert(init.end(), {"--", path});
  PEDRO_RETURN_IF_ERROR(files.make_folders(std::string(folder_name(path)), 0700));
  PEDRO_RETURN_IF_ERROR(git.run(std::move(init)));

  const std::string own = join_path(path, ".git");
  PEDRO_RETURN_IF_ERROR(files.make_folders(join_path(own, "objects/info"), 0755));
  PEDRO_RETURN_IF_ERROR(files.write_atomic(join_path(own, "objects/info/alternates"),
                                           join_path(common, "objects") + "\n", 0644));
  if (const auto shallow = files.read(join_path(common, "shallow"), kMaxShallowBytes)) {
    PEDRO_RETURN_IF_ERROR(files.write_atomic(join_path(own, "shallow"), *shallow, 0644));
  }
  PEDRO_TRY(const std::string address, source.remote_address());
  std::string config =
      fmt::format(kOrigin, quoted_setting(address.empty() ? source.root() : address));
  if (!source.processes().find("git-lfs").empty()) {
    config += fmt::format(kLfs, quoted_setting(join_path(common, "lfs")));
  }
  PEDRO_RETURN_IF_ERROR(files.append(join_path(own, "config"), config));

  PEDRO_TRY(const std::string refs, git.run({"for-each-ref", "--format=%(objectname) %(refname)",
                                             "refs/heads", "refs/tags"}));
  return write_refs(files, own, refs, commit, branch);
}

Result<Repository> make_filled(const Repository& source, const std::string& path,
                               const std::string& commit, const std::string& branch) {
  PEDRO_RETURN_IF_ERROR(make_repository(source, path, commit, branch));
  PEDRO_TRY(Repository own,
            Repository::open(source.files(), source.processes(), source.cancel(), path));
  PEDRO_RETURN_IF_ERROR(own.git().run({"read-tree", "-u", "--reset", "HEAD"}));
  return own;
}

}  // namespace

Result<CleanClone> CleanClone::make(const Repository& source, const std::string& path,
                                    const std::string& commit, const std::string& branch) {
  if (source.files().link_info(path).kind != FileKind::kMissing) {
    return usage_error(path + ": already exists");
  }
  Result<Repository> own = make_filled(source, path, commit, branch);
  if (own) return CleanClone(*std::move(own));
  remove_tree(path);
  return own.error();
}

}  // namespace pedro
