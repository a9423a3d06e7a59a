#include <fmt/format.h>

#include <set>

#include "sys/file_system.h"

namespace pedro {
namespace {

Error fault(const std::string& path, std::string_view reason) {
  return Error{ErrorKind::kInternal, fmt::format("{}: {}", path, reason)};
}

constexpr std::string_view kNoSuchFile = "No such file or directory";
constexpr std::string_view kIsFolder = "Is a directory";
constexpr std::string_view kNotFolder = "Not a directory";

/// Returns the common prefix of all paths below `path`.
std::string prefix_of(const std::string& path) {
  return path == "/" ? path : path + "/";
}

template <typename Map>
bool has_below(const Map& map, const std::string& prefix) {
  const auto next = map.lower_bound(prefix);
  return next != map.end() && next->first.starts_with(prefix);
}

template <typename Map>
void move_below(Map& map, const std::string& from, const std::string& to) {
  Map moved;
  for (auto entry = map.begin(); entry != map.end();) {
    const bool inside = entry->first == from || entry->first.starts_with(prefix_of(from));
    if (inside) moved[to + entry->first.substr(from.size())] = std::move(entry->second);
    entry = inside ? map.erase(entry) : std::next(entry);
  }
  map.merge(moved);
}

}  // namespace

FileInfo FakeFileSystem::info(const std::string& path) const {
  const std::string key = normal_path(path);
  FileInfo info;
  if (const auto file = files.find(key); file != files.end()) {
    info.kind = FileKind::kFile;
    info.bytes = file->second.size();
    info.mode = 0644;
  } else if (key == "/" || folders.contains(key) || has_below(files, prefix_of(key)) ||
             has_below(folders, prefix_of(key))) {
    info.kind = FileKind::kFolder;
    info.mode = 0755;
  }
  return info;
}

Result<std::string> FakeFileSystem::read(const std::string& path, std::uint64_t max_bytes) const {
  const FileKind kind = info(path).kind;
  if (kind == FileKind::kMissing) return fault(path, kNoSuchFile);
  if (kind == FileKind::kFolder) return fault(path, kIsFolder);
  const std::string& bytes = files.at(normal_path(path));
  if (bytes.size() > max_bytes) {
    return fault(path, fmt::format("Longer than the limit of {} bytes", max_bytes));
  }
  return bytes;
}

Result<std::string> FakeFileSystem::read_begin(const std::string& path,
                                               std::uint64_t max_bytes) const {
  Result<std::string> bytes = FakeFileSystem::read(path, UINT64_MAX);
  if (bytes && bytes->size() > max_bytes) bytes->resize(max_bytes);
  return bytes;
}

Status FakeFileSystem::write_atomic(const std::string& path, std::string_view bytes,
                                    std::uint32_t /*mode*/) {
  if (!fail_writes_with.empty()) return fault(path, fail_writes_with);
  const std::string key = normal_path(path);
  if (info(key).kind == FileKind::kFolder) return fault(path, kIsFolder);
  const FileKind above = info(std::string(folder_name(key))).kind;
  if (above != FileKind::kFolder) {
    return fault(path, above == FileKind::kMissing ? kNoSuchFile : kNotFolder);
  }
  files[key] = bytes;
  return {};
}

Status FakeFileSystem::append(const std::string& path, std::string_view bytes) {
  const auto old = files.find(normal_path(path));
  const std::string before = old == files.end() ? "" : old->second;
  return write_atomic(path, before + std::string(bytes), 0600);
}

Status FakeFileSystem::sync(const std::string& path) {
  if (!fail_writes_with.empty()) return fault(path, fail_writes_with);
  return files.contains(normal_path(path)) ? Status() : Status(fault(path, kNoSuchFile));
}

Status FakeFileSystem::cut(const std::string& path, std::uint64_t bytes) {
  if (!fail_writes_with.empty()) return fault(path, fail_writes_with);
  const auto file = files.find(normal_path(path));
  if (file == files.end()) return fault(path, kNoSuchFile);
  if (file->second.size() < bytes) return fault(path, "shorter than that");
  file->second.resize(bytes);
  return {};
}

Status FakeFileSystem::make_folders(const std::string& path, std::uint32_t /*mode*/) {
  if (!fail_writes_with.empty()) return fault(path, fail_writes_with);
  const std::string key = normal_path(path);
  for (std::size_t end = 0; end < key.size();) {
    end = std::min(key.find('/', end + 1), key.size());
    const std::string prefix = key.substr(0, end);
    if (files.contains(prefix)) return fault(prefix, kNotFolder);
    folders[prefix] = true;
  }
  return {};
}

Result<bool> FakeFileSystem::make_new_folder(const std::string& path, std::uint32_t mode) {
  if (!fail_writes_with.empty()) return fault(path, fail_writes_with);
  const FileKind above = info(std::string(folder_name(normal_path(path)))).kind;
  if (above != FileKind::kFolder) {
    return fault(path, above == FileKind::kMissing ? kNoSuchFile : kNotFolder);
  }
  if (info(path).kind != FileKind::kMissing) return false;
  PEDRO_RETURN_IF_ERROR(FakeFileSystem::make_folders(path, mode));
  return true;
}

Result<std::vector<FolderEntry>> FakeFileSystem::list(const std::string& path) const {
  const std::string key = normal_path(path);
  const FileKind kind = info(key).kind;
  if (kind == FileKind::kMissing) return fault(path, kNoSuchFile);
  if (kind == FileKind::kFile) return fault(path, kNotFolder);
  std::set<std::string> names;
  const std::string prefix = prefix_of(key);
  const auto collect = [&](const std::string& below) {
    if (!below.starts_with(prefix) || below == prefix) return;
    names.insert(below.substr(prefix.size(), below.find('/', prefix.size()) - prefix.size()));
  };
  for (const auto& file : files) collect(file.first);
  for (const auto& folder : folders) collect(folder.first);
  std::vector<FolderEntry> entries;
  entries.reserve(names.size());
  for (const std::string& name : names) entries.push_back({name, info(prefix + name).kind});
  return entries;
}

Status FakeFileSystem::remove(const std::string& path) {
  if (!fail_writes_with.empty()) return fault(path, fail_writes_with);
  const FileKind kind = info(path).kind;
  if (kind == FileKind::kMissing) return fault(path, kNoSuchFile);
  if (kind == FileKind::kFolder) return fault(path, kIsFolder);
  const std::string key = normal_path(path);
  files.erase(key);
  folders[std::string(folder_name(key))] = true;  // a folder remains after its last file is removed
  return {};
}

Status FakeFileSystem::rename(const std::string& from, const std::string& to) {
  if (!fail_writes_with.empty()) return fault(from, fail_writes_with);
  const std::string source = normal_path(from);
  const std::string target = normal_path(to);
  const FileKind kind = info(source).kind;
  if (kind == FileKind::kMissing) return fault(from, kNoSuchFile);
  if (info(std::string(folder_name(target))).kind != FileKind::kFolder) {
    return fault(to, kNoSuchFile);
  }
  const FileKind there = info(target).kind;
  if (kind == FileKind::kFile && there == FileKind::kFolder) return fault(to, kIsFolder);
  if (kind == FileKind::kFolder && there == FileKind::kFile) return fault(to, kNotFolder);
  if (source == target) return {};
  if (target.starts_with(prefix_of(source))) return fault(to, "Invalid argument");
  if (has_below(files, prefix_of(target)) || has_below(folders, prefix_of(target))) {
    return fault(to, "Directory not empty");
  }
  if (kind == FileKind::kFolder) folders[source] = true;
  files.erase(target);
  folders.erase(target);
  folders[std::string(folder_name(source))] = true;
  move_below(files, source, target);
  move_below(folders, source, target);
  return {};
}

Result<std::string> FakeFileSystem::read_link(const std::string& path) const {
  return fault(path, "Invalid argument");
}

Result<std::string> FakeFileSystem::canonical(const std::string& path) const {
  if (info(path).kind == FileKind::kMissing) return fault(path, kNoSuchFile);
  return normal_path(path);
}

}  // namespace pedro
