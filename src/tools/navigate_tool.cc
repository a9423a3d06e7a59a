#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/text.h"
#include "base/utf8.h"
#include "tools/action_table.h"
#include "tools/builtin.h"
#include "tools/count_of.h"
#include "tools/ctags.h"
#include "tools/file_list.h"
#include "tools/imports.h"
#include "tools/source_outline.h"
#include "tools/text_file.h"
#include "tools/tool.h"
#include "tools/tree_path.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxMappedFiles = 5000;
constexpr std::size_t kMaxMappedBytes = 64u << 20;  // of all files
constexpr std::uint64_t kMaxMappedFileBytes = 1u << 20;
constexpr std::size_t kTaggedAtOnce = 500;
constexpr std::size_t kMaxDefiners = 5;  // a name with more says nothing about a file
constexpr std::size_t kMinNameBytes = 3;
constexpr std::size_t kMaxMappedNameBytes = 60;
constexpr std::size_t kMaxNamesShown = 8;
constexpr std::size_t kMapBytesPerToken = 3;
constexpr std::size_t kNoteBytes = 100;

struct MappedName {
  std::string name;
  std::size_t line = 0;
  std::size_t users = 0;  // other files
};

struct MappedFile {
  std::string path;
  std::string text;
  std::vector<MappedName> names;  // each once
  double score = 0;
};

void add_mapped_name(MappedFile& file, std::string_view name, std::size_t line) {
  if (name.size() < kMinNameBytes || name.size() > kMaxMappedNameBytes) return;
  if (!std::ranges::all_of(name, [](char c) { return is_word_byte(c); })) return;
  const bool is_known = std::ranges::find(file.names, name, &MappedName::name) != file.names.end();
  if (!is_known) file.names.push_back({std::string(name), line});
}

std::vector<MappedFile> read_sources(ToolContext& context, const std::vector<std::string>& paths) {
  std::vector<MappedFile> files;
  std::size_t bytes = 0;
  for (const std::string& path : paths) {
    if (files.size() == kMaxMappedFiles || bytes > kMaxMappedBytes) break;
    if (language_of(path) == Language::kUnknown) continue;
    const auto file = existing_file(context.tree, path);
    if (!file) continue;
    auto text = read_text(context.tree, *file, kMaxMappedFileBytes);
    if (!text) continue;
    bytes += text->size();
    files.push_back({path, *std::move(text), {}});
  }
  return files;
}

bool is_named_in_map(const Tag& tag) {
  return is_whole_definition(tag) && tag.kind != "namespace" && tag.kind != "package" &&
         !tag.name.starts_with("__anon");
}

Status add_tags(ToolContext& context, std::vector<MappedFile>& files) {
  std::map<std::string_view, MappedFile*> by_path;
  for (MappedFile& file : files) by_path[file.path] = &file;
  for (std::size_t begin = 0; begin < files.size(); begin += kTaggedAtOnce) {
    std::vector<std::string> paths;
    for (std::size_t i = begin; i < std::min(files.size(), begin + kTaggedAtOnce); ++i) {
      paths.push_back(files[i].path);
    }
    PEDRO_TRY(const auto tags, find_tags(context, paths, TagKinds::kDefinitions));
    if (!tags) return {};
    for (const Tag& tag : *tags) {
      const auto file = by_path.find(tag.path);
      if (file != by_path.end() && is_named_in_map(tag)) {
        add_mapped_name(*file->second, tag.name, tag.line);
      }
    }
  }
  return {};
}

void add_outline_of(MappedFile& file) {
  std::size_t line = 0;
  for (const std::string_view text : split_lines(file.text)) {
    ++line;
    if (const auto name = defined_name(language_of(file.path), text)) {
      add_mapped_name(file, *name, line);
    }
  }
}

std::unordered_set<std::string_view> words_of(std::string_view text) {
  std::unordered_set<std::string_view> words;
  for (const std::string_view word : runs_of(text, is_word_byte)) {
    if (word.size() >= kMinNameBytes) words.insert(word);
  }
  return words;
}

void count_uses(std::vector<MappedFile>& files) {
  std::unordered_map<std::string_view, std::size_t> definers;
  std::unordered_map<std::string_view, std::size_t> holders;  // files with the word
  for (const MappedFile& file : files) {
    for (const MappedName& name : file.names) ++definers[name.name];
  }
  for (const MappedFile& file : files) {
    for (const std::string_view word : words_of(file.text)) {
      if (definers.contains(word)) ++holders[word];
    }
  }
  for (MappedFile& file : files) {
    for (MappedName& name : file.names) {
      const std::size_t count = definers[name.name];
      if (count > kMaxDefiners) continue;
      name.users = holders[name.name] - std::min(holders[name.name], count);
      file.score += static_cast<double>(name.users) / static_cast<double>(count);
    }
    std::ranges::stable_sort(file.names, std::greater(), &MappedName::users);
  }
}

std::string map_line(const MappedFile& file) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(file.names.size(), kMaxNamesShown); ++i) {
    names.push_back(fmt::format("{}:{}", file.names[i].name, file.names[i].line));
  }
  if (file.names.size() > kMaxNamesShown) {
    names.push_back(fmt::format("{} more", file.names.size() - kMaxNamesShown));
  }
  return fmt::format("{}: {}\n", file.path, join(names, ", "));
}

bool is_below(std::string_view path, const std::string& folder) {
  return folder == "." || path.starts_with(folder + "/");
}

// Returns a map of the source files below `folder`, for the model: "PATH: NAME:LINE, ..." with the
// most used definitions of each file. The first files are those whose names most other files of the
// project use. A name with several definitions counts for each in part. Uses universal-ctags,
// without it source_outline.h. The text has at most `max_tokens`, at three bytes per token. Reads
// at most 5,000 files and 64 MiB. Errors: those of list_files().
Result<std::string> project_map(ToolContext& context, const TreePath& folder,
                                std::size_t max_tokens) {
  PEDRO_TRY(const TreePath root, existing_folder(context.tree, ""));
  PEDRO_TRY(const FileList list, list_files(context, root));
  std::vector<MappedFile> files = read_sources(context, list.paths);
  PEDRO_RETURN_IF_ERROR(add_tags(context, files));
  for (MappedFile& file : files) {
    if (file.names.empty()) add_outline_of(file);
  }
  count_uses(files);
  std::erase_if(files, [&](const MappedFile& file) {
    return file.names.empty() || !is_below(file.path, folder.shown);
  });
  if (files.empty()) return folder.shown + "/ has no source files with definitions";
  std::ranges::stable_sort(files, std::greater(), &MappedFile::score);
  std::string out = "Files by the use of their names in other files, with NAME:LINE\n";
  const std::size_t budget = max_tokens * kMapBytesPerToken - kNoteBytes;
  std::size_t shown = 0;
  for (; shown < files.size(); ++shown) {
    const std::string line = map_line(files[shown]);
    if (out.size() + line.size() > budget) break;
    out += line;
  }
  if (shown < files.size() || !list.complete) {
    out += fmt::format("[... {} not shown; give a directory or a larger max_tokens ...]\n",
                       count_of(files.size() - shown, "more file"));
  }
  return out;
}

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
