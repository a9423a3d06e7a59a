#include "tools/file_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "base/text.h"
#include "tools/count_of.h"
#include "tools/git_command.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxPathDepth = 64;  // the rest of a deeper path is one name

struct Node {
  std::string_view name;
  std::size_t depth = 0;  // 1 for entries of the root
  std::size_t files = 0;  // below it; 0 for a file
  std::vector<std::size_t> children;
  bool shown = false;
};

// Returns all nodes, parents before children; the first is the root.
std::vector<Node> build(const std::vector<std::string>& paths) {
  std::vector<Node> nodes(1);
  std::map<std::string_view, std::size_t> folders{{"", 0}};
  for (const std::string_view path : paths) {
    std::size_t parent = 0;
    std::size_t begin = 0;
    for (std::size_t depth = 1; depth < kMaxPathDepth; ++depth) {
      const std::size_t slash = path.find('/', begin);
      if (slash == std::string_view::npos) break;
      ++nodes[parent].files;
      const auto [folder, is_new] = folders.emplace(path.substr(0, slash), nodes.size());
      if (is_new) {
        nodes[parent].children.push_back(nodes.size());
        nodes.push_back({path.substr(begin, slash - begin), depth, 0, {}, false});
      }
      parent = folder->second;
      begin = slash + 1;
    }
    ++nodes[parent].files;
    nodes[parent].children.push_back(nodes.size());
    nodes.push_back({path.substr(begin), nodes[parent].depth + 1, 0, {}, false});
  }
  return nodes;
}

// Fills the tree level by level, so that a big folder does not hide its siblings.
void choose(std::vector<Node>& nodes, std::size_t max_depth, std::size_t max_entries) {
  std::size_t left = max_entries;
  std::vector<std::size_t> level{0};
  nodes[0].shown = true;
  while (!level.empty()) {
    std::vector<std::size_t> next;
    for (const std::size_t parent : level) {
      if (nodes[parent].depth == max_depth) continue;
      for (const std::size_t child : nodes[parent].children) {
        if (left == 0) return;
        --left;
        nodes[child].shown = true;
        next.push_back(child);
      }
    }
    level = std::move(next);
  }
}

std::string draw_node(const std::vector<Node>& nodes, const Node& node) {
  const std::string indent(2 * (node.depth - 1), ' ');
  if (node.files == 0) return fmt::format("{}{}\n", indent, node.name);
  const bool opened = std::any_of(node.children.begin(), node.children.end(),
                                  [&](std::size_t child) { return nodes[child].shown; });
  return opened ? fmt::format("{}{}/\n", indent, node.name)
                : fmt::format("{}{}/ ({})\n", indent, node.name, count_of(node.files, "file"));
}

constexpr std::size_t kMaxListBytes = 32u << 20;
constexpr std::size_t kMaxWalkedFiles = 50'000;

// Folders that are skipped if neither git nor ripgrep applies ignore rules.
constexpr std::array<std::string_view, 14> kSkippedFolders = {
    ".git",   "node_modules", "target", "build", "dist", "out",  "vendor",
    ".cache", "__pycache__",  ".venv",  "venv",  ".tox", ".svn", ".hg"};

// In truncated output, the note in the middle is not a file; keep_what_exists() removes it.
FileList parse_list(const ProcessResult& listed) {
  FileList list;
  list.complete = !listed.out_cut;
  for (std::string_view path : split_lines(listed.out)) {
    while (path.starts_with("./")) path.remove_prefix(2);
    if (!path.empty()) list.paths.push_back(unquoted_path(path).value_or(std::string(path)));
  }
  return list;
}

Result<ProcessResult> run_list(ToolContext& context, Command command) {
  command.folder = context.tree.root();
  command.max_output_bytes = kMaxListBytes;
  command.timeout_s = context.timeout_s;
  command.idle_timeout_s = kListIdle_s;
  auto result = context.processes.run(command, context.cancel);
  if (!result) {
    if (result.error().kind == ErrorKind::kInterrupted) return result.error();
    return Error{ErrorKind::kRefused, "cannot list files: " + result.error().message};
  }
  if (result->idle_s > 0) {
    return Error{ErrorKind::kRefused,
                 "cannot list files: " + command.argv.front() +
                     " did nothing for 20 s; is a .gitignore a pipe? remove it"};
  }
  return result;
}

