#include "tools/file_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text.h"
#include "tools/count_of.h"

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

}  // namespace pedro
