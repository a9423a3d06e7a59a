#include "tools/project_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/text.h"
#include "tools/count_of.h"
#include "tools/ctags.h"
#include "tools/file_list.h"
#include "tools/source_outline.h"
#include "tools/text_file.h"

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
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_word_byte(text[end])) ++end;
    if (end - at >= kMinNameBytes) words.insert(text.substr(at, end - at));
    at = end + 1;
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

}  // namespace

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

}  // namespace pedro