Result<FileList> walk(const WorkTree& tree, const std::string& folder) {
  FileList list;
  std::vector<std::string> open{folder};
  while (!open.empty()) {
    const std::string next = std::move(open.back());
    open.pop_back();
    const auto entries = tree.files().list(next);
    if (!entries) continue;  // unreadable, or removed since
    for (const FolderEntry& entry : *entries) {
      const std::string path = join_path(next, entry.name);
      if (entry.kind == FileKind::kFolder && !is_filled_by_tools(entry.name)) open.push_back(path);
      const bool listed = entry.kind == FileKind::kFile || entry.kind == FileKind::kSymlink;
      if (listed) list.paths.push_back(tree.display(path));
    }
    if (list.paths.size() > kMaxWalkedFiles) {
      list.complete = false;
      return list;
    }
  }
  return list;
}

// git also lists deleted files, submodules, and conflicted files once per side.
void keep_what_exists(const WorkTree& tree, std::vector<std::string>& paths) {
  std::sort(paths.begin(), paths.end());
  paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
  std::erase_if(paths, [&tree](const std::string& path) {
    const FileKind kind = tree.files().link_info(join_path(tree.root(), path)).kind;
    return kind != FileKind::kFile && kind != FileKind::kSymlink;
  });
}

}  // namespace

std::string draw_tree(const std::vector<std::string>& paths, std::size_t max_depth,
                      std::size_t max_entries) {
  std::vector<Node> nodes = build(paths);
  choose(nodes, max_depth, max_entries);
  std::string out;
  std::vector<std::size_t> open(nodes[0].children.rbegin(), nodes[0].children.rend());
  while (!open.empty()) {
    const Node& node = nodes[open.back()];
    open.pop_back();
    if (!node.shown) continue;
    out += draw_node(nodes, node);
    open.insert(open.end(), node.children.rbegin(), node.children.rend());
  }
  const auto hidden = std::count_if(nodes.begin(), nodes.end(), [&](const Node& node) {
    return !node.shown && node.depth <= max_depth;
  });
  if (hidden > 0) {
    out += fmt::format("[... {} more not shown; give a directory or a smaller max_depth ...]\n",
                       hidden);
  }
  return out;
}

bool is_filled_by_tools(std::string_view name) {
  return std::find(kSkippedFolders.begin(), kSkippedFolders.end(), name) != kSkippedFolders.end();
}

Result<bool> in_git_repository(ToolContext& context) {
  const auto result = context.processes.run(
      git_command(context.tree.root(), {"rev-parse", "--is-inside-work-tree"}), context.cancel);
  if (result.ok()) return result->ok() && trim(result->out) == "true";
  if (result.error().kind == ErrorKind::kInterrupted) return result.error();
  return false;
}

Result<FileList> list_files(ToolContext& context, const TreePath& folder) {
  std::optional<ProcessResult> of_git;
  if (!context.processes.find("git").empty()) {
    PEDRO_TRY(of_git,
              run_list(context, git_command("", {"ls-files", "--cached", "--others",
                                                 "--exclude-standard", "--", folder.shown})));
  }
  FileList list;
  if (of_git && of_git->ok()) {
    list = parse_list(*of_git);
  } else if (const std::string rg = context.processes.find("rg"); !rg.empty()) {
    Command command;
    command.argv = {rg,         "--no-config",      "--files",
                    "--hidden", "--no-require-git", "--glob=!.git",
                    "--",       "./" + folder.shown};
    PEDRO_TRY(const ProcessResult listed, run_list(context, std::move(command)));
    list = parse_list(listed);
  } else {
    PEDRO_TRY(list, walk(context.tree, folder.absolute));
  }
  keep_what_exists(context.tree, list.paths);
  return list;
}

std::string_view below(std::string_view path, std::string_view folder) {
  if (folder == "." || !path.starts_with(folder)) return path;
  path.remove_prefix(folder.size());
  if (path.starts_with('/')) path.remove_prefix(1);
  return path;
}

}  // namespace pedro
