#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "base/utf8.h"
#include "tools/action_table.h"
#include "tools/builtin.h"
#include "tools/count_of.h"
#include "tools/ctags.h"
#include "tools/file_list.h"
#include "tools/file_tree.h"
#include "tools/imports.h"
#include "tools/project_map.h"
#include "tools/source_outline.h"
#include "tools/text_file.h"
#include "tools/tree_path.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxEntries = 300;
constexpr long long kDefaultDepth = 3;
constexpr std::size_t kMaxOutlineBytes = 160;  // of a line
constexpr long long kDefaultMapTokens = 1000;

std::string more(std::size_t count, std::string_view noun) {
  return count == 0 ? "" : fmt::format("[... {} not shown ...]\n", count_of(count, noun));
}

std::string entry_line(const WorkTree& tree, const TreePath& folder, const FolderEntry& entry) {
  if (entry.kind == FileKind::kFolder) return entry.name + "/\n";
  if (entry.kind == FileKind::kSymlink) return entry.name + " (link)\n";
  const FileInfo info = tree.files().info(join_path(folder.absolute, entry.name));
  return fmt::format("{} ({})\n", entry.name, count_of(info.bytes, "byte"));
}

Result<ToolResult> list_directory(const Json& args, ToolContext& context) {
  const auto folder = existing_folder(context.tree, text_of(args, "directory"));
  if (!folder) return answer_for(folder.error());
  auto entries = context.tree.files().list(folder->absolute);
  if (!entries) return refuse("cannot list " + entries.error().message);
  const bool show_hidden = truth_of(args, "show_hidden");
  const std::size_t all = entries->size();
  std::erase_if(*entries, [&](const FolderEntry& entry) {
    return entry.name == ".git" || (!show_hidden && entry.name.starts_with('.'));
  });
  std::string out = folder->shown + "/\n";
  const std::size_t shown = std::min(entries->size(), kMaxEntries);
  for (std::size_t i = 0; i < shown; ++i) {
    out += entry_line(context.tree, *folder, (*entries)[i]);
  }
  out += more(entries->size() - shown, "more entry");
  if (entries->empty()) out += all == 0 ? "(empty)\n" : "(nothing but hidden entries)\n";
  return ToolResult{true, std::move(out), {}};
}

Result<ToolResult> get_tree(const Json& args, ToolContext& context) {
  const auto folder = existing_folder(context.tree, text_of(args, "directory"));
  if (!folder) return answer_for(folder.error());
  auto list = list_files(context, *folder);
  if (!list) return answer_for(list.error());
  for (std::string& path : list->paths) path = std::string(below(path, folder->shown));
  if (list->paths.empty()) {
    return ToolResult{true, folder->shown + "/ has no files that are not ignored", {}};
  }
  const long long depth = std::clamp(number_of(args, "max_depth", kDefaultDepth), 1LL, 10LL);
  std::string out =
      folder->shown + "/\n" + draw_tree(list->paths, static_cast<std::size_t>(depth), kMaxEntries);
  if (!list->complete) out += "[... the project has more files than can be listed ...]\n";
  return ToolResult{true, std::move(out), {}};
}

Result<std::vector<std::size_t>> outline_lines(ToolContext& context, const TreePath& file,
                                               const LineTable& table) {
  PEDRO_TRY(const auto tags, find_tags(context, {file.shown}, TagKinds::kDeclarationsToo));
  std::vector<std::size_t> lines;
  if (tags) {
    for (const Tag& tag : *tags) {
      if (tag.line <= table.size() && is_whole_definition(tag)) lines.push_back(tag.line);
    }
    lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  }
  return lines.empty() ? definition_lines(language_of(file.shown), table) : lines;
}

Result<ToolResult> get_file_outline(const Json& args, ToolContext& context) {
  const auto file = existing_file(context.tree, text_of(args, "path"));
  if (!file) return answer_for(file.error());
  const auto text = read_text(context.tree, *file, kMaxTextBytes);
  if (!text) return answer_for(text.error());
  const LineTable table(*text);
  PEDRO_TRY(const auto lines, outline_lines(context, *file, table));
  if (lines.empty()) {
    return ToolResult{true,
                      fmt::format("{} ({}): no definitions found; file read shows it", file->shown,
                                  count_of(table.size(), "line")),
                      {}};
  }
  std::string out = fmt::format("{} ({})\n", file->shown, count_of(table.size(), "line"));
  const std::size_t shown = std::min(lines.size(), kMaxEntries);
  for (std::size_t i = 0; i < shown; ++i) {
    out += numbered_lines(table, {lines[i], lines[i]}, kMaxOutlineBytes);
  }
  out += more(lines.size() - shown, "more definition");
  return ToolResult{true, std::move(out), {}};
}

Result<ToolResult> list_imports(const Json& args, ToolContext& context) {
  const auto file = existing_file(context.tree, text_of(args, "path"));
  if (!file) return answer_for(file.error());
  const auto text = read_text(context.tree, *file, kMaxTextBytes);
  if (!text) return answer_for(text.error());
  const std::vector<Import> imports = find_imports(language_of(file->shown), *text);
  if (imports.empty()) return ToolResult{true, file->shown + " imports nothing", {}};
  std::string out = file->shown + "\n";
  const std::size_t shown = std::min(imports.size(), kMaxEntries);
  for (std::size_t i = 0; i < shown; ++i) {
    out += fmt::format("{}\t{}\n", imports[i].line, truncate_utf8(imports[i].text, 400));
  }
  out += more(imports.size() - shown, "more import");
  return ToolResult{true, std::move(out), {}};
}

Result<ToolResult> get_map(const Json& args, ToolContext& context) {
  const auto folder = existing_folder(context.tree, text_of(args, "directory"));
  if (!folder) return answer_for(folder.error());
  const long long budget =
      std::clamp(number_of(args, "max_tokens", kDefaultMapTokens), 100LL, 5000LL);
  auto map = project_map(context, *folder, static_cast<std::size_t>(budget));
  if (!map) return answer_for(map.error());
  return ToolResult{true, *std::move(map), {}};
}

constexpr ActionRow kNavigateActions[] = {
    {"list_directory", list_directory},
    {"get_tree", get_tree},
    {"get_file_outline", get_file_outline},
    {"find_imports", list_imports},
    {"get_map", get_map},
};

}  // namespace

std::unique_ptr<Tool> make_navigate_tool() {
  return std::make_unique<TableTool>("navigate", kNavigateActions);
}

}  // namespace pedro
