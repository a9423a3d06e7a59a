#include "tools/tree_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/text.h"
#include "tools/file_list.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxSuggestions = 3;
constexpr std::size_t kMaxSearchedEntries = 20'000;

struct Candidate {
  std::size_t distance = 0;
  std::string name;
};

// Returns the entries of `folder` with names near `name`, nearest first; possibly none.
std::vector<std::string> nearest_names(const WorkTree& tree, const std::string& folder,
                                       std::string_view name) {
  const auto entries = tree.files().list(folder);
  if (!entries) return {};
  const std::string wanted = to_lower(name);
  std::vector<Candidate> candidates;
  for (const FolderEntry& entry : *entries) {
    if (entry.name == ".git") continue;
    const std::size_t distance = edit_distance(wanted, to_lower(entry.name));
    if (distance > std::max<std::size_t>(2, wanted.size() / 2)) continue;
    const bool is_folder = entry.kind == FileKind::kFolder;
    candidates.push_back({distance, entry.name + (is_folder ? "/" : "")});
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const auto& a, const auto& b) { return a.distance < b.distance; });
  std::vector<std::string> names;
  for (const Candidate& candidate : candidates) {
    if (names.size() < kMaxSuggestions) names.push_back(candidate.name);
  }
  return names;
}

// Returns the only file of the tree with this name, "" if there are none, several, or too many
// files. Skips folders of builds and package managers.
std::string only_file_named(const WorkTree& tree, std::string_view name) {
  std::string only;
  std::size_t entries = 0;
  std::vector<std::string> open = {tree.root()};
  while (!open.empty()) {
    const std::string folder = std::move(open.back());
    open.pop_back();
    const auto listed = tree.files().list(folder);
    if (!listed) continue;
    for (const FolderEntry& entry : *listed) {
      if (++entries > kMaxSearchedEntries) return "";
      const std::string path = join_path(folder, entry.name);
      if (entry.kind == FileKind::kFolder && !is_filled_by_tools(entry.name)) open.push_back(path);
      if (entry.kind != FileKind::kFile || entry.name != name) continue;
      if (!only.empty()) return "";
      only = tree.display(path);
    }
  }
  return only;
}

// Reports the first missing component and the nearest names in its folder.
Error missing(const WorkTree& tree, const TreePath& path, std::string_view what) {
  const std::string only = what == "file" ? only_file_named(tree, base_name(path.shown)) : "";
  if (!only.empty()) {
    return refusal(
        fmt::format("no such file: {}; the only file of that name is {}", path.shown, only));
  }
  std::string folder = tree.root();
  std::string_view name = path.shown;
  for (const std::string_view component : split(path.shown, '/')) {
    name = component;
    const std::string next = join_path(folder, component);
    if (tree.files().info(next).kind != FileKind::kFolder) break;
    folder = next;
  }
  const std::string where = tree.display(folder);
  const std::vector<std::string> names = nearest_names(tree, folder, name);
  if (names.empty()) {
    return refusal(
        fmt::format("no such {}: {}; nothing in {} is named like '{}', try search find_files", what,
                    path.shown, where, name));
  }
  return refusal(
      fmt::format("no such {}: {}; nearest in {}: {}", what, path.shown, where, join(names, ", ")));
}

}  // namespace

Result<TreePath> any_path(const WorkTree& tree, std::string_view path) {
  PEDRO_TRY(auto absolute, tree.resolve(path));
  TreePath found{absolute, tree.display(absolute), tree.files().info(absolute)};
  return found;
}

Result<TreePath> existing_file(const WorkTree& tree, std::string_view path) {
  PEDRO_TRY(auto found, any_path(tree, path));
  switch (found.info.kind) {
    case FileKind::kFile:
      return found;
    case FileKind::kFolder:
      return refusal(fmt::format("{} is a folder; navigate list_directory lists it", found.shown));
    case FileKind::kOther:
      return refusal(fmt::format("{} is neither a file nor a folder", found.shown));
    case FileKind::kMissing:
    case FileKind::kSymlink:
      break;
  }
  return missing(tree, found, "file");
}

Result<TreePath> any_path_to_change(const WorkTree& tree, std::string_view path) {
  PEDRO_RETURN_IF_ERROR(tree.resolve_to_change(path));
  return any_path(tree, path);
}

Result<TreePath> existing_file_to_change(const WorkTree& tree, std::string_view path) {
  PEDRO_RETURN_IF_ERROR(tree.resolve_to_change(path));
  return existing_file(tree, path);
}

Result<TreePath> existing_folder(const WorkTree& tree, std::string_view path) {
  auto found = any_path(tree, path.empty() ? "." : path);
  if (!found || found->info.kind == FileKind::kFolder) return found;
  if (found->info.kind == FileKind::kMissing) return missing(tree, *found, "folder");
  return refusal(fmt::format("{} is a file, not a folder; its folder is {}", found->shown,
                             folder_name(found->shown)));
}

Result<ToolResult> answer_for(const Error& error) {
  if (error.kind != ErrorKind::kRefused) return error;
  return refuse(error.message);
}

}  // namespace pedro
