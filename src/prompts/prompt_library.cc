#include "prompts/prompt_library.h"

#include <fmt/format.h>

#include "base/embedded_file.h"
#include "base/text.h"

namespace pedro {

extern const EmbeddedFile kPromptFiles[];
extern const std::size_t kPromptFilesCount;

namespace {

constexpr std::uint64_t kMaxPromptBytes = 256 * 1024;

}  // namespace

Result<PromptLibrary> PromptLibrary::open(const FileSystem& files,
                                          const std::string& override_folder,
                                          const std::string& agents_folder) {
  PromptLibrary library;
  for (std::size_t i = 0; i < kPromptFilesCount; ++i) {
    const EmbeddedFile& file = kPromptFiles[i];
    const std::string name(file.path);
    library.files_[name] = {std::string(file.bytes), "prompts/" + name};
  }
  if (!override_folder.empty() && files.info(override_folder).kind == FileKind::kFolder) {
    PEDRO_RETURN_IF_ERROR(library.add_overrides(files, override_folder, ""));
  }
  if (agents_folder.empty() || files.info(agents_folder).kind != FileKind::kFolder) return library;
  PEDRO_TRY(const auto agents, files.list(agents_folder));
  for (const FolderEntry& agent : agents) {
    if (agent.kind != FileKind::kFolder) continue;
    const std::string path = join_path(agents_folder, agent.name);
    if (library.is_embedded(agent.name)) {
      return Error{
          ErrorKind::kConfig,
          fmt::format(
              "{}: the name is taken; put files that replace prompts of '{}' in .pedro/prompts/{}",
              path, agent.name, agent.name)};
    }
    PEDRO_RETURN_IF_ERROR(library.add_overrides(files, path, agent.name + "/"));
  }
  return library;
}

bool PromptLibrary::is_embedded(std::string_view folder) const {
  const std::string prefix = std::string(folder) + "/";
  for (std::size_t i = 0; i < kPromptFilesCount; ++i) {
    if (kPromptFiles[i].path.starts_with(prefix)) return true;
  }
  return false;
}

// There are only two levels: prompts/<agent>/<file>.
Status PromptLibrary::add_overrides(const FileSystem& files, const std::string& folder,
                                    const std::string& prefix) {
  PEDRO_TRY(const auto entries, files.list(folder));
  for (const FolderEntry& entry : entries) {
    const std::string path = join_path(folder, entry.name);
    if (entry.kind == FileKind::kFolder && prefix.empty()) {
      const Status added = add_overrides(files, path, entry.name + "/");
      if (!added) return added;
    } else if (entry.kind == FileKind::kFile) {
      Result<std::string> text = files.read(path, kMaxPromptBytes);
      if (!text) return Error{ErrorKind::kConfig, text.error().message};
      files_[prefix + entry.name] = {std::move(*text), path};
    }
  }
  return {};
}

std::vector<std::string> PromptLibrary::list(std::string_view folder) const {
  const std::string prefix = std::string(folder) + "/";
  std::vector<std::string> names;
  for (auto it = files_.lower_bound(prefix); it != files_.end(); ++it) {
    if (!it->first.starts_with(prefix)) break;
    names.push_back(it->first);
  }
  return names;
}

std::vector<std::string> PromptLibrary::folders() const {
  std::vector<std::string> names;
  for (const auto& [name, file] : files_) {
    const std::size_t slash = name.find('/');
    if (slash == name.npos) continue;
    const std::string folder = name.substr(0, slash);
    if (names.empty() || names.back() != folder) names.push_back(folder);
  }
  return names;
}

Result<std::string> PromptLibrary::read(const std::string& name) const {
  const auto found = files_.find(name);
  if (found != files_.end()) return found->second.text;
  std::vector<std::string> names;
  for (const auto& [known, file] : files_) names.push_back(known);
  return Error{ErrorKind::kConfig,
               fmt::format("no prompt file '{}'{}", name, did_you_mean(name, names))};
}

std::string PromptLibrary::place(const std::string& name) const {
  const auto found = files_.find(name);
  return found == files_.end() ? name : found->second.place;
}

Result<PromptTemplate> PromptLibrary::load(const std::string& name) const {
  PEDRO_TRY(const std::string text, read(name));
  return PromptTemplate::parse(place(name), text, 1,
                               [this](const std::string& included) { return read(included); });
}

}  // namespace pedro
