#include "git/changed_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/hash.h"
#include "base/text.h"
#include "tools/git_command.h"

namespace pedro {
namespace {

constexpr std::uint64_t kMaxHashedBytes = 64u << 20;

Error unreadable(std::string_view line) {
  return Error{ErrorKind::kUsage, fmt::format("git: cannot read '{}' in its list of changes; "
                                              "if there are very many, add them to .gitignore",
                                              line.substr(0, 100))};
}

bool is_generated_name(std::string_view name) {
  static constexpr std::string_view kNames[] = {"CMakeCache.txt", "CACHEDIR.TAG",
                                                "cmake_install.cmake", "CTestTestfile.cmake"};
  static constexpr std::string_view kEndings[] = {".o",    ".obj",  ".pyc",  ".pyo",
                                                  ".gcda", ".gcno", ".class"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames) ||
         std::any_of(std::begin(kEndings), std::end(kEndings),
                     [&](std::string_view ending) { return name.ends_with(ending); });
}

bool is_generated_folder(std::string_view name) {
  static constexpr std::string_view kNames[] = {"CMakeFiles",    "__pycache__", "node_modules",
                                                ".pytest_cache", ".mypy_cache", ".ruff_cache",
                                                ".gradle",       ".tox"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

/// Returns the folders that a build tool marked as output. Never the root, which has sources too.
std::set<std::string, std::less<>> marked_folders(const std::vector<ChangedFile>& files) {
  std::set<std::string, std::less<>> folders;
  for (const ChangedFile& file : files) {
    const std::string_view name = base_name(file.path);
    if (file.kind != ChangeKind::kAdded || name.size() == file.path.size()) continue;
    if (name == "CMakeCache.txt" || name == "CACHEDIR.TAG") {
      folders.insert(std::string(folder_name(file.path)));
    }
  }
  return folders;
}

/// Returns true for ELF, object archives, Mach-O (both byte orders) and WebAssembly.
bool is_built(std::string_view bytes) {
  static constexpr std::string_view kBeginnings[] = {
      "\177ELF", "!<arch>\n", "\xcf\xfa\xed\xfe", "\xfe\xed\xfa\xcf", std::string_view("\0asm", 4)};
  return std::any_of(std::begin(kBeginnings), std::end(kBeginnings),
                     [&](std::string_view beginning) { return bytes.starts_with(beginning); });
}

bool is_generated(std::string_view path, const std::set<std::string, std::less<>>& marked) {
  if (path.ends_with('/') || is_generated_name(base_name(path))) return true;
  for (std::size_t slash = path.find('/'); slash != std::string_view::npos;
       slash = path.find('/', slash + 1)) {
    const std::string_view folder = path.substr(0, slash);
    if (is_generated_folder(base_name(folder)) || marked.count(folder) > 0) return true;
  }
  return false;
}

}  // namespace

bool is_omitted(const ChangedFile& file) {
  return file.generated || file.private_by != PrivateBy::kNone;
}

bool same_state(const ChangedFile& a, const ChangedFile& b) {
  const bool deleted = a.kind == ChangeKind::kDeleted;
  return a.path == b.path && a.content == b.content && deleted == (b.kind == ChangeKind::kDeleted);
}

Result<std::vector<ChangedFile>> parse_name_status(std::string_view text) {
  std::vector<ChangedFile> files;
  for (const std::string_view line : split_lines(text)) {
    if (line.size() < 3 || line[1] != '\t') return unreadable(line);
    auto path = unquoted_path(line.substr(2));
    if (!path) return unreadable(line);
    const ChangeKind kind = line[0] == 'A'   ? ChangeKind::kAdded
                            : line[0] == 'D' ? ChangeKind::kDeleted
                                             : ChangeKind::kModified;
    files.push_back({std::move(*path), kind});
  }
  return files;
}

Result<std::vector<ChangedFile>> parse_status(std::string_view text,
                                              std::vector<std::string>& ignored) {
  std::vector<ChangedFile> files;
  for (const std::string_view line : split_lines(text)) {
    auto path = line.size() > 3 && line[2] == ' ' ? unquoted_path(line.substr(3)) : std::nullopt;
    if (!path) {
      return usage_error(fmt::format("git status: cannot read the line '{}'", line.substr(0, 100)));
    }
    const char state = line[1];
    if (state == '!') {
      ignored.push_back(*std::move(path));
    } else if (state == '?') {
      files.push_back({.path = *std::move(path), .kind = ChangeKind::kAdded, .untracked = true});
    } else if (state != ' ') {
      files.push_back(
          {*std::move(path), state == 'D' ? ChangeKind::kDeleted : ChangeKind::kModified});
    }
  }
  return files;
}

void mark_generated(std::vector<ChangedFile>& files) {
  const auto marked = marked_folders(files);
  for (ChangedFile& file : files) {
    file.generated = file.kind == ChangeKind::kAdded && is_generated(file.path, marked);
  }
}

Likeness likeness(const FileSystem& files, const std::string& a, const std::string& b) {
  const FileInfo one = files.link_info(a);
  const FileInfo other = files.link_info(b);
  if (one.kind != other.kind) return Likeness::kOther;
  if (one.kind == FileKind::kSymlink) {
    const auto text = files.read_link(a);
    const auto expected = files.read_link(b);
    return text && expected && *text == *expected ? Likeness::kSame : Likeness::kOther;
  }
  if (std::min(one.bytes, other.bytes) > kMaxHashedBytes) {
    return one.bytes == other.bytes ? Likeness::kSame : Likeness::kOther;
  }
  const auto bytes = files.read(a, 2 * kMaxHashedBytes);
  const auto expected = files.read(b, 2 * kMaxHashedBytes);
  if (!bytes || !expected) return Likeness::kOther;
  if (*bytes == *expected) return Likeness::kSame;
  const bool only_ends = replace_all(*bytes, "\r\n", "\n") == replace_all(*expected, "\r\n", "\n");
  return only_ends ? Likeness::kOtherLineEnds : Likeness::kOther;
}

bool is_project_setting(std::string_view path) {
  return path == ".pedrocli.json" || path == ".mcp.json" || path == ".pedro" ||
         path.starts_with(".pedro/");
}

FileContent content_of(const FileSystem& files, const std::string& path) {
  const FileInfo info = files.link_info(path);
  if (info.kind == FileKind::kMissing) return {};
  if (info.kind == FileKind::kSymlink) {
    const auto target = files.read_link(path);
    return {hash_bytes(target ? *target : "", hash_bytes("link:"))};
  }
  const std::uint64_t seed = hash_bytes(fmt::format("{:o}:", info.mode));
  const auto bytes = files.read(path, kMaxHashedBytes);
  if (bytes) return {hash_bytes(*bytes, seed), is_built(*bytes)};
  return {hash_bytes(fmt::format("{} {}", info.bytes, info.modified_ns), seed)};
}

}  // namespace pedro
