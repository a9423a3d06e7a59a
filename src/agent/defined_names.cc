#include "agent/defined_names.h"

#include <algorithm>

#include "base/text.h"
#include "base/utf8.h"
#include "tools/ctags.h"
#include "tools/language.h"
#include "tools/source_outline.h"
#include "tools/text_file.h"
#include "tools/tree_path.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxSymbolBytes = 200;           // of the argument of find_definition
constexpr std::uint64_t kMaxOutlinedBytes = 1U << 20;  // of a file without tags

bool is_usable(std::string_view name) {
  return !name.empty() && name.size() <= kMaxSymbolBytes && is_valid_utf8(name) &&
         name.find_first_of(" \t\"\\") == name.npos && !name.starts_with("__anon");
}

void add_name(std::set<std::string>& names, std::string name) {
  if (is_usable(name)) names.insert(std::move(name));
}

// Returns the scope's last part with the separator of the language: "Parser::", "Parser.".
std::string scope_prefix(const Tag& tag) {
  if (tag.scope.empty()) return "";
  const Language language = language_of(tag.path);
  const bool is_colons = language == Language::kCpp || language == Language::kRust ||
                         tag.scope.find("::") != std::string::npos;
  const std::string dotted = replace_all(tag.scope, "::", ".");
  return std::string(split(dotted, '.').back()) + (is_colons ? "::" : ".");
}

void add_outline(ToolContext& context, const std::string& path, std::set<std::string>& names) {
  const Result<TreePath> file = existing_file(context.tree, path);
  if (!file) return;
  const Result<std::string> text = read_text(context.tree, *file, kMaxOutlinedBytes);
  if (!text) return;
  for (const std::string_view line : split_lines(*text)) {
    if (const auto name = defined_name(language_of(path), line))
      add_name(names, std::string(*name));
  }
}

}  // namespace

void DefinedNames::forget_all() {
  files_.clear();
  names_.clear();
}

Status DefinedNames::update(ToolContext& context, const std::set<std::string>& paths) {
  if (paths.size() > kMaxFiles) {
    forget_all();
    return {};
  }
  std::vector<std::string> changed;
  const std::size_t gone =
      std::erase_if(files_, [&](const auto& file) { return !paths.contains(file.first); });
  for (const std::string& path : paths) {
    const FileInfo info = context.tree.files().info(join_path(context.tree.root(), path));
    if (info.kind != FileKind::kFile) continue;
    const auto [file, is_new] = files_.try_emplace(path);
    if (!is_new && file->second.modified_ns == info.modified_ns &&
        file->second.bytes == info.bytes) {
      continue;
    }
    file->second = {info.modified_ns, info.bytes, {}};
    changed.push_back(path);
  }
  if (changed.empty() && gone == 0) return {};
  if (!changed.empty()) {
    PEDRO_TRY(const auto tags, find_tags(context, changed, TagKinds::kDefinitions));
    if (!tags) {
      forget_all();
      return {};
    }
    for (const Tag& tag : *tags) {
      const auto file = files_.find(tag.path);
      if (file == files_.end()) continue;
      add_name(file->second.names, tag.name);
      add_name(file->second.names, scope_prefix(tag) + tag.name);
    }
  }
  for (const std::string& path : changed) {
    std::set<std::string>& names = files_[path].names;
    if (names.empty()) add_outline(context, path, names);
  }
  std::set<std::string> all;
  for (const auto& [path, file] : files_) all.insert(file.names.begin(), file.names.end());
  names_.clear();
  if (all.size() <= kMaxNames) names_.assign(all.begin(), all.end());
  return {};
}

}  // namespace pedro
